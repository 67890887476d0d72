"""The referees' desk: the queue of cases, the pages of a case with its evidence, and acts.

Nothing else in `duels` imports the desk, except the URL configuration.
"""
