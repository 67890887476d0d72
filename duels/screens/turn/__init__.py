"""A played turn of a duel."""
