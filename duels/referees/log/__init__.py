"""The log of acts by referees and operators, and the acts that each reader may see."""
