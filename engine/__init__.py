"""The adjudication of Spellcaster: a pure function and some questions beside it.

No framework, no clock, no file, no network: positions, orders, answers and dice go in, positions
and events come out. See RULES.md for the rules that the code cites.
"""
