"""Practice duels, and the guided first duel."""
