"""Calendars of deadlines at secret addresses."""
