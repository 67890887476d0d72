"""The page on which a wizard is open to duels."""
