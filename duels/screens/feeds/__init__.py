"""Atom feeds of what everyone may see."""
