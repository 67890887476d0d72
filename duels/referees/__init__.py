"""Refereeing: the log of acts, the acts of referees on duels and wizards, and cases with rulings.

The parts are in different layers of `duels`: nearly everything may read the log, acts call the
commands of duels, and pages show cases.
"""
