"""Records of duels, and the checks that prove them."""
