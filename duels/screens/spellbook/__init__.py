"""The spellbook and its search."""
