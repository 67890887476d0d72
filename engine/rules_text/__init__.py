"""Sentences that describe a ruleset and its rules."""
