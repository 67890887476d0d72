"""Finding an opponent: limits of challenges, and the pairing of wizards who want to play."""
