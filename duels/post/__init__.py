"""Notices about events in duels, and the emails that report them."""
