"""Loading of a duel's rows, and their conversion to values of the engine."""
