"""Template tags. They render values and do not make decisions."""
