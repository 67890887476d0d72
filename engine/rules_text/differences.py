"""Differences between two rulesets, as sentences made from their values.

No sentence is specific to one ruleset. Each describes the value of a field, so a page made from
these sentences always matches the rules that are played. The sentences for fields of a ruleset are
in `ruleset_text`, and those for fields of a spell are here. Each order of play that differs from
Bartle's also has a list of its own (`play_text`). Text from RULES.md is never copied but quoted, as
in `{W9}`; see `engine.rules_text.quoting`. rules: R27: anything not listed is as in the other
ruleset.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.gestures import pattern_text
from engine.rules_text.play_text import DIFFERENCES_OF_PLAY, Difference
from engine.rules_text.ruleset_text import FIELDS_WITHOUT_EFFECT, SWITCHES
from engine.rules_text.wording import and_list, or_list
from engine.rulesets import BARTLE_1
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import (
    MONSTER_KINDS,
    AffectedBeings,
    CaptureEffect,
    CasterDecision,
    DefaultSubject,
    Duration,
    Guard,
    HandEffect,
    LegalSubjects,
    RemovalEffect,
    SightEffect,
    Spell,
    VictimEffect,
)


@dataclass(frozen=True, slots=True)
class FieldWording:
    """Wording for the values of one field of `Spell`, to follow the spell's name.

    `phrases` has the words for each value, or makes them from the spell. `rule` names the rule if
    it is not the spell's own, and `rules` those of some spells. If every spell
    in the book has the value, the sentence `of_all` replaces the list of names. If nearly every
    spell has it, `but` describes the exceptions.
    """

    phrases: Mapping[Any, str] | Callable[[Spell], str]
    rule: str = ""
    rules: Mapping[str, str] = field(default_factory=dict[str, str])
    of_all: Mapping[Any, str] = field(default_factory=dict[Any, str])
    but: str = ""


MAX_LISTED_SPELLS: Final = 2  # maximum number of exceptions named instead of all other spells


def row_differences(spell: Spell, other: Spell) -> Mapping[str, str]:
    """Return the fields in which two rows differ, each with the words after the spell’s name."""
    return {
        name: _phrase(name, spell)
        for name in FIELD_WORDINGS
        if name != "name" and getattr(spell, name) != getattr(other, name)
    }


def _phrase(name: str, spell: Spell) -> str:
    """Return the words for the spell's value of this field."""
    phrases = FIELD_WORDINGS[name].phrases
    if isinstance(phrases, Mapping):
        return phrases[getattr(spell, name)]  # pyright: ignore[reportUnknownVariableType]
    return phrases(spell)


def differences(ruleset: Ruleset, other: Ruleset = BARTLE_1) -> tuple[Difference, ...]:
    """Return the differences of `ruleset` from `other`, for players who know `other`."""
    play = (
        DIFFERENCES_OF_PLAY[ruleset.order_of_play]
        if ruleset.order_of_play != other.order_of_play
        else ()
    )
    texts = {line.text for line in play}
    told = {(line.spells, line.rule) for line in play}
    book = [
        line
        for line in _spellbook_differences(ruleset, other)
        if (line.spells, line.rule) not in told
    ]
    switches = [line for line in _switch_differences(ruleset, other) if line.text not in texts]
    return (*play, *switches, *book)


