"""What a ruleset and its rules say, in sentences."""
