"""Positions and their history, and both as JSON."""
