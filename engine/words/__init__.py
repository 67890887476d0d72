"""Events and positions in sentences."""
