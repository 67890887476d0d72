"""The archive of finished public duels."""
