"""The page where wizards say that they are open to duels."""
