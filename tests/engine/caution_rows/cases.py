"""Rows of cautions, each with a case that deserves the caution and one that does not."""

from collections.abc import Callable
from dataclasses import dataclass

import engine
import engine.orders
import engine.play
from engine.positions.position import HASTE, Position
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    NUMBERED_RULESETS,
    begun,
    duel,
    made,
)

UNNUMBERED_RULESETS = tuple(id for id in ALL_RULESETS if id not in NUMBERED_RULESETS)
RULESETS_REQUIRING_TARGETS = ("wizards-1",)  # rulesets in which every spell must have a target
ONE_TURN: dict[str, object] = {"turns": 1}
THREE_TURNS: dict[str, object] = {"turns": 3}

Setup = Callable[[str], Position]
Case = tuple[Setup, dict[str, str]]


def at(*wizards: object, **more: object) -> Setup:
    """Return a setup of this position under any given ruleset."""
    return lambda ruleset: duel(*wizards, ruleset=ruleset, **more)  # type: ignore[arg-type]


def adas(kind: str = "goblin", **more: object) -> dict[str, object]:
    """Return a monster that Ada controls."""
    return {"kind": kind, "controller": ADA, **more}


def brams(kind: str = "goblin", **more: object) -> dict[str, object]:
    """Return a monster that Bram controls."""
    return {"kind": kind, "controller": BRAM, **more}


def orders(pair: str, **more: str) -> dict[str, str]:
    """Return orders as fields, in whose names two underscores stand for a colon."""
    return made(pair, **{name.replace("__", ":"): value for name, value in more.items()})


CORPSE = {"kind": "ogre", "state": "corpse"}
MISSILE = begun("S")
COUNTER_AND_MISSILE = at(begun("WP", "-S"))
DISPEL_AND_MISSILE = at(begun("CDP", "C-S"))
REMOVE_AND_PARALYSIS = at(begun("PDW", "-FF"))
FEAR_AND_CONFUSION = at(begun("SW", "DS"))
STORM = at(begun("SWW"))
RELEASE_AT_BRAM = {"release": "yes", "release_subject": BRAM}
RELEASE = {"release": "yes"}  # with the subject of the banked spell
WARLOCKS = ("warlocks-1",)


def banked(spell: str, subject: str) -> dict[str, str]:
    return {"bank": spell, "bank_subject": subject}


def hasted_turn(position: Position) -> Position:
    position.kind = HASTE
    return position


def with_damage(position: Position, damage: int) -> Position:
    """Set Ada's damage, which is negative if she is above the starting health."""
    position.wizard(ADA).damage = damage
    return position


@dataclass(frozen=True)
class Row:
    """A caution's code and field, a case in which it must appear, and one in which it must not."""

    code: str
    field: str
    deserving: Case
    undeserving: Case
    rulesets: tuple[str, ...] = ALL_RULESETS


PARALYSIS: dict[str, object] = {**ONE_TURN, "hand": "L", "letter": "-"}


def cautions_of_case(case: Case, ruleset: str) -> list[engine.play.Caution]:
    """Return the cautions for these orders, which must be legal."""
    setup, flat = case
    position, written = setup(ruleset), engine.orders.from_fields(case[1])
    assert engine.play.check(position, ADA, written) == (), flat
    return list(engine.play.cautions(position, ADA, written))


def caution_codes(position: Position, pair: str, **more: str) -> list[str]:
    written = engine.orders.from_fields(orders(pair, **more))
    assert engine.play.check(position, ADA, written) == ()
    return [caution.code for caution in engine.play.cautions(position, ADA, written)]
