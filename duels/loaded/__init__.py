"""A duel's rows as values that the engine can play."""
