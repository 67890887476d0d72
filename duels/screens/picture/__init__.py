"""The picture of a duel's history."""
