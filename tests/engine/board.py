"""Helpers for short tests of duels. The wizards are Ada (w0), Bram (w1) and Cleo (w2).

position = duel(begun("S", "-"))            Ada's left hand has made S, Bram nothing
after, events = play_turn(position, ada=made("D -", left_subject="w1"))
"""

from collections.abc import Mapping, Sequence

import engine.orders
import engine.play
from engine.positions.position import Position

ADA, BRAM, CLEO = "w0", "w1", "w2"
NAMES = (("Ada", "she"), ("Bram", "he"), ("Cleo", "they"), ("Dorn", "it"))

Row = Mapping[str, object]
Flat = Mapping[str, str]


def _rulesets_with_order(order_of_play: str) -> tuple[str, ...]:
    return tuple(
        id for id, rules in engine.play.RULESETS.items() if rules.order_of_play == order_of_play
    )


ALL_RULESETS = tuple(engine.play.RULESETS)
SEALED_RULESETS = _rulesets_with_order(engine.play.SEALED)
STEPWISE_RULESETS = _rulesets_with_order(engine.play.STEPWISE)
NUMBERED_RULESETS = _rulesets_with_order(engine.play.NUMBERED)
"""The published rulesets by order of play: see `engine.rulesets.choices`."""


def duel(
    *wizards: Row,
    monsters: Sequence[Row] = (),
    options: Sequence[str] = (),
    turn: int = 1,
    seats: int = 2,
    ruleset: str = "bartle-1",
) -> Position:
    """Return a position with these wizards in order of seats.

    Fill the remaining seats with wizards who have no damage and no gestures.
    """
    seated = [engine.play.Duellist(*name) for name in NAMES[: max(seats, len(wizards))]]
    setup: Row = {"turn": turn, "wizards": list(wizards), "monsters": list(monsters)}
    return engine.play.begin(ruleset, seated, setup=setup, options=options)


def begun(left: str, right: str = "", **more: object) -> Row:
    """Return a wizard who has made these gestures. Pad the shorter history at its start."""
    length = max(len(left), len(right))
    return {"left": left.rjust(length, "-"), "right": right.rjust(length, "-"), **more}


def under_effects(**effects: Row) -> Row:
    """Return a wizard under these effects, each with the arguments of `begin`."""
    return {"effects": effects}


def made(pair: str, **more: str) -> dict[str, str]:
    """Return orders as fields. "W P" is a W with the left hand and a P with the right hand."""
    left, right = pair.split()
    return {"left": left, "right": right, **more}


def play_turn(
    position: Position,
    *,
    ada: Flat | None = None,
    bram: Flat | None = None,
    cleo: Flat | None = None,
    answers: Flat | None = None,
    dice: engine.play.AnyDice | None = None,
) -> tuple[Position, tuple[engine.play.Event, ...]]:
    """Play a turn with these orders, and return the position after the turn and the events."""
    flats = {ADA: ada, BRAM: bram, CLEO: cleo}
    orders = {
        seat: engine.orders.from_fields(flat) for seat, flat in flats.items() if flat is not None
    }
    return engine.play.resolve(position, orders, answers or {}, dice or engine.play.NoDice())


def event_codes(events: Sequence[engine.play.Event], *wanted: str) -> list[str]:
    """Return the codes of the events in order, limited to the wanted codes if any are given."""
    return [event.code for event in events if not wanted or event.code in wanted]
