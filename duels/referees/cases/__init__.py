"""Commands and queries for cases: disputes and reports, their referees, rulings and appeals.

Each command is one transaction, checks permissions, and raises `Refused` if it did nothing.
"""
