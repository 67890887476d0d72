"""Commands and queries for cases: disputes and reports, their referees, rulings and appeals.

Each command is one transaction and checks permissions. If it changes nothing, it raises `Refused`.
"""
