"""The log of what referees and operators do, and the part of it that each reader may see."""
