"""Template contexts for the desk's pages."""
