"""State of duels, which open pages poll for news."""
