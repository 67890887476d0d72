"""The rules, the differences between rulesets, and the order of a turn."""
