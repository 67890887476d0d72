"""Guests' cookies, changes of email addresses, and sign-outs."""
