"""Replay of recorded Warlocks battles, and comparison with the record turn by turn.

`parse_battle` reads a record. `replay_and_compare` replays it and reports which values match the
record and which do not. docs/BATTLES.md describes the format.
"""

from engine.battles.compare import Comparison as Comparison
from engine.battles.document import Battle as Battle
from engine.battles.document import as_json as as_json
from engine.battles.parser import parse_battle as parse_battle
from engine.battles.replay import replay_and_compare as replay_and_compare
