"""Template tags. They only render and do not make decisions."""
