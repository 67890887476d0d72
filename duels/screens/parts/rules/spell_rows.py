"""The rows of the spellbook as text, generated from the spells' rows in the ruleset."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.play import (
    LETTERS,
    NUMBERED,
    RULESETS,
    STEPWISE,
    HandEffect,
    MonsterKind,
    Ruleset,
    Spell,
    cast_sort_key,
    pattern_text,
    step_accepts_symbol,
)
from engine.words import or_list, row_differences

CLASS_WORDS = {
    "protection": "protection",
    "summons": "summons",
    "damaging": "damage",
    "enchantment": "enchantment",
}
DEFAULT_WORDS = {"self": "yourself", "opponent": "the opponent", "none": "the whole arena"}
LEGAL_WORDS = {
    "any": "any being",
    "wizards": "wizards only",
    "others": "any being except yourself",
    "opponents": "other wizards only",
}
LASTS_WORDS = {
    "instant": "at once",
    "t+1": "the next turn",
    "t+1..t+3": "the next three turns",
    "t..t+3": "this turn and the next three",
    "until removed": "until removed",
    "t..t+2": "this turn and the next two",
    "dies at the end of t+5": "kills when five more turns are over",
    "dies at the end of t+6": "kills when six more turns are over",
}
# Durations of instant spells that need their own text.
DURATION_OF_INSTANT_SPELLS: Final = {
    "shield": "this turn",
    "counter_spell": "this turn",
    "magic_mirror": "this turn",
    "charm_monster": "permanently",
    "anti_spell": "from the end of this turn",
    "time_stop": "right after this turn",
}
# Durations of spells that differ by order of play.
_INTO_THE_HASTED_TURN: Final = "this turn and any hasted turn right after it"
_NEXT_TURN_TIME: Final = "the next turn, and hasted turns before it"
_BOUND_OR_AT_ONCE: Final = f"{_NEXT_TURN_TIME}; a monster this turn"
TIMES_BY_ORDER_OF_PLAY: Final[Mapping[str, Mapping[str, str]]] = {
    NUMBERED: {
        "shield": _INTO_THE_HASTED_TURN,
        "counter_spell": _INTO_THE_HASTED_TURN,
        "magic_mirror": _INTO_THE_HASTED_TURN,
        "dispel_magic": _INTO_THE_HASTED_TURN,
        "charm_person": _NEXT_TURN_TIME,
        **dict.fromkeys(
            ("amnesia", "confusion", "maladroitness", "paralysis", "fear"), _BOUND_OR_AT_ONCE
        ),
        "haste": "after this turn and each of the next two",
    }
}
EFFECTS: Final[Mapping[str, str]] = {
    "shield": "stops missiles, stabs and monsters’ attacks",
    "remove_enchantment": "ends every enchantment; destroys a monster",
    "magic_mirror": "reflects other wizards’ spells",
    "counter_spell": "no other spell works on its subject this turn; it also shields",
    "dispel_magic": "stops all spells, ends all enchantments, destroys all monsters; shields",
    "raise_dead": "brings back a corpse, or cures {amount} if the subject is alive",
    "cure_light_wounds": "cures {amount}",
    "cure_heavy_wounds": "cures {amount}, and disease",
    "missile": "{amount} damage, unless shielded",
    "finger_of_death": "kills",
    "lightning_bolt": "{amount} damage",
    "clap_of_lightning": "{amount} damage",
    "cause_light_wounds": "{amount} damage",
    "cause_heavy_wounds": "{amount} damage",
    "fireball": "{amount} damage, unless resistant to heat",
    "fire_storm": "{amount} damage to all who do not resist heat",
    "ice_storm": "{amount} damage to all who do not resist cold",
    "sacrifice": "nothing",
    "amnesia": "repeats this turn’s gestures",
    "confusion": "the dice choose one hand’s gesture",
    "maladroitness": "the left hand copies the right hand",
    "charm_person": "the caster chooses one hand’s gesture",
    "charm_monster": "the monster obeys the caster",
    "paralysis": "one hand repeats its gesture",
    "anti_spell": "gestures made so far no longer count",
    "protection_from_evil": "a shield that lasts",
    "resist_heat": "no harm from fire",
    "resist_cold": "no harm from cold",
    "disease": "death in six turns, counting this one",
    "poison": "death in six turns, counting this one",
    "blindness": "sees only their own hands; destroys a monster",
    "invisibility": "nobody sees their hands; destroys a monster",
    "haste": "two sets of gestures, or two attacks",
    "delayed_effect": "keeps the next spell for later",
    "permanency": "makes the next enchantment permanent",
}
# Effects of spells that differ by order of play.
EFFECTS_BY_ORDER_OF_PLAY: Final[Mapping[str, Mapping[str, str]]] = {
    STEPWISE: {
        "magic_mirror": "reflects other wizards’ harmful spells",
        "dispel_magic": "stops all spells, ends all enchantments, destroys all monsters and their "
        "corpses; shields",
        "blindness": "sees only their own hands and cannot hit others; destroys a monster",
        "invisibility": "nobody can see their hands or hit them; destroys a monster",
        "haste": "an extra set of gestures before each turn, or two attacks",
    },
    NUMBERED: {
        "counter_spell": (
            "no other spell works on its subject except Dispel Magic and Finger of Death; it "
            "also shields"
        ),
        "cure_light_wounds": "cures {amount}, to at most one hit point over the maximum",
        "cure_heavy_wounds": "cures {amount} and disease, to at most one hit point over the "
        "maximum",
        "amnesia": "repeats the last gestures",
        "paralysis": "one hand, which the caster chooses when it acts, repeats its gesture",
        "charm_person": "the caster chooses a hand and its gesture when it acts",
        "charm_monster": "the monster obeys the caster, but keeps its victim until told otherwise",
        "remove_enchantment": "ends enchantments except Anti-spell and banks; destroys a monster",
        "disease": "death, unless cured in time",
        "poison": "death, unless cured in time",
        "blindness": "sees only their own hands and misses others; destroys a monster",
        "invisibility": "nobody sees their hands, and others miss them; destroys a monster",
        "haste": "an extra numbered turn after each of three turns, or two attacks",
        "delayed_effect": "keeps a marked hand’s spell and its subject for later",
        "permanency": "makes a marked hand’s enchantment permanent",
    },
}
SUMMONED_MONSTER_TEXT = "{attack} damage a turn; {limit} damage kills it"
ELEMENTAL_TEXT = "{attack} damage a turn to everyone; {limit} damage kills it"
SORT_ORDERS = {"gesture": "by gesture", "name": "by name", "last": "by last gesture"}
ORDINALS = ("", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")
# The order of gestures in the book: the clap first, then the others by letter.
GESTURE_SORT_ORDER = "cdfpsw"


MONSTER_CHOICES: Final = {"elemental": ("fire", "ice")}
"""The kinds of monsters, for spells that summon one of several kinds."""


def _monster_strength_words(kind: MonsterKind) -> str:
    words = ELEMENTAL_TEXT if kind.element else SUMMONED_MONSTER_TEXT
    return words.format(attack=kind.attack, limit=kind.limit)


@dataclass(frozen=True)
class SpellFacts:
    """A spell's row in the book, as text."""

    gestures: str
    class_words: str
    default_words: str
    legal_words: str
    lasts_words: str
    effect: str
    is_enchantment: bool
    nowhere: bool


