"""Records of finished Warlocks battles, replayed and compared turn by turn.

`parse_battle` reads a record. `comparisons` replays it and reports which values match the record
and which do not. docs/BATTLES.md describes the format.
"""

from engine.battles.document import Battle, as_json
from engine.battles.parser import parse_battle
from engine.battles.replay import Comparison, comparisons

__all__ = ["Battle", "Comparison", "as_json", "comparisons", "parse_battle"]
