"""Words and fields for options, orders, turns, rules and moments."""
