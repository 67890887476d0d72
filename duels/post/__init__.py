"""Notices of events in duels, and the emails that report them."""
