"""Verifiable records of duels, and the fingerprint of the code that plays turns."""
