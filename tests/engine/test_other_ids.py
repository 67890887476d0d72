"""Tests that no code depends on spell ids: a book with different ids gives the same duels.

The tests change the ids of effects in force, banked spells and choices, and compare the results.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Final, cast

import pytest

import engine.orders
import engine.play
from engine.positions.position import Effect, Monster, Position, Wizard
from engine.resolve import ORDERS_OF_PLAY
from engine.rulesets import RULESETS
from engine.rulesets.ruleset import Ruleset, with_spell
from tests import daily
from tests.engine import duel_checksums
from tests.engine.random_duels import Step, random_duel

RENAMED_RULESET: Final = "other-1"
ID_PREFIX: Final = "x_"  # one prefix for all ids, because effects are sorted by id
CROWDED_DUELS: Final = 150
RANDOM_DUELS: Final = 12
DUELS_WITH_SHEETS: Final = 25


KNOWN_IDS: Final = frozenset(
    id
    for ruleset in RULESETS.values()
    for rules in (ruleset, *ruleset.variants.values())
    for id in rules.spells
)


def renamed_id(id: str) -> str:
    return f"{ID_PREFIX}{id}" if id in KNOWN_IDS else id


def with_renamed_spells(ruleset: Ruleset) -> Ruleset:
    """Return the ruleset with another id for every spell."""
    for id, spell in ruleset.spells.items():
        heals = tuple(map(renamed_id, spell.heals))
        ruleset = with_spell(ruleset, id, replace(spell, id=renamed_id(id), heals=heals))
    variants = {
        options: with_renamed_spells(variant) for options, variant in ruleset.variants.items()
    }
    order = tuple(map(renamed_id, ruleset.order_of_log))
    return replace(ruleset, variants=variants, order_of_log=order)


def effects_with_renamed_ids(effects: Mapping[str, Effect]) -> dict[str, Effect]:
    return {renamed_id(kind): effect for kind, effect in effects.items()}


def under_renamed_ruleset(position: Position) -> Position:
    """Return the position under the ruleset with different ids."""
    new = position.copy()
    new.switch_ruleset(RENAMED_RULESET)
    new.pending = tuple(cast._replace(spell=renamed_id(cast.spell)) for cast in new.pending)
    beings: list[Wizard | Monster] = [*new.wizards, *new.monsters]
    for being in beings:
        being.effects = effects_with_renamed_ids(being.effects)
        being.lasting = effects_with_renamed_ids(being.lasting)
    for wizard in new.wizards:
        wizard.bank = renamed_id(wizard.bank)
    for monster in new.monsters:
        monster.waiting = effects_with_renamed_ids(monster.waiting)
    return new


def orders_with_renamed_spells(orders: engine.orders.Orders) -> engine.orders.Orders:
    sets = tuple(
        replace(hands, spells={hand: renamed_id(id) for hand, id in hands.spells.items()})
        for hands in orders.sets
    )
    return replace(orders, sets=sets)


def text_with_usual_ids(value: object) -> str:
    """Return the value as text, with the usual ids."""
    return repr(value).replace(ID_PREFIX, "").replace(RENAMED_RULESET, "")


def position_text_with_usual_ids(position: Position) -> str:
    return text_with_usual_ids(engine.play.dump(position)).replace(position.ruleset, "")


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch, ruleset: str) -> Ruleset:
    rules = with_renamed_spells(RULESETS[ruleset])
    monkeypatch.setitem(cast("dict[str, Any]", RULESETS), RENAMED_RULESET, rules)
    return rules


def sampled_turns(ruleset: str) -> Any:
    for number in daily.sample(range(CROWDED_DUELS), 3, ruleset):
        yield from duel_checksums.numbered_duel(ruleset, number)
    for number in daily.sample(range(RANDOM_DUELS), 3, ruleset):
        chance = random.Random(f"ids {ruleset} {number}")
        duel = random_duel(chance, ruleset=ruleset, wizards=2 + number % 3, surrendering=0.01)
        yield from islice(duel, 40)


def options_and_faults(
    position: Position, orders: Mapping[str, engine.orders.Orders], dice: engine.play.Dice
) -> Iterator[object]:
    """Yield the options on the order sheets, and faults and advice for the orders."""
    for wizard, own in orders.items():
        yield engine.play.sheet(position, wizard, own)
        yield engine.play.check(position, wizard, own)
        yield engine.play.cautions(position, wizard, own)
        yield engine.play.orders_text(position, wizard, own)
    yield engine.play.questions(position, orders, {}, dice)


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_spells_with_other_ids_are_offered_and_described_the_same(ruleset: str) -> None:
    for number in daily.sample(range(DUELS_WITH_SHEETS), 3, ruleset):
        for step in duel_checksums.numbered_duel(ruleset, number):
            orders = {id: orders_with_renamed_spells(own) for id, own in step.orders.items()}
            usual = options_and_faults(step.position, step.orders, step.dice)
            there = options_and_faults(under_renamed_ruleset(step.position), orders, step.dice)
            for here, found in zip(usual, there, strict=True):
                assert text_with_usual_ids(found) == repr(here)


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_spells_with_other_ids_are_played_the_same(ruleset: str, book: Ruleset) -> None:
    play = cast("Any", ORDERS_OF_PLAY[book.order_of_play])
    step: Step
    for step in sampled_turns(ruleset):
        told: list[engine.play.Event] = []
        orders = {id: orders_with_renamed_spells(own) for id, own in step.orders.items()}
        answers = {id: renamed_id(answer) for id, answer in step.answers.items()}
        position = under_renamed_ruleset(step.position)
        after = play.resolve(position, orders, answers, step.dice, told.append)
        assert [text_with_usual_ids(event) for event in told] == [
            repr(event) for event in step.events
        ]
        assert position_text_with_usual_ids(after) == position_text_with_usual_ids(step.after)
