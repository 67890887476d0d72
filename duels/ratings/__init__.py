"""Ratings of wizards by the results of their rated duels, and ladders."""
