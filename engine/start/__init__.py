"""The first position of a duel."""
