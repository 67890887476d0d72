"""Calendars of deadlines at secret addresses, following of wizards and duels, private notes."""
