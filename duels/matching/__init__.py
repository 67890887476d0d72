"""Ways to find an opponent: challenges with limits, and pairing of wizards who want to play."""
