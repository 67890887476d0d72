"""Disputes and reports, as the players involved see them."""
