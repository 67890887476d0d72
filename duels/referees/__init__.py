"""Refereeing: the log of acts, the acts of referees, cases with their rulings, and the desk.

The parts are in different layers of `duels`: nearly everything may read the log, acts call the
commands of duels, pages show cases, and the desk shows pages.
"""
