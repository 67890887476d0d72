"""The archive of finished public duels, with a search and a download of all records."""
