"""The practice opponent's simulations of turns and questions."""

import random

import pytest

import engine.orders
import engine.play
from duels.practice import play, replies
from engine.positions.position import STRICT
from tests.duels.practice_positions import (
    ADA,
    BRAM,
    DAILY_RULESETS,
    DICE,
    history_after,
    set_effects,
)

pytestmark = pytest.mark.long

MAX_SIMULATED_TURNS = 6000


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


def count_simulated_turns(history: engine.play.History, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the number of turns that the practice opponent simulates, as Ada."""
    counted = 0
    resolve = engine.play.resolve

    def counting_resolve(*arguments: object, **options: object) -> object:
        nonlocal counted
        counted += 1
        return resolve(*arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(engine.play, "resolve", counting_resolve)
        play.choose_orders(history, ADA, random.Random(1))
    return counted


HASTED = {"haste": {"turns": 3}}
CONFUSED = {"confusion": {"turns": 1, "caster": BRAM}}


@pytest.mark.parametrize(
    ("wizards", "damage", "monsters", "own_effects"),
    [
        (8, 14, 20, HASTED),
        (2, 14, 0, HASTED),
        (2, 14, 8, HASTED),
        (4, 5, 4, HASTED),
        (2, 14, 0, HASTED | CONFUSED),
        (4, 5, 4, HASTED | CONFUSED),
    ],
)
def test_practice_opponent_simulates_a_limited_number_of_turns(
    wizards: int,
    damage: int,
    monsters: int,
    own_effects: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The opponent decides during a web request, even with many wizards and hasted rivals."""
    giants = [{"kind": "giant", "controller": f"w{1 + n % (wizards - 1)}"} for n in range(monsters)]
    rows = [{"damage": damage, "effects": HASTED}] * (wizards - 1)
    ada = {"damage": damage, "effects": own_effects}
    setup = {"wizards": [ada, *rows], "monsters": giants}
    position = engine.play.begin("bartle-1", [engine.play.Duellist()] * wizards, setup=setup)
    history = engine.play.History((), position)
    assert count_simulated_turns(history, monkeypatch) < MAX_SIMULATED_TURNS


def test_search_for_another_hand_simulates_a_limited_number_of_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ada is confused, and she can charm either hand of Bram. She dies either way."""
    rows = [
        ("--", "D-", "W-"), ("DC", "W-", "F-"), ("FS", "WC", "PW"), ("FW", "FD", "SD"),
        ("DW", "WP", "FD"),
    ]  # fmt: skip
    wizards = [{"damage": 10}, {}, {"damage": 14}]
    history = history_after({"wizards": wizards}, rows, "warlocks-1")
    delaying = {"delayed_effect": {"turns": 3}}
    set_effects(history.position, ADA, {**CONFUSED, **HASTED, **delaying})
    set_effects(history.position, BRAM, {"charm_person": {"turns": 1, "caster": ADA}})
    set_effects(history.position, "w2", delaying)
    assert count_simulated_turns(history, monkeypatch) < MAX_SIMULATED_TURNS
