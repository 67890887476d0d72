"""Private messages between two wizards."""
