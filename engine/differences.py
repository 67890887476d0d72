"""Differences between two rulesets, as sentences made from the two values.

No sentence is specific to one ruleset. Each describes a field's value, so a page made from these
sentences cannot drift from the rules in play. The sentences for fields of a ruleset are in
`ruleset_in_words`, and those for fields of a spell are here. A separate order of play also has its
own list (`plays_in_words`). Text from RULES.md is never copied but quoted, as in `{W9}`; see
`engine.quoting`. rules: R27: anything not listed is as in the other ruleset.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.gestures import pattern_text
from engine.plays_in_words import PLAYS, Difference
from engine.ruleset_in_words import OVERRULED, SWITCHES
from engine.rulesets import BARTLE_1, Ruleset
from engine.spellbook import (
    MONSTER_KINDS,
    Asks,
    Default,
    Eyes,
    Guard,
    Hands,
    Lasts,
    Legal,
    Spell,
    Takes,
    Unmakes,
    Victims,
    Works,
)
from engine.wording import either, listed


@dataclass(frozen=True, slots=True)
class Column:
    """Wording for the values of one field of `Spell`, to follow the spell's name.

    `rules` names the rule if it is not the spell's own. If the whole book has the value, `of_all`
    gives a sentence that replaces the list of names. If nearly the whole book has it, `but`
    describes the few exceptions.
    """

    says: Callable[[Spell], str]
    rules: Mapping[str, str]
    rule: str = ""
    of_all: Callable[[Spell], str] | None = None
    but: str = ""


FEW: Final = 2  # maximum number of exceptions named instead of all other spells


def said_otherwise(spell: Spell, other: Spell) -> Mapping[str, str]:
    """Return how one row differs from another: by field, the words after the spell’s name."""
    return {
        name: column.says(spell)
        for name, column in COLUMNS.items()
        if name != "name" and getattr(spell, name) != getattr(other, name)
    }


def differences(ruleset: Ruleset, other: Ruleset = BARTLE_1) -> tuple[Difference, ...]:
    """Return how `ruleset` differs, for players who know `other`; empty if they are the same."""
    play = _play(ruleset, other)
    texts = {line.text for line in play}
    told = {(line.spells, line.rule) for line in play}
    book = [line for line in _book(ruleset, other) if (line.spells, line.rule) not in told]
    switches = [line for line in _switches(ruleset, other) if line.text not in texts]
    return (*play, *switches, *book)


def _play(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    return PLAYS[ruleset.order_of_play] if ruleset.order_of_play != other.order_of_play else ()


def _switches(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    return [
        Difference(switch.says(getattr(ruleset, name)), switch.rule)
        for name, switch in SWITCHES.items()
        if getattr(ruleset, name) != getattr(other, name)
        and not getattr(ruleset, OVERRULED.get(name, ""), False)
    ]


def _book(ruleset: Ruleset, other: Ruleset) -> Sequence[Difference]:
    kept = [spell for spell in ruleset.spells.values() if spell.id in other.spells]
    gone = [spell for spell in other.spells.values() if spell.id not in ruleset.spells]
    new = [spell for spell in ruleset.spells.values() if spell.id not in other.spells]
    return [
        *(Difference(f"There is no {spell.name}.", spell.rule, (spell.id,)) for spell in gone),
        *(Difference(_presented(spell), spell.rule, (spell.id,)) for spell in new),
        *(line for name in COLUMNS for line in _column(name, kept, ruleset, other)),
    ]


def _presented(spell: Spell) -> str:
    """Return the sentence for a spell that the other book does not have."""
    words = f"{spell.name} is a new spell, {_ways(spell)}"
    if spell.monster and spell.is_area:
        return f"{words}. What comes of it obeys nobody, whatever subject is written."
    return f"{words}, {DEFAULTS[spell.default]} by default.{BESIDES.get(spell.id, '')}"


def _column(
    name: str, kept: Sequence[Spell], ruleset: Ruleset, other: Ruleset
) -> Sequence[Difference]:
    """Return the differences in one field; spells with the same wording share a sentence."""
    column = COLUMNS[name]
    alike: dict[tuple[str, str], list[Spell]] = {}
    for spell in kept:
        if getattr(spell, name) != getattr(other.spells[spell.id], name):
            rule = column.rules.get(spell.id, column.rule or spell.rule)
            alike.setdefault((column.says(spell), rule), []).append(spell)
    return [
        Difference(
            _sentence(column, says, spells, ruleset, name),
            rule,
            tuple(spell.id for spell in spells),
        )
        for (says, rule), spells in alike.items()
    ]


def _sentence(
    column: Column, says: str, spells: Sequence[Spell], ruleset: Ruleset, name: str
) -> str:
    rest = [spell.name for spell in ruleset.spells.values() if not _has_value(spell, spells, name)]
    if column.of_all is not None and not rest:
        return column.of_all(spells[0])
    if column.but and len(rest) <= FEW:
        return f"Only {listed(rest)} {column.but}."
    return f"{listed([spell.name for spell in spells])} {says}."


def _has_value(spell: Spell, spells: Sequence[Spell], name: str) -> bool:
    """Return whether the spell has the value of these spells, or takes no subject."""
    return spell.is_area or getattr(spell, name) == getattr(spells[0], name)


def _ways(spell: Spell) -> str:
    return "made with " + either(map(pattern_text, spell.patterns))


BESIDES: Final = {"sacrifice": " It does nothing, unless the duel has the house rule on it."}
DEFAULTS: Final = {
    Default.SELF: "for its caster",
    Default.OPPONENT: "at the opponent",
    Default.NONE: "for the whole arena",
}
WORKS: Final = {
    Works.ALL: "can work on every being",
    Works.WIZARDS: "can work on wizards only",
    Works.MONSTERS: "can work on every monster, elementals among them, and on no wizard",
    Works.EARTHLY: "can work on every being but elementals",
    Works.BEASTS: "can work on monsters other than elementals, and on no wizard",
}
LASTS: Final = {
    Lasts.INSTANT: "will be over at once",
    Lasts.NEXT_TURN: "will act on the next turn",
    Lasts.THREE_TURNS: "will act on three turns, from the one after the casting on",
    Lasts.FOUR_TURNS: "will act on four turns, from that of the casting on",
    Lasts.UNTIL_REMOVED: "will last until removed",
    Lasts.SIX_TURNS: "will kill when the fifth turn that follows is over",
    Lasts.THREE_FROM_NOW: "will act on three turns, from that of the casting on",
    Lasts.SEVEN_TURNS: "will kill when the sixth turn that follows is over",
}
TIME_STOP: Final = {
    Lasts.INSTANT: "will give an extra turn at once",
    Lasts.THREE_TURNS: "will give three actions, each before a turn, and no extra turn",
}
LEGAL: Final = {
    Legal.ANY: "can be written at any being",
    Legal.OTHERS: "can be written at any being but its caster",
    Legal.WIZARDS: "can be written at wizards only",
    Legal.OPPONENTS: "can be written at other wizards only, never at its caster or a monster",
}
ELEMENTS: Final = {"fire": "heat", "ice": "cold", "": "neither heat nor cold"}
ASKED: Final = {
    Asks.NOTHING: "will ask no question after the reveal",
    Asks.HAND: "will ask which hand it takes when it works",
    Asks.ELEMENT: "will ask whether it is of fire or ice when it works",
}
HANDS: Final = {
    Hands.HELD: "will hold the hand that its caster names",
    Hands.REPEATED: "will have both hands make again what they made",
    Hands.FRIGHTENED: "will leave the hands the letters of fear alone",
    Hands.COPIED: "will have the left hand make what the right one makes",
    Hands.DRAWN: "will have one hand that is drawn make a letter that is drawn",
    Hands.CHARMED: "will have its caster write for the hand that they name",
    Hands.FREE: "will leave both hands free",
}
VICTIMS: Final = {
    Victims.ORDERED: "will leave a monster to its controller’s orders",
    Victims.LAST: "will have a monster attack again whom it attacked",
    Victims.DRAWN: "will have a monster attack whom a draw gives",
    Victims.NOBODY: "will keep a monster from attacking",
}
GUARDED: Final = {
    Guard.NONE: "will guard nobody",
    Guard.SHIELD: "will shield its subject",
    Guard.COUNTER: "will stop all other spells at its subject and shield it",
    Guard.MIRROR: "will return other spells from its subject to their casters",
}
UNMADE: Final = {
    Unmakes.NOTHING: "will end nothing that is in force",
    Unmakes.ENCHANTMENTS: "will end all that is in force on its subject, and a monster",
    Unmakes.MAGIC: "will stop all other spells, and end all that is in force and all monsters",
}
EYES: Final = {
    Eyes.CLEAR: "will leave everybody’s sight as it is",
    Eyes.BLIND: "will keep its subject from seeing anybody else",
    Eyes.HIDDEN: "will keep everybody else from seeing its subject",
}
TAKEN: Final = {
    Takes.NONE: "will take no other spell",
    Takes.BANKS: "will keep another spell of its subject’s for later",
    Takes.EXTENDS: "will make another spell of its subject’s last for ever",
}


def _either(name: str, yes: str, no: str) -> Callable[[Spell], str]:
    return lambda spell: yes if getattr(spell, name) else no


# By field of `Spell`, in the order in which a page lists them.
COLUMNS: Final[Mapping[str, Column]] = {
    "name": Column(lambda spell: f"is what {BARTLE_1.spells[spell.id].name} is called here", {}),
    "patterns": Column(
        lambda spell: f"is {_ways(spell)}",
        {"blindness": "R23", "time_stop": "R25"},
    ),
    "default": Column(
        lambda spell: f"will be cast {DEFAULTS[spell.default]} where nobody is named",
        {"remove_enchantment": "R11", "charm_monster": "R12"},
        rule="R10",
    ),
    "works": Column(lambda spell: WORKS[spell.works], {}, rule="R70"),
    "lasts": Column(
        lambda spell: TIME_STOP[spell.lasts] if spell.stops_time else LASTS[spell.lasts],
        {"delayed_effect": "R102", "permanency": "R102", "time_stop": "R99"},
    ),
    "amount": Column(lambda spell: f"will do or cure {spell.amount} points", {}),
    "monster": Column(lambda spell: f"will make a monster of the kind {spell.monster}", {}),
    "can_be_permanent": Column(
        _either("can_be_permanent", "can be made permanent", "can never be made permanent"),
        {},
        rule="R107",
    ),
    "on_corpses": Column(
        _either("on_corpses", "can be written at a corpse", "cannot be written at a corpse"),
        {},
        rule="R150",
        but="can be written at a corpse",
    ),
    "on_dead_wizards": Column(
        _either(
            "on_dead_wizards",
            "can bring back a dead wizard",
            "cannot be written at a dead wizard",
        ),
        {},
        rule="R54",
    ),
    "nowhere": Column(
        _either("nowhere", "can be shot at nowhere", "cannot be shot at nowhere"),
        {},
        rule="R8",
        of_all=lambda spell: (
            "Every spell can be shot at nowhere."
            if spell.nowhere
            else "No spell can be shot at nowhere: what is completed goes at somebody."
        ),
    ),
    "aimable": Column(
        _either(
            "aimable",
            "can be written at a subject, and will come whatever it is",
            "will take no subject if the whole arena is meant",
        ),
        {},
        rule="W3",
    ),
    "once_by": Column(
        lambda spell: (
            f"can be cast once in a battle with {pattern_text(spell.once_by)}"
            if spell.once_by
            else "can be cast any number of times with any of its gestures"
        ),
        {},
        rule="R18",
    ),
    "legal": Column(lambda spell: LEGAL[spell.legal], {"anti_spell": "R93"}, rule="R61"),
    "reflectable": Column(
        _either("reflectable", "will be sent back by a Magic Mirror", "will pass a Magic Mirror"),
        {},
        rule="R40",
    ),
    "counterable": Column(
        _either("counterable", "will be stopped by a Counter-spell", "will pass a Counter-spell"),
        {"raise_dead": "R207"},
        rule="R37",
    ),
    "shieldable": Column(
        _either("shieldable", "will be stopped by a shield", "will pass a shield"),
        {},
        rule="turn:shield",
    ),
    "element": Column(
        lambda spell: f"will be harm by {ELEMENTS[spell.element]}, which a resistance stops",
        {},
        rule="turn:heat_and_cold",
    ),
    "resists": Column(
        lambda spell: f"will save its subject from {ELEMENTS[spell.resists]}",
        {},
        rule="turn:heat_and_cold",
    ),
    "destroys": Column(
        lambda spell: (
            f"will destroy {listed([MONSTER_KINDS[kind].name for kind in spell.destroys])}"
            " before it attacks"
            if spell.destroys
            else "will destroy no monster before it attacks"
        ),
        {},
        rule="turn:heat_and_cold",
    ),
    "heals": Column(
        lambda spell: (
            f"will end {listed([BARTLE_1.spells[id].name for id in spell.heals])}"
            if spell.heals
            else "will end no illness"
        ),
        {},
        rule="R90",
    ),
    "removable": Column(
        _either(
            "removable",
            "will be ended by a Remove Enchantment of its turn",
            "will stand against a Remove Enchantment of its turn",
        ),
        {},
        rule="W30",
    ),
    "helps": Column(_either("helps", "will be taken for help", "will not be taken for help"), {}),
    "harms": Column(_either("harms", "will be taken for harm", "will not be taken for harm"), {}),
    "slays": Column(_either("slays", "will kill outright", "will kill nobody outright"), {}),
    "raises": Column(_either("raises", "will raise the dead", "will raise nobody"), {}, rule="R54"),
    "one_master": Column(
        _either(
            "one_master",
            "will be void where two masters’ meet",
            "will not be void where two masters’ meet",
        ),
        {},
        rule="R76",
    ),
    "asks": Column(lambda spell: ASKED[spell.asks], {}, rule="turn:answers"),
    "hands": Column(lambda spell: HANDS[spell.hands], {}, rule="R79"),
    "guard": Column(lambda spell: GUARDED[spell.guard], {}),
    "unmakes": Column(lambda spell: UNMADE[spell.unmakes], {}),
    "eyes": Column(lambda spell: EYES[spell.eyes], {}),
    "hastens": Column(_either("hastens", "will hasten its subject", "will hasten nobody"), {}),
    "takes": Column(lambda spell: TAKEN[spell.takes], {}),
    "breaks": Column(_either("breaks", "will break sequences", "will break no sequence"), {}),
    "stops_time": Column(
        _either("stops_time", "will have its subject act once more", "will stop no time"), {}
    ),
    "victims": Column(lambda spell: VICTIMS[spell.victims], {}, rule="W15"),
}

SETTLED: Final = frozenset({"class_", "mind", "takes_over", "gives_up"})
"""The fields of a row that are the same in every book, because the spell's phase decides them."""
