"""A user's settings."""
