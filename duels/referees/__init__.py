"""Refereeing: the log of acts, and the acts of referees on duels and wizards."""
