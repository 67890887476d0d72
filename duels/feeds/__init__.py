"""Calendars of deadlines, follows of wizards and duels, and private notes."""
