"""Which orders the rules allow."""
