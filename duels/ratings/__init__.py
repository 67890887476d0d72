"""Ratings of wizards, based on their rated duels, and ladders."""
