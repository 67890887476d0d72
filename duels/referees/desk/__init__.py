"""The referees' desk: the queue of cases, each case with its evidence, and the forms of acts.

It reads duels and cases from the database. Nothing in `duels` refers to it except the URLs.
"""
