"""Refereeing: cases and rulings, the referees' desk, and the acts of referees with their log.

These parts belong to different layers of `duels`. Nearly all modules may import the log. Acts call
commands of duels, pages of duels import cases, and the desk imports pages of duels.
"""
