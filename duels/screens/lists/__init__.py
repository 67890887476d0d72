"""Lists of duels and of wizards."""
