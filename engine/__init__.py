"""The engine that adjudicates Spellcaster: one pure function and a few queries.

It uses no framework, clock, file or network, except in its command line (`engine.cli`). Positions,
orders, answers and dice go in; positions and events come out. RULES.md contains the rules that the
code cites.

Its public modules are `engine.play`, `engine.orders`, `engine.words` and `engine.proof`.
"""

from typing import Final

# The version of this release, recorded with each turn that it resolves. rules: promise 13
RELEASE: Final = "0.1.0"
