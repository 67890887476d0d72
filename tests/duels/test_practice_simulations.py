"""The practice opponent's simulations of turns and questions."""

import random

import pytest

import engine.orders
import engine.play
from duels.practice import play, replies
from engine.positions.position import STRICT
from tests.duels.practice_positions import ADA, BRAM, DAILY_RULESETS, DICE, history_after

pytestmark = pytest.mark.long


@pytest.mark.parametrize("ruleset", DAILY_RULESETS)
def test_practice_opponent_simulates_hasted_and_time_stopped_turns_correctly(ruleset: str) -> None:
    """Both wizards are hasted, and later also time-stopped. rules: R97, R98, W9, W12"""
    hasted = {"wizards": [{"damage": 14, "effects": {"haste": {"permanent": True}}}] * 2}
    stopping = [("S-", "S-"), ("P-", "P-"), ("P-", "P-"), ("CC", "CC")]
    kinds: set[str] = set()
    for setup, rows in ((hasted, []), (hasted, stopping[:1]), ({}, stopping)):
        history = history_after(dict(setup), rows, ruleset)
        for seed in range(3):
            position = history.position
            kinds.add(position.kind)
            orders = {
                wizard: play.choose_orders(history, wizard, random.Random(seed))
                for wizard in engine.play.acting_wizards(position)
            }
            after, events = engine.play.resolve(position, orders, {}, DICE)
            turn = engine.play.Turn(len(history.turns) + 1, position, events)
            history = engine.play.History((*history.turns, turn), after)
            if after.outcome:
                break
    assert len(kinds) > 1


def test_practice_opponent_chooses_the_spell_that_saves_it_when_asked() -> None:
    """rules: turn:stepwise.

    Bram may stab, and Ada's gesture completes either Shield or Remove Enchantment.
    """
    setup: dict[str, object] = {"wizards": [{"damage": 14}, {}]}
    history = history_after(
        setup, [("P-", "--"), ("D-", "--"), ("W-", "--")], "spellcast-1", [STRICT]
    )
    orders = {ADA: engine.orders.Orders(sets=(engine.orders.HandSet("P", "F"),))}
    (question,) = engine.play.questions(history.position, orders, {}, DICE)
    assert {name.partition("/")[0] for name in question.options} == {"remove_enchantment", "shield"}
    given = replies.choose_answers(history, ADA, [question], random.Random(1))
    assert given[question.id].startswith("shield")


def test_practice_opponent_simulates_a_limited_number_of_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The opponent decides during a web request, even with many wizards and hasted rivals."""
    counted = 0
    resolve = engine.play.resolve

    def counting_resolve(*arguments: object, **options: object) -> object:
        nonlocal counted
        counted += 1
        return resolve(*arguments, **options)  # type: ignore[arg-type]

    hasted = {"haste": {"turns": 3}}
    confused = {**hasted, "confusion": {"turns": 1, "caster": BRAM}}
    monkeypatch.setattr(engine.play, "resolve", counting_resolve)
    for wizards, damage, monsters, own_effects in (
        (8, 14, 20, hasted),
        (2, 14, 0, hasted),
        (2, 14, 8, hasted),
        (4, 5, 4, hasted),
        (2, 14, 0, confused),
        (4, 5, 4, confused),
    ):
        giants = [
            {"kind": "giant", "controller": f"w{1 + n % (wizards - 1)}"} for n in range(monsters)
        ]
        rows = [{"damage": damage, "effects": hasted}] * (wizards - 1)
        ada = {"damage": damage, "effects": own_effects}
        setup = {"wizards": [ada, *rows], "monsters": giants}
        position = engine.play.begin("bartle-1", [engine.play.Duellist()] * wizards, setup=setup)
        counted = 0
        play.choose_orders(engine.play.History((), position), ADA, random.Random(1))
        assert counted < 6000
