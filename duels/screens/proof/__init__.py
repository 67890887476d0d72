"""How to check a duel."""
