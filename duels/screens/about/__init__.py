"""Pages that explain the site: its privacy policy and terms, checks by hand, Warlocks."""
