"""Template tags: they print, they decide nothing."""
