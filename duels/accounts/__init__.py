"""Names and preferences of wizards, and their second factor."""