@dataclass(frozen=True)
class BookEntry:
    """An entry in the book: one sequence of gestures for a spell."""

    spell: Spell
    pattern: str
    gestures: str
    facts: SpellFacts
    once: bool
    passes: str  # other spells that the same gestures complete


def ruleset_family(ruleset: Ruleset) -> str:
    """Return the ruleset's id without its version: "wizards" for `wizards-1` and `wizards-2`."""
    return ruleset.id.rpartition("-")[0]


def spell_facts(spell: Spell, ruleset: Ruleset) -> SpellFacts:
    lasts = DURATION_OF_INSTANT_SPELLS.get(spell.id, "at once")
    if spell.lasts != "instant":
        lasts = LASTS_WORDS[spell.lasts]
    usual = published_spell(spell, ruleset)
    if spell.lasts is usual.lasts:
        lasts = TIMES_BY_ORDER_OF_PLAY.get(ruleset.order_of_play, {}).get(spell.id, lasts)
    takes_nobody = spell.is_area and spell.legal is usual.legal
    return SpellFacts(
        gestures=or_list(map(pattern_text, spell.patterns)),
        class_words=CLASS_WORDS[spell.class_],
        default_words=(
            "nobody" if spell.monster and spell.default == "none" else DEFAULT_WORDS[spell.default]
        ),
        legal_words="" if takes_nobody else LEGAL_WORDS[spell.legal],
        lasts_words=lasts,
        effect=spell_effect(spell, ruleset),
        is_enchantment=spell.is_enchantment,
        nowhere=spell.nowhere,
    )


RULESET_OF_ORDER_OF_PLAY: Final = {STEPWISE: "spellcast-1", NUMBERED: "warlocks-1"}
"""For each order of play, the ruleset that `EFFECTS_BY_ORDER_OF_PLAY` is written for.

For other orders of play, this is Bartle's. If that ruleset lacks a spell, use the first ruleset
that has it.
"""
FIELDS_IN_OTHER_COLUMNS: Final = frozenset(
    {
        "patterns",
        "default",
        "legal",
        "lasts",
        "nowhere",
        "once_by",
        "monster",
        "helps",
        "harms",
    }
)
"""Fields of a spell that the book shows in other columns, or that do not affect play."""
FIELDS_NOT_DESCRIBED: Final = frozenset(
    (
        "works can_be_permanent on_corpses on_dead_wizards aimable reflectable counterable "
        "shieldable removable one_master asks amount"
    ).split()
)
"""Fields whose differences can be appended to the text of the spell's usual effect.

If any other field differs, that text does not apply.
"""


