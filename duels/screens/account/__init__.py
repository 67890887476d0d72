"""A user's data, the end of their account, and their sessions."""
