"""The ladders of all rulesets."""
