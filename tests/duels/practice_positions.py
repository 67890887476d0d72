"""Positions in which the practice opponent must survive the coming turn, as Ada."""

import random
from collections.abc import Mapping, Sequence

import engine.orders
import engine.play
from duels.practice import play
from engine.positions.position import STANDING, Position
from engine.rulesets.choices import CaptureRule
from tests import daily
from tests.engine.board import SEALED_RULESETS

ADA, BRAM = "w0", "w1"
RULESETS = tuple(engine.play.RULESETS)
# One ruleset per day of those in which all orders are sealed, and all other rulesets.
DAILY_RULESETS = [
    id
    for id in RULESETS
    if id not in SEALED_RULESETS or id in daily.sample(SEALED_RULESETS, len(SEALED_RULESETS))
]
# Rulesets in which a Delayed Effect banks a spell even against the wizard's will.
COMPULSORY_BANK_RULESETS = [
    id for id in SEALED_RULESETS if engine.play.RULESETS[id].capture is CaptureRule.WHATEVER_COMES
]
TWO_SETS_RULESETS = [
    id for id in RULESETS if engine.play.RULESETS[id].haste is engine.play.HasteMode.TWO_SETS
]
DICE = engine.play.Dice(b"defence")


def history_after(
    setup: dict[str, object],
    rows: Sequence[tuple[str, ...]],
    ruleset: str,
    options: Sequence[str] = (),
) -> engine.play.History:
    """Return a duel in which the wizards have made these gestures and aimed at nothing.

    Each row contains one turn's gestures of Ada, Bram and any other wizards.
    """
    wizards = len(rows[0]) if rows else 2
    position = engine.play.begin(
        ruleset, [engine.play.Duellist()] * wizards, setup=setup, options=options
    )
    past: list[engine.play.Turn] = []
    for pairs in rows:
        if position.outcome:
            break
        orders: dict[str, engine.orders.Orders] = {}
        for wizard, pair in zip((each.id for each in position.wizards), pairs, strict=True):
            if wizard in engine.play.acting_wizards(position):
                made = engine.orders.HandSet(pair[0], pair[1])
                own = engine.orders.Orders(
                    sets=(made,) * len(engine.play.sheet(position, wizard).sets)
                )
                is_legal = not engine.play.check(position, wizard, own)
                orders[wizard] = own if is_legal else engine.play.default_orders(position, wizard)
        after, events = engine.play.resolve(position, orders, {}, DICE)
        past.append(engine.play.Turn(len(past) + 1, position, events))
        position = after
    return engine.play.History(tuple(past), position)


def add_monsters(position: Position, monsters: Sequence[Mapping[str, object]]) -> None:
    """Add monsters to a position that has none."""
    arena = engine.play.begin(
        position.ruleset, [engine.play.Duellist()] * 2, setup={"monsters": monsters}
    )
    position.monsters, position.created = arena.monsters, arena.created


def add_mind_spell(position: Position, mind: str, effect: Mapping[str, object]) -> None:
    """Put Ada under this mind spell in the coming turn, and end her other enchantments."""
    set_effects(position, ADA, {mind: effect})


def set_effects(position: Position, wizard: str, effects: Mapping[str, object]) -> None:
    """Replace the wizard's enchantments from the coming turn on."""
    rows = [{"effects": effects} if each.id == wizard else {} for each in position.wizards]
    setup = {"turn": position.turn, "wizards": rows}
    duellists = [engine.play.Duellist()] * len(rows)
    arena = engine.play.begin(position.ruleset, duellists, setup=setup, options=position.options)
    position.wizard(wizard).effects = arena.wizard(wizard).effects


def is_dead(position: Position, orders: dict[str, engine.orders.Orders]) -> bool:
    after, _ = engine.play.resolve(position, orders, {}, DICE, sink=engine.play.drop_events)
    return after.wizard(ADA).standing != STANDING


def assert_ada_survives(history: engine.play.History, rival_orders: engine.orders.Orders) -> None:
    """Check that the practice opponent, as Ada, survives these orders of Bram."""
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: rival_orders}), orders


def assert_ada_survives_with_any_dice(
    history: engine.play.History, rival_orders: engine.orders.Orders
) -> None:
    """Check that Ada survives whichever of her hands changes to any letter of the dice."""
    for seed in range(4):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        for number in range(80):
            everybody, dice = {ADA: orders, BRAM: rival_orders}, engine.play.Dice(bytes([number]))
            after, _ = engine.play.resolve(history.position, everybody, {}, dice)
            assert after.wizard(ADA).standing == STANDING, (number, orders)
