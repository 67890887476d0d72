"""Texts for options, turns, rules and times, and names of order fields."""
