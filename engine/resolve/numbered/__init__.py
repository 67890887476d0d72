"""Phases for rulesets in which every extra turn is a turn with its own number.

`resolve.NUMBERED_PHASES` lists them, along with those that they share. rules: W8-W17
"""
