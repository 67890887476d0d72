"""The rules, the differences between rulesets, and the order of events in a turn."""
