"""The printed sample games and their turns."""
