"""Refereeing: the log of acts, referees' acts, cases with their rulings, and the referees' desk.

These parts belong to different layers of `duels`. Nearly all modules may import the log. Acts call
commands of duels, pages of duels import cases, and the desk imports pages of duels.
"""
