"""Disputes and reports, the referees who rule on them, and their rulings: a room of its own."""
