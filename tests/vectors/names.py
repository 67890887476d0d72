"""Names in the recordings that differ from the engine's names.

Recordings have separate names for a spell's second pattern. A stab is K, and `-` is no one. Hands
are L, R, B for both and D for the bank.
"""

from typing import Final

from engine.gestures import BANK, BOTH, LEFT, RIGHT, STAB, is_two_handed
from engine.ids import SpellWithPattern
from engine.legality.scope import NO_ONE, NOWHERE
from engine.positions.position import EXTRA, HASTE, NORMAL
from engine.rulesets.spellcast import SPELLCAST_1

PHASE_TYPES: Final = {NORMAL: "normal", EXTRA: "timestop", HASTE: "haste"}
"""The recordings' names for phases, by the engine's kind of turn."""

HAND_NAMES: Final = {LEFT: "L", RIGHT: "R", BOTH: "B", BANK: "D"}

SECOND_PATTERN_NAMES: Final = {
    "lightning_bolt/WDDc": "lightning_bolt_short",
    "counter_spell/WWS": "counter_spell_2",
}

_STAB_LETTER: Final = "K"
GESTURE_LETTERS: Final = "FPSWDC-" + _STAB_LETTER


def spell_name(id: str) -> str:
    """Return the recorded name of a spell; `id` may have a pattern: `counter_spell/WWS`."""
    return SECOND_PATTERN_NAMES.get(id, SpellWithPattern.parse(id).spell)


def candidate_name(id: str) -> str:
    """Return the recorded name of a spell, with a star if the spell takes both hands."""
    spell, pattern = SpellWithPattern.parse(id)
    ends = pattern or SPELLCAST_1.spells[spell].patterns[0]
    return spell_name(id) + ("*" if is_two_handed(ends) else "")


def being_name(id: str) -> str:
    return "-" if id in (NOWHERE, NO_ONE) else id


def recorded_row(pair: str) -> str:
    """Return a recorded row as the engine's pair of letters."""
    return pair.replace(_STAB_LETTER, STAB)


SPELL_NAMES: Final[frozenset[str]] = frozenset(
    spell_name(SpellWithPattern(each.spell.id, each.pattern).text)
    for each in SPELLCAST_1.completables
)
