"""Tests of secrecy in stepwise duels. rules: turn:stepwise, R86, R94, R97, R121"""

import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
from engine.events import Cast, Event, Gestured
from engine.positions.position import PendingCast, Position
from tests import daily
from tests.engine.random_duels import random_duel
from tests.engine.test_properties import history_of
from tests.engine.test_secrecy import (
    ADA,
    BRAM,
    CLEO,
    PROBE_ORDERS,
    SEEDS,
    all_output,
    is_visible,
    random_probes,
)
from tests.vectors import mismatches, parse_recording
from tests.vectors.state import DerivedState

RECORDED_DUELS_FILE = Path(__file__).parent.parent / "vectors" / "spellcast.jsonl.gz"
RECORDING_INTERVAL = 25  # interval between the recorded duels that are used
NO_DICE = engine.play.NoDice()


def strict_position(setup: dict[str, object], *options: str, wizards: int = 2) -> Position:
    names = ("Ada", "Bram", "Cleo")[:wizards]
    duellists = [engine.play.Duellist(name) for name in names]
    return engine.play.begin("spellcast-1", duellists, setup=setup, options=options)


def orders_of_rows(*pairs: str) -> dict[str, engine.orders.Orders]:
    return {
        f"w{seat}": engine.orders.from_fields({"left": pair[0], "right": pair[1]})
        for seat, pair in enumerate(pairs)
        if pair
    }


def test_hidden_gestures_match_the_recorded_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recordings mark rows that some wizard did not see. rules: R94, R95, R121"""
    seen: list[tuple[Position, Sequence[Event], Any]] = []

    class Watching(DerivedState):
        def state(self, before: Position, after: Position, events: Sequence[Event]) -> Any:
            state = super().state(before, after, events)
            seen.append((before, events, state))
            return state

    monkeypatch.setattr("tests.vectors.replay.DerivedState", Watching)
    with gzip.open(RECORDED_DUELS_FILE) as file:
        for number, line in enumerate(file):
            if number % RECORDING_INTERVAL == 0:
                assert not list(mismatches(parse_recording(json.loads(line))))
    fogged = 0
    for before, events, state in seen:
        history = engine.play.History((engine.play.Turn(1, before, tuple(events)),), before)
        made = {event.wizard for event in events if isinstance(event, Gestured)}
        for watcher in before.wizards:
            (turn,) = engine.play.view(history, watcher.id).turns
            for wizard in before.wizards:
                if wizard.id in made:
                    _, hidden, blind = state["wiz"][wizard.seat]["rows"][0]
                    dark = bool(hidden or blind >> watcher.seat & 1) and wizard is not watcher
                    assert (turn.rows[wizard.id][0].left.letter == "?") == dark
                    fogged += dark
    assert fogged > 100


@pytest.mark.parametrize("options", [(), ("strict",)])
def test_no_gestures_are_shown_before_charm_questions_are_answered(
    options: tuple[str, ...],
) -> None:
    """The charmer chooses a gesture before seeing the others' gestures. rules: R86"""
    charm = {"charm_person": {"turns": 1, "caster": ADA, "hand": "L"}}
    position = strict_position({"wizards": [{}, {"effects": charm}]}, *options)
    asked = [
        engine.play.questions(position, orders_of_rows("PF", pair), {}, NO_DICE)
        for pair in ("SD", "WC")
    ]
    assert asked[0] == asked[1]
    assert [question.kind for question in asked[0]] == ["charm_gesture"]
    assert (
        engine.play.events_before_answers(position, orders_of_rows("PF", "SD"), {}, NO_DICE) == ()
    )
    answers = {asked[0][0].id: "F"}
    shown = engine.play.events_before_answers(
        position, orders_of_rows("PF", "SD"), answers, NO_DICE
    )
    made = [(e.wizard, e.left, e.right) for e in shown if isinstance(e, Gestured)]
    assert made == [(ADA, "P", "F"), (BRAM, "F", "D")]


@pytest.mark.parametrize("kind", ["release", "target", "attack"])
def test_answers_of_an_open_batch_stay_hidden(kind: str) -> None:
    """An answer does not change the events that are visible before the batch is complete."""
    wizards = [{"left": "S", "right": "-", "bank": "fireball"}, {}]
    goblin = {"kind": "goblin", "controller": ADA}
    position = strict_position({"wizards": wizards, "monsters": [goblin]}, "strict")
    sealed, answers = orders_of_rows("D-", "--"), dict[str, str]()
    while (asked := engine.play.questions(position, sealed, answers, NO_DICE))[0].kind != kind:
        answers |= {question.id: question.default for question in asked}
    before = engine.play.events_before_answers(position, sealed, answers, NO_DICE)
    for option in asked[0].options:
        given = answers | {asked[0].id: option}
        following = engine.play.events_before_answers(position, sealed, given, NO_DICE)
        assert following[: len(before)] == before


