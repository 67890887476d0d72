"""The page that explains how to check a duel."""
