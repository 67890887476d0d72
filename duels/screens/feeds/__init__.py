"""Atom feeds of what everyone may see, and calendars of wizards' own deadlines."""
