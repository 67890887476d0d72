"""A battle record's words for things that the engine names differently.

docs/BATTLES.md describes the format. Hands are L, R, B for both and `bank`; `LH:w1` is the monster
that this hand is making; `-` is no one.
"""

import re
from typing import Final

from engine.gestures import BANK, BOTH, GESTURES, HAND_FIELD_NAMES, LEFT, RIGHT
from engine.ids import FUTURE_BEINGS, future_being_id
from engine.legality.scope import NO_ONE, NOWHERE
from engine.positions.position import DEAD, EXTRA, HASTE, NORMAL, STANDING, SURRENDERED
from engine.rulesets.warlocks import WARLOCKS_1
from engine.spellbook import BEAST_KINDS, FIRE, ICE, SpellClass

TURN_KIND_WORDS: Final = {NORMAL: "normal", HASTE: "haste", EXTRA: "timestop"}
"""The record's names for kinds of turn, by the engine's names."""

HAND_WORDS: Final = {LEFT: "L", RIGHT: "R", BOTH: "B", BANK: "bank"}
HAND_BY_WORD: Final = {word: hand for hand, word in HAND_WORDS.items()}
HAND_FIELD_BY_WORD: Final = {
    word: HAND_FIELD_NAMES[hand] for hand, word in HAND_WORDS.items() if hand != BANK
}
"""The part of a field of orders that names a hand."""

NO_BEING: Final = "-"
HIDDEN_LETTER: Final = "?"
BLANK_LETTER: Final = " "
RECORDED_LETTERS: Final = f"{GESTURES}{HIDDEN_LETTER}"

FINAL_STANDINGS: Final = (STANDING, DEAD, SURRENDERED)
WARLOCKS_RULESETS: Final = (WARLOCKS_1, *WARLOCKS_1.variants.values())
MIND_SPELLS: Final = tuple(
    dict.fromkeys(kind for book in WARLOCKS_RULESETS for kind in book.mind_spells)
)
WARLOCKS_SPELL_IDS: Final = frozenset(id for book in WARLOCKS_RULESETS for id in book.spells)
WARLOCKS_MONSTERS: Final = tuple(kind for kind in WARLOCKS_1.monsters if kind != "elemental")
BEING_PATTERN: Final = re.compile(r"(?:[LR]H:)?(?P<wizard>w[0-7])|m\d{1,6}|-")

WORD_FOR_ELEMENTAL_STRIKE: Final = {FIRE: "fire_elemental", ICE: "ice_elemental"}
"""The source of an elemental's strikes, by its kind."""

SUMMONS_BY_MONSTER: Final = {
    row.monster: row.id for row in WARLOCKS_1.spells.values() if row.monster
}
"""The spell that makes each kind of monster."""

ELEMENTAL_SUMMONS: Final = frozenset(SUMMONS_BY_MONSTER[kind] for kind in WORD_FOR_ELEMENTAL_STRIKE)

_SPELLS_BY_FAMILY_WORD: Final = {
    "mind": frozenset(MIND_SPELLS),
    "summons": frozenset(SUMMONS_BY_MONSTER[kind] for kind in BEAST_KINDS),
    "cure": frozenset({"cure_light_wounds", "cure_heavy_wounds"}),
    "cause_wounds": frozenset({"cause_light_wounds", "cause_heavy_wounds"}),
    "resist": frozenset({"resist_heat", "resist_cold"}),
    "permanency_or_delay": frozenset({"permanency", "delayed_effect"}),
    "lightning": frozenset({"lightning_bolt", "clap_of_lightning"}),
    "storm": frozenset({"fire_storm", "ice_storm"}),
    "sick": frozenset({"disease", "poison"}),
    "sight": frozenset({"blindness", "invisibility"}),
    "enchantment": frozenset(
        row.id for row in WARLOCKS_1.spells.values() if row.class_ is SpellClass.ENCHANTMENT
    ),
}
"""Words that stand for several spells, used if the record does not show which one was cast."""

STATUS_WORDS: Final = {
    "protection_from_evil": "shield",
    "invisibility": "invisibility",
    "blindness": "blindness",
    "resist_heat": "fireproof",
    "resist_cold": "coldproof",
    "haste": "haste",
    "permanency": "permanency",
    "delayed_effect": "delay",
    "disease": "disease",
    "poison": "poison",
    "charm_person": "charmed",
    "paralysis": "paralysed",
    "amnesia": "forgetful",
    "fear": "afraid",
    "confusion": "confused",
    "maladroitness": "clumsy",
}
"""Words for effects in a wizard's status line."""

_WORDS_FOR_ONE_SPELL: Final = WARLOCKS_SPELL_IDS | frozenset(WORD_FOR_ELEMENTAL_STRIKE.values())
_FUTURE_MONSTER_PATTERN = re.compile(r"([LR])H:(w[0-7])")


def matches_spell(word: str, spell: str) -> bool:
    """Return whether this word can stand for the spell.

    The word can be the spell's name or that of its family. Any other word fits if it shares a part
    with the name, or if it does not resemble any name.
    """
    if word in _SPELLS_BY_FAMILY_WORD:
        return spell in _SPELLS_BY_FAMILY_WORD[word]
    if word == spell or word in _WORDS_FOR_ONE_SPELL:
        return word == spell
    parts = [part[:5] for part in word.split("_") if len(part) > 3]
    kin = [known for known in _WORDS_FOR_ONE_SPELL if any(part in known for part in parts)]
    return not kin or spell in kin


def subject_in_orders(word: str) -> str:
    """Convert the record's word for a being to the form that orders use for a spell's subject."""
    if word == NO_BEING:
        return NOWHERE
    made = _FUTURE_MONSTER_PATTERN.fullmatch(word)
    return future_being_id(made[2], made[1]) if made else word


def is_future_being(word: str) -> bool:
    """Return whether the word names a being that a hand is making."""
    return _FUTURE_MONSTER_PATTERN.fullmatch(word) is not None


def victim_in_orders(word: str) -> str:
    """Convert the record's word for a being to the form that orders use for a monster's victim."""
    return NO_ONE if word == NO_BEING else subject_in_orders(word)


def recorded_being(id: str) -> str:
    """Return the record's word for the being with this id."""
    if id in (NOWHERE, NO_ONE, ""):
        return NO_BEING
    came = FUTURE_BEINGS.get(id)
    if came is None or came.hand == BANK:
        return id
    return f"{LEFT if came.hand == BOTH else came.hand}H:{came.maker}"
