"""The text of the rules and of spells, and links to it."""
