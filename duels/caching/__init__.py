"""Caches, and what they store."""
