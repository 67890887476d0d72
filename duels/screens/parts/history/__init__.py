"""The history grid: its squares, the lines of its spells, and its HTML."""
