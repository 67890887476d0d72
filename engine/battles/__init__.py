"""Finished battles of Warlocks as they were told, played again and compared turn by turn.

`battle` reads one, `comparisons` plays it and tells what comes out as it was told and what does
not. The form is described in docs/BATTLES.md.
"""

from engine.battles.document import Battle, as_json
from engine.battles.reading import battle
from engine.battles.replay import Comparison, comparisons

__all__ = ["Battle", "Comparison", "as_json", "battle", "comparisons"]
