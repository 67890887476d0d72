"""Download of a user's data, closing of accounts, and sessions."""
