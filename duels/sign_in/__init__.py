"""Guests, changes of address, and signing out."""
