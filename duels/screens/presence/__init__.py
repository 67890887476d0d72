"""News of duels that pages poll."""