def spell_effect(spell: Spell, ruleset: Ruleset) -> str:
    """Return the effect of a spell, including numbers.

    If the spell differs from the same spell in the published book, append the differences.
    """

    def differences_from(other: Spell) -> dict[str, str]:
        found = row_differences(spell, other).items()
        return {field: words for field, words in found if field not in FIELDS_IN_OTHER_COLUMNS}

    otherwise = differences_from(published_spell(spell, ruleset))
    does = _effect_template(spell, ruleset) if otherwise.keys() <= FIELDS_NOT_DESCRIBED else ""
    if not does:
        silent = Spell(spell.id, spell.name, (), spell.class_, spell.default)
        otherwise = differences_from(silent)
    elif str(spell.amount) in does:
        otherwise.pop("amount", None)
    return "; ".join(filter(None, (does, *otherwise.values())))


def published_spell(spell: Spell, ruleset: Ruleset) -> Spell:
    """Return the published spell that the text of the effect describes, or this spell."""
    first = RULESET_OF_ORDER_OF_PLAY.get(ruleset.order_of_play, "bartle-1")
    published = [RULESETS[first], *RULESETS.values()]
    books = [rules for each in published for rules in (each, *each.variants.values())]
    return next((book.spells[spell.id] for book in books if spell.id in book.spells), spell)


def _effect_template(spell: Spell, ruleset: Ruleset) -> str:
    """Return the text of the spell's effect, or "" if no published book has the spell."""
    if spell.monster:
        kinds = [
            ruleset.monsters[id] for id in MONSTER_CHOICES.get(spell.monster, (spell.monster,))
        ]
        return "; else ".join(dict.fromkeys(map(_monster_strength_words, kinds)))
    if spell.stops_time:
        return "an extra turn" if spell.lasts == "instant" else "an extra action before each turn"
    if spell.hands is HandEffect.FRIGHTENED:
        barred = (letter for letter in LETTERS if letter not in ruleset.under_fear)
        return f"no {or_list(sorted(barred))}"
    own = EFFECTS_BY_ORDER_OF_PLAY.get(ruleset.order_of_play, {})
    return (own.get(spell.id) or EFFECTS.get(spell.id, "")).format(amount=spell.amount)


def book_entries(ruleset: Ruleset, order: str) -> list[BookEntry]:
    """Return the book's entries in one of three orders. rules: F45, F46"""
    rows = [(spell, pattern) for spell in ruleset.spells.values() for pattern in spell.patterns]
    keys = {
        "gesture": lambda row: (_pattern_symbols(row[1]), row[0].name),
        "name": lambda row: (row[0].name, _pattern_symbols(row[1])),
        "last": lambda row: (_pattern_symbols(row[1][::-1]), row[0].name),
    }
    return [
        BookEntry(
            spell,
            pattern,
            pattern_text(pattern),
            spell_facts(spell, ruleset),
            pattern == spell.once_by,
            ", ".join(_spells_on_the_way(pattern, ruleset)),
        )
        for spell, pattern in sorted(rows, key=keys[order])
    ]


def _pattern_symbols(pattern: str) -> list[tuple[int, bool]]:
    return [(GESTURE_SORT_ORDER.index(letter.lower()), letter.islower()) for letter in pattern]


def _spells_on_the_way(pattern: str, ruleset: Ruleset) -> Iterator[str]:
    for place, spells in spells_completed_within(pattern, ruleset):
        names = or_list(ruleset.spells[id].name for id in spells)
        where = f"{ORDINALS[place]} gesture" if place < len(pattern) else "with the last"
        yield f"{names} ({where})"


def spells_completed_within(
    pattern: str, ruleset: Ruleset
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield other spells that these gestures complete, and after how many. rules: R7"""
    for made in range(1, len(pattern) + 1):
        found = [
            other
            for other in ruleset.completables
            if other.pattern != pattern and _ends_with_pattern(pattern[:made], other.pattern)
        ]
        if found:
            found.sort(key=lambda other: cast_sort_key(other.pattern))
            yield made, tuple(other.spell.id for other in found)


def _ends_with_pattern(gestures: str, pattern: str) -> bool:
    tail = gestures[-len(pattern) :]
    return len(tail) == len(pattern) and all(map(step_accepts_symbol, pattern, tail))
