"""Wizards and duels that a reader follows, and their private notes."""
