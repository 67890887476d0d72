"""Sealed orders, the seeds of their salts and of the dice, and the chain of a duel's turns."""