@pytest.mark.parametrize("observer", [BRAM, "spectator"])
def test_only_their_caster_knows_the_spells_aimed_in_a_haste_phase(observer: str) -> None:
    """Others do not see these spells until they are cast in the turn. rules: R97"""
    position = strict_position({"wizards": [{"left": "SD", "right": "--"}, {}]})
    histories = []
    for spell, subject in (("missile", BRAM), ("missile", ADA), ("shield", BRAM)):
        aimed = position.copy()
        aimed.pending = (PendingCast(ADA, spell, "SD", "L", subject, False),)
        histories.append(engine.play.History((), aimed))
    first, *others = (all_output(history, observer, PROBE_ORDERS) for history in histories)
    assert all(other == first for other in others)


def test_blind_wizards_see_spells_but_not_gestures() -> None:
    """The report to a blind wizard names the spell, but not the hand. rules: R94"""
    blind = {"blindness": {"turns": 2}}
    position = strict_position({"wizards": [{"effects": blind}, {"left": "S", "right": "-"}]})
    orders = orders_of_rows("--", "D-")
    after, events = engine.play.resolve(position, orders, {}, NO_DICE)
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, position, events),), after), ADA
    )
    (cast,) = [event for event in view.turns[0].events if isinstance(event, Cast)]
    assert (cast.wizard, cast.spell, cast.subject, cast.hand) == (BRAM, "missile", ADA, "")
    assert view.turns[0].rows[BRAM][0].left.letter == "?"


@given(SEEDS, SEEDS, st.sampled_from(("WWFP", "WWPP", "SSFS", "DSFP")))
@settings(max_examples=daily.examples(150))
def test_gestures_of_an_extra_turn_stay_hidden_from_others(
    one: int, other: int, letters: str
) -> None:
    """In an extra turn, Bram makes gestures that complete no spell. rules: R121"""
    position = strict_position(
        {"turn": 5, "wizards": [{}, {"left": letters, "right": "-" * len(letters)}, {}]}, wizards=3
    ).copy()
    position.kind, position.stopped = "extra", (BRAM, CLEO)
    histories = []
    for number in (one, other):
        chance = random.Random(number)
        pair = chance.choice("FPSWD-") + chance.choice("FSWD-")
        sealed = orders_of_rows("", pair, "--")
        if pair[0] == "P":
            hands = replace(sealed[BRAM].sets[0], subjects={"L": BRAM})
            sealed[BRAM] = replace(sealed[BRAM], sets=(hands,))
        assume(not engine.play.check(position, BRAM, sealed[BRAM]))
        after, events = engine.play.resolve(position, sealed, {}, NO_DICE)
        histories.append(engine.play.History((engine.play.Turn(1, position, events),), after))
    for history in histories:
        assume(not is_visible(history, ADA))
        assume(not history.position.outcome and history.position.kind == "normal")
        assume(not any(event.code in ("wounded", "summoned") for event in history.turns[0].events))
    for observer in (ADA, "spectator"):
        first, second = (all_output(history, observer, random_probes(one)) for history in histories)
        assert first == second
    for history in histories:
        assert engine.play.view(history, CLEO).turns[0].rows[BRAM][0].left.letter == "?"


@given(SEEDS)
@settings(max_examples=daily.examples(40))
def test_spectator_sees_only_what_every_wizard_sees(seed: int) -> None:
    """The duels include strict ones, with their many phases and batches. Promise 2."""
    chance = random.Random(seed)
    options = ("strict",) if chance.random() < 0.5 else ()
    steps = list(random_duel(chance, wizards=3, turns=30, ruleset="spellcast-1", options=options))
    history = history_of(steps)
    crowd = engine.play.view(history, "spectator")
    for seat in (ADA, BRAM, CLEO):
        view = engine.play.view(history, seat)
        for public, private in zip(crowd.turns, view.turns, strict=True):
            for wizard, made in public.rows.items():
                for mine, theirs in zip(private.rows[wizard], made, strict=True):
                    assert theirs.left.letter in ("?", mine.left.letter)
            assert len(public.events) <= len(private.events)
