"""The page of a played turn."""