def _switch_differences(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    return [
        Difference(switch.sentence_for(getattr(ruleset, name)), switch.rule)
        for name, switch in SWITCHES.items()
        if getattr(ruleset, name) != getattr(other, name)
        and not getattr(ruleset, FIELDS_WITHOUT_EFFECT.get(name, ""), False)
    ]


def _spellbook_differences(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    kept = [spell for spell in ruleset.spells.values() if spell.id in other.spells]
    gone = [spell for spell in other.spells.values() if spell.id not in ruleset.spells]
    new = [spell for spell in ruleset.spells.values() if spell.id not in other.spells]
    return [
        *(Difference(f"There is no {spell.name}.", spell.rule, (spell.id,)) for spell in gone),
        *(Difference(_new_spell_sentence(spell), spell.rule, (spell.id,)) for spell in new),
        *(
            line
            for name in FIELD_WORDINGS
            for line in _field_differences(name, kept, ruleset, other)
        ),
    ]


def _new_spell_sentence(spell: Spell) -> str:
    """Return the sentence about a spell that the other ruleset's book does not have."""
    words = f"{spell.name} is a new spell, {_gestures_phrase(spell)}"
    if spell.monster and spell.is_area:
        return f"{words}. Its monster obeys no one, whatever subject is written."
    added = ADDED_SENTENCES.get(spell.id, "")
    return f"{words} and cast {DEFAULT_SUBJECT_PHRASES[spell.default]} by default.{added}"


def _field_differences(
    name: str, kept: Sequence[Spell], ruleset: Ruleset, other: Ruleset
) -> Sequence[Difference]:
    """Return the differences in one field; spells with the same wording share a sentence."""
    column = FIELD_WORDINGS[name]
    alike: dict[tuple[str, str], list[Spell]] = {}
    for spell in kept:
        if getattr(spell, name) != getattr(other.spells[spell.id], name):
            rule = column.rules.get(spell.id, column.rule or spell.rule)
            alike.setdefault((_phrase(name, spell), rule), []).append(spell)
    return [
        Difference(
            _difference_sentence(column, phrase, spells, ruleset, name),
            rule,
            tuple(spell.id for spell in spells),
        )
        for (phrase, rule), spells in alike.items()
    ]


def _difference_sentence(
    column: FieldWording, phrase: str, spells: Sequence[Spell], ruleset: Ruleset, name: str
) -> str:
    value = getattr(spells[0], name)
    others = (spell for spell in ruleset.spells.values() if not spell.is_area)
    rest = [spell.name for spell in others if getattr(spell, name) != value]
    if column.of_all and not rest:
        return column.of_all[value]
    if column.but and len(rest) <= MAX_LISTED_SPELLS:
        return f"Only {and_list(rest)} {column.but}."
    return f"{and_list([spell.name for spell in spells])} {phrase}."


def _gestures_phrase(spell: Spell) -> str:
    return "made with " + or_list(map(pattern_text, spell.patterns))


ADDED_SENTENCES: Final = {
    "sacrifice": " It does nothing unless the duel uses the house rule for it."
}
DEFAULT_SUBJECT_PHRASES: Final = {
    DefaultSubject.SELF: "on its caster",
    DefaultSubject.OPPONENT: "at the opponent",
    DefaultSubject.NONE: "on the whole arena",
}
WORKS_PHRASES: Final = {
    AffectedBeings.ALL: "can work on every being",
    AffectedBeings.WIZARDS: "can work on wizards only",
    AffectedBeings.MONSTERS: "can work on every monster, including elementals, but not on wizards",
    AffectedBeings.EARTHLY: "can work on every being except elementals",
    AffectedBeings.BEASTS: "can work on monsters other than elementals, but not on wizards",
}
DURATION_PHRASES: Final = {
    Duration.INSTANT: "will take effect once and not last",
    Duration.NEXT_TURN: "will act on the next turn",
    Duration.THREE_TURNS: "will act on three turns, starting with the turn after the casting",
    Duration.FOUR_TURNS: "will act on four turns, starting with the turn of casting",
    Duration.UNTIL_REMOVED: "will last until removed",
    Duration.SIX_TURNS: "will kill when the fifth turn after its casting ends",
    Duration.THREE_FROM_NOW: "will act on three turns, starting with the turn of casting",
    Duration.SEVEN_TURNS: "will kill when the sixth turn after its casting ends",
}
TIME_STOP_PHRASES: Final = {
    Duration.INSTANT: "will give an extra turn at once",
    Duration.THREE_TURNS: "will give three extra actions before later turns, but no extra turn",
}
SUBJECT_PHRASES: Final = {
    LegalSubjects.ANY: "can be aimed at any being",
    LegalSubjects.OTHERS: "can be aimed at any being except its caster",
    LegalSubjects.WIZARDS: "can only be aimed at wizards",
    LegalSubjects.OPPONENTS: "can only be aimed at other wizards, never at its caster or a monster",
}
ELEMENT_PHRASES: Final = {"fire": "heat", "ice": "cold", "": "neither heat nor cold"}
QUESTION_PHRASES: Final = {
    CasterDecision.NOTHING: "will not ask a question after the reveal",
    CasterDecision.HAND: "will ask which hand it affects when it works",
    CasterDecision.ELEMENT: "will ask whether it is fire or ice when it works",
}
HAND_PHRASES: Final = {
    HandEffect.HELD: "will hold the hand that its caster names",
    HandEffect.REPEATED: "will make both hands repeat their gestures",
    HandEffect.FRIGHTENED: "will limit both hands to the letters that fear allows",
    HandEffect.COPIED: "will make the left hand copy the right one",
    HandEffect.DRAWN: "will make one random hand show a random gesture",
    HandEffect.CHARMED: "will let its caster choose the gesture of the hand that they name",
    HandEffect.FREE: "will leave both hands free",
}
VICTIM_PHRASES: Final = {
    VictimEffect.ORDERED: "will leave a monster to its controller’s orders",
    VictimEffect.LAST: "will make a monster attack its last victim again",
    VictimEffect.DRAWN: "will make a monster attack a random victim",
    VictimEffect.NOBODY: "will keep a monster from attacking",
}
GUARD_PHRASES: Final = {
    Guard.NONE: "will not guard anyone",
    Guard.SHIELD: "will shield its subject",
    Guard.COUNTER: "will stop all other spells on its subject and shield it",
    Guard.MIRROR: "will return other spells from its subject to their casters",
}
REMOVAL_PHRASES: Final = {
    RemovalEffect.NOTHING: "will not end any effects",
    RemovalEffect.ENCHANTMENTS: "will end all effects on its subject and destroy a monster",
    RemovalEffect.MAGIC: "will stop all other spells, end all effects and destroy all monsters",
}
SIGHT_PHRASES: Final = {
    SightEffect.CLEAR: "will not affect anyone’s sight",
    SightEffect.BLIND: "will keep its subject from seeing anyone else",
    SightEffect.HIDDEN: "will hide its subject from everyone else",
}
CAPTURE_PHRASES: Final = {
    CaptureEffect.NONE: "will not bank another spell or make it permanent",
    CaptureEffect.BANKS: "will bank another spell of its subject for later",
    CaptureEffect.EXTENDS: "will make another spell of its subject permanent",
}


# By field of `Spell`, in the order in which a page lists them.
FIELD_WORDINGS: Final[Mapping[str, FieldWording]] = {
    "name": FieldWording(lambda spell: f"is the name of {BARTLE_1.spells[spell.id].name} here"),
    "patterns": FieldWording(
        lambda spell: f"is {_gestures_phrase(spell)}",
        rules={"blindness": "R23", "time_stop": "R25"},
    ),
    "default": FieldWording(
        lambda spell: (
            f"will be cast {DEFAULT_SUBJECT_PHRASES[spell.default]} if no target is named"
        ),
        "R10",
        {"remove_enchantment": "R11", "charm_monster": "R12"},
    ),
    "works": FieldWording(WORKS_PHRASES, "R70"),
    "lasts": FieldWording(
        lambda spell: (
            TIME_STOP_PHRASES[spell.lasts] if spell.stops_time else DURATION_PHRASES[spell.lasts]
        ),
        rules={"delayed_effect": "R102", "permanency": "R102", "time_stop": "R99"},
    ),
    "amount": FieldWording(lambda spell: f"will deal or cure {spell.amount} points of damage"),
    "monster": FieldWording(lambda spell: f"will make a monster of the kind {spell.monster}"),
    "can_be_permanent": FieldWording(
        {True: "can be made permanent", False: "can never be made permanent"}, "R107"
    ),
    "on_corpses": FieldWording(
        {True: "can be aimed at a corpse", False: "cannot be aimed at a corpse"},
        "R150",
        but="can be aimed at a corpse",
    ),
    "on_dead_wizards": FieldWording(
        {True: "can bring back a dead wizard", False: "cannot be aimed at a dead wizard"}, "R54"
    ),
    "nowhere": FieldWording(
        {True: "can be cast without a target", False: "must have a target"},
        "R8",
        of_all={True: "No spell needs a target.", False: "Every spell must have a target."},
    ),
    "aimable": FieldWording(
        {
            True: "can be given a subject, but will work whatever the subject is",
            False: "will not take a subject if it affects the whole arena",
        },
        "W3",
    ),
    "once_by": FieldWording(
        lambda spell: (
            f"can be cast once in a battle with {pattern_text(spell.once_by)}"
            if spell.once_by
            else "can be cast any number of times with any of its gestures"
        ),
        "R18",
    ),
    "legal": FieldWording(SUBJECT_PHRASES, "R61", {"anti_spell": "R93"}),
    "reflectable": FieldWording(
        {True: "will be sent back by a Magic Mirror", False: "will get past a Magic Mirror"}, "R40"
    ),
    "counterable": FieldWording(
        {True: "will be stopped by a Counter-spell", False: "will get past a Counter-spell"},
        "R37",
        {"raise_dead": "R207"},
    ),
    "shieldable": FieldWording(
        {True: "will be stopped by a shield", False: "will get past a shield"}, "turn:shield"
    ),
    "element": FieldWording(
        lambda spell: (
            f"will deal damage by {ELEMENT_PHRASES[spell.element]}, which a resistance stops"
        ),
        "turn:heat_and_cold",
    ),
    "resists": FieldWording(
        lambda spell: f"will protect its subject from {ELEMENT_PHRASES[spell.resists]}",
        "turn:heat_and_cold",
    ),
    "destroys": FieldWording(
        lambda spell: (
            f"will destroy {and_list([MONSTER_KINDS[kind].name for kind in spell.destroys])}"
            " before it attacks"
            if spell.destroys
            else "will not destroy any monster before it attacks"
        ),
        "turn:heat_and_cold",
    ),
    "heals": FieldWording(
        lambda spell: (
            f"will end {and_list([BARTLE_1.spells[id].name for id in spell.heals])}"
            if spell.heals
            else "will not end illness"
        ),
        "R90",
    ),
    "removable": FieldWording(
        {
            True: "will be ended by a Remove Enchantment of the same turn",
            False: "will not be ended by a Remove Enchantment of the same turn",
        },
        "W30",
    ),
    "helps": FieldWording({True: "will count as helpful", False: "will not count as helpful"}),
    "harms": FieldWording({True: "will count as harmful", False: "will not count as harmful"}),
    "slays": FieldWording({True: "will kill outright", False: "will not kill outright"}),
    "raises": FieldWording({True: "will raise the dead", False: "will not raise the dead"}, "R54"),
    "one_master": FieldWording(
        {
            True: "will be void if two casters use it on one being",
            False: "will not be void if two casters use it on one being",
        },
        "R76",
    ),
    "asks": FieldWording(QUESTION_PHRASES, "turn:answers"),
    "hands": FieldWording(HAND_PHRASES, "R79"),
    "guard": FieldWording(GUARD_PHRASES),
    "unmakes": FieldWording(REMOVAL_PHRASES),
    "eyes": FieldWording(SIGHT_PHRASES),
    "hastens": FieldWording(
        {True: "will hasten its subject", False: "will not hasten its subject"}
    ),
    "takes": FieldWording(CAPTURE_PHRASES),
    "breaks": FieldWording({True: "will break sequences", False: "will not break sequences"}),
    "stops_time": FieldWording(
        {True: "will let its subject act once more", False: "will not stop time"}
    ),
    "victims": FieldWording(VICTIM_PHRASES, "W15"),
}
