"""The page of a duel, and the forms on it."""
