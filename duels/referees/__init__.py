"""Refereeing: the acts of referees on duels and wizards."""
