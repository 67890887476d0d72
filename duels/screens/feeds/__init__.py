"""Atom feeds of public data, and calendars with a wizard's own deadlines."""
