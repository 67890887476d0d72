"""Answers for players who come from Warlocks."""
