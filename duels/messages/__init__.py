"""Private messages between two wizards who have shared a duel or a challenge."""
