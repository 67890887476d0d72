"""The archive of finished public duels: a search, and all records as one file."""
