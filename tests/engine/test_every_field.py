"""Every field of every row of the book is changed under every order of play: what is played, or
what the order sheet offers, changes with it, or the ruleset refuses the row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, Final

import pytest

import engine
from engine.rulesets import BARTLE_1, RULESETS, SPELLCAST_1, WARLOCKS_1, Ruleset
from engine.rulesets.ruleset import Completable
from engine.spellbook import Asks, Class, Default, Lasts, Legal, Spell, Works
from tests.engine.board import ADA, BRAM, CLEO, Row, begun, duel, made

TRIAL: Final = "every-1"
PLAYED: Final[Mapping[str, Ruleset]] = {
    "sealed": BARTLE_1,
    "stepwise": SPELLCAST_1,
    "numbered": WARLOCKS_1,
}
TURNS: Final = 7  # so long an illness takes
DICE: Final = {"sequence": [0] * 99}

OTHERWISE: Final[Mapping[str, Any]] = {
    "works": {Works.WIZARDS: Works.MONSTERS, None: Works.WIZARDS},
    "default": {Default.SELF: Default.OPPONENT, None: Default.SELF},
    "lasts": {Lasts.THREE_TURNS: Lasts.FOUR_TURNS, None: Lasts.THREE_TURNS},
    "legal": {Legal.WIZARDS: Legal.ANY, None: Legal.WIZARDS},
    "element": {"fire": "ice", None: "fire"},
    "resists": {"fire": "ice", None: "fire"},
    "destroys": {(): ("ogre", "fire", "ice"), None: ()},
    "heals": {(): ("disease", "poison"), None: ()},
    "asks": {Asks.NOTHING: Asks.HAND, None: Asks.NOTHING},
    "class_": {Class.ENCHANTMENT: Class.DAMAGING, None: Class.ENCHANTMENT},
    "monster": {"goblin": "ogre", None: "goblin"},
}
"""Another value for each; under None for all that are not named."""

NOT_PLAYED: Final = (
    "id", "name", "is_area", "is_enchantment", "is_illness", "work", "patterns", "once_by",
)  # fmt: skip
"""What is read, what follows from others, and what `make` builds the automaton of."""


def another(field: str, spell: Spell) -> object:
    """Another value of the field."""
    value = getattr(spell, field)
    if field in OTHERWISE:
        offered = OTHERWISE[field]
        return offered[value] if value in offered else offered[None]
    return not value if isinstance(value, bool) else value + 1


def with_row(ruleset: Ruleset, row: Spell) -> Ruleset:
    """The ruleset with this row in place of the one of its id. Raises ValueError."""

    def new(end: Completable) -> Completable:
        return replace(end, spell=row) if end.spell.id == row.id else end

    return replace(
        ruleset,
        id=TRIAL,
        spells={**ruleset.spells, row.id: row},
        completables=tuple(map(new, ruleset.completables)),
        ends=tuple(tuple(map(new, ends)) for ends in ruleset.ends),
    )


FIRE: Final[Row] = {"kind": "fire", "controller": BRAM}
ICE: Final[Row] = {"kind": "ice", "controller": BRAM}
ILL: Final[Row] = {"effects": {"disease": {"turns": 4}, "poison": {"turns": 5}}}
WARM: Final[Row] = {"effects": {"resist_cold": {}}}
COOL: Final[Row] = {"effects": {"resist_heat": {}}}
HURT: Final[Row] = {"damage": 6}


def hands(pattern: str) -> tuple[Row, str]:
    """Hands that have made all of a pattern but its last gesture, and that gesture as a set."""
    right = "".join(step.upper() if step.islower() else "-" for step in pattern)
    left = pattern.upper()
    return begun(left[:-1], right[:-1]), f"{left[-1]} {right[-1]}"


def scenes(spell: Spell) -> Iterator[tuple[engine.Position, dict[str, dict[str, str]]]]:
    """Positions in which Ada completes the spell, and what all write."""
    before, pair = hands(spell.patterns[0])
    side = "both" if spell.patterns[0][-1].islower() else "left"
    guards: list[tuple[Row, dict[str, str], str]] = [
        ({}, {}, ""),
        ({}, made("P -"), "left"),
        (begun("WP"), made("P -", left_spell="counter_spell"), "left"),
        (begun("C", "C"), made("W W"), "both"),
        (begun("CDP", "C--"), made("W -"), "left"),
        (begun("PDW"), made("P -"), "left"),
        (begun("DWWFW", "-----"), made("C C"), "both"),
        (begun("SW"), made("D -"), "left"),
        (before, made(pair), side),
    ]
    monsters: list[Row] = [
        {"kind": "ogre", "controller": BRAM, "damage": 1},
        {"kind": "ogre", "state": "corpse"},
    ]
    ada = {**before, **HURT}
    named = (BRAM, "", ADA, "m0", "m2", "m1", CLEO, "nowhere", "R:w0")
    for subject in named:
        orders = made(pair, **({f"{side}_subject": subject} if subject else {}))
        for extra in (FIRE, ICE):
            for more in (HURT, ILL, WARM, COOL):
                cleo: Row = {"state": "dead"} if subject == CLEO else {}
                position = duel(ada, more, cleo, monsters=[*monsters, extra], ruleset=TRIAL)
                yield position, {ADA: orders}
            if subject not in (BRAM, "m2") and not spell.is_area:
                break
    for subject in (BRAM, "m2", "m0"):
        aim = {} if spell.is_area and subject != BRAM else {f"{side}_subject": subject}
        orders = made(pair, **aim)
        for row, written, hand in guards:
            theirs = {**written, f"{hand}_subject": subject} if hand else dict(written)
            for third in (False, True):
                cleo = ada if third else {}
                elemental = ICE if spell.element == "ice" else FIRE
                position = duel(
                    ada, {**row, **HURT}, cleo, monsters=[*monsters, elemental], ruleset=TRIAL
                )
                yield position, {ADA: orders, BRAM: theirs, **({CLEO: orders} if third else {})}
    for effects in ({"permanency": {"turns": 2}}, {"delayed_effect": {"turns": 2}}):
        position = duel({**before, "effects": effects}, HURT, {}, monsters=monsters, ruleset=TRIAL)
        yield position, {ADA: made(pair, **{f"{side}_subject": BRAM})}
    if not spell.is_area:
        position = duel(
            before, {}, {}, monsters=[{"kind": "ogre", "controller": BRAM}], ruleset=TRIAL
        )
        yield position, {ADA: made(pair, **{f"{side}_subject": "m0"}), BRAM: {"victim:m0": CLEO}}
    if RULESETS[TRIAL].bank_keeps_subject:
        banked: Row = {"bank": spell.id, "bank_subject": BRAM}
        release = {"release": "yes"}
    else:
        banked = {"bank": spell.id}
        release = {"release": "yes", "release_subject": BRAM}
    position = duel(banked, begun("WP"), {}, monsters=monsters, ruleset=TRIAL)
    yield position, {ADA: release, BRAM: guards[2][1]}


def told(position: engine.Position, flats: Mapping[str, Mapping[str, str]]) -> Iterator[object]:
    """What the order sheet offers, what is refused, what is asked, and all that happens."""
    orders = {}
    for wizard, flat in flats.items():
        orders[wizard] = engine.from_fields(flat)
        sheet = engine.sheet(position, wizard, orders[wizard])
        yield [sheet.subjects, sheet.captures, sheet.advance, sheet.monsters]
        faults = engine.check(position, wizard, orders[wizard])
        yield [fault.code for fault in faults]
        if faults:
            return
    dice = engine.RecordedDice(**DICE)  # type: ignore[arg-type]
    yield engine.questions(position, orders, {}, dice)
    for _ in range(TURNS):
        position, events = engine.resolve(position, orders, {}, dice)
        yield [repr(event) for event in events]
        if position.outcome:
            return
        orders = {}


@cache
def usual(play: str, id: str) -> list[list[str]]:
    """What is told of the row as it is published."""
    return list(outcomes(PLAYED[play], PLAYED[play].spells[id]))


def outcomes(ruleset: Ruleset, row: Spell) -> Iterator[list[str]]:
    published = dict(RULESETS)
    table: Any = RULESETS
    table[TRIAL] = with_row(ruleset, row)
    try:
        for position, flats in scenes(ruleset.spells[row.id]):
            yield [repr(part) for part in told(position, flats)]
    finally:
        table.clear()
        table.update(published)


def decides(play: str, id: str, field: str) -> bool:
    """Whether another value of the field is refused, or changes anything."""
    spell = PLAYED[play].spells[id]
    change: dict[str, Any] = {field: another(field, spell)}
    row = replace(spell, **change)
    try:
        with_row(PLAYED[play], row)
    except ValueError:
        return True
    pairs = zip(usual(play, id), outcomes(PLAYED[play], row), strict=False)
    return any(before != after for before, after in pairs)


TRIED: Final = [field.name for field in fields(Spell) if field.name not in NOT_PLAYED]


@pytest.mark.parametrize("field", TRIED)
@pytest.mark.parametrize("play", PLAYED)
def test_every_field_of_every_row_decides(play: str, field: str) -> None:
    assert [id for id in PLAYED[play].spells if not decides(play, id, field)] == []
