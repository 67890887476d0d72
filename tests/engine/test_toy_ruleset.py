"""Tests that a new ruleset needs only changed rows and a list of phases, not a new resolver."""

from collections.abc import Mapping
from typing import cast

import pytest

import engine.orders
import engine.play
from engine.positions.position import FOREVER
from engine.resolve import ORDERS_OF_PLAY, PHASES, PHASES_BEFORE_ANSWERS, OrderOfPlay
from engine.resolve.heat import settle_heat_and_cold
from engine.resolve.strike import deal_damage
from engine.resolve.table import Table
from engine.rulesets import RULESETS
from engine.rulesets.choices import SEALED
from engine.rulesets.ruleset import make_ruleset
from engine.rulesets.unsupported_values import REQUIRED_VALUES
from engine.spellbook import BARTLE_SPELLBOOK, Duration, FieldChanges, revised_spellbook
from tests.engine.board import ADA, BRAM, Row, begun, duel, made

TOY_RULESET = "toy-1"
CHANGED_ROWS: Mapping[str, FieldChanges] = {
    "missile": {"amount": 2, "shieldable": False},
    "invisibility": {"lasts": Duration.UNTIL_REMOVED},
}


@pytest.fixture(autouse=True)
def toy_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register rules with stronger missiles, lasting invisibility, and storms that hit early."""
    rest = [phase for phase in PHASES if phase is not settle_heat_and_cold]
    after = rest.index(deal_damage) + 1
    phases = (*rest[:after], settle_heat_and_cold, *rest[after:])
    play = OrderOfPlay(
        Table, phases, PHASES_BEFORE_ANSWERS, ORDERS_OF_PLAY[SEALED].can_raise_questions, {}
    )
    for registered, value in ((ORDERS_OF_PLAY, play), (REQUIRED_VALUES, REQUIRED_VALUES[SEALED])):
        monkeypatch.setitem(cast("dict[str, object]", registered), "toy", value)
    rules = make_ruleset(
        TOY_RULESET,
        name="Toy",
        description="",
        spells=revised_spellbook(BARTLE_SPELLBOOK, CHANGED_ROWS),
        order_of_play="toy",
    )
    monkeypatch.setitem(cast("dict[str, engine.play.Ruleset]", RULESETS), TOY_RULESET, rules)


def position_after_turn(ada: Row, bram: Row, *orders: dict[str, str]) -> engine.play.Position:
    position = duel(ada, bram, ruleset=TOY_RULESET)
    written = {
        id: engine.orders.from_fields(flat) for id, flat in zip((ADA, BRAM), orders, strict=True)
    }
    return engine.play.resolve(position, written, {}, engine.play.RecordedDice(sequence=[]))[0]


def test_changed_rows_of_spells_take_effect() -> None:
    struck = position_after_turn(begun("S"), {}, made("D -"), made("P -"))
    assert [wizard.damage for wizard in struck.wizards] == [0, 2]
    unseen = position_after_turn(begun("PPW", "PPW"), {}, made("S S"), made("- -")).wizards[0]
    assert unseen.effects["invisibility"].last == FOREVER


def test_moved_phase_is_played_at_its_new_place() -> None:
    storms = position_after_turn(begun("SWW", "---"), begun("WSS", "---"), made("C C"), made("C C"))
    assert [wizard.damage for wizard in storms.wizards] == [10, 10]
