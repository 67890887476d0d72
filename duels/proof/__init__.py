"""Verifiable records, and releases with their fingerprints."""
