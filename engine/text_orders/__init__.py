"""Orders as text that players type."""
