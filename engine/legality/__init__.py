"""The orders that the rules allow."""
