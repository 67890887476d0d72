"""Sealed orders, the seeds of their salts and dice, and the chain that links them."""
