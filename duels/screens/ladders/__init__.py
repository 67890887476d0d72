"""The ladders of each ruleset."""
