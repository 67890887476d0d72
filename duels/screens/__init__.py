"""One package for each screen: its views, and the context for its templates."""
