"""Phases for rulesets in which every extra turn is a turn with its own number.

`resolve.NUMBERED_PHASES` lists them, along with the phases that all sealed rulesets share. rules:
W8-W17
"""
