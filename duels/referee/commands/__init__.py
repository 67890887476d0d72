"""Commands with which players and referees act on cases.

Each command is one transaction, checks permissions, and raises `Refused` if it did nothing.
"""
