"""Tests of dry runs: they resolve a turn again, with or without changes, and write nothing.

The tests cover every turn of the printed duel, and of duels with blindness, haste, questions and
resignations.
"""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import engine.orders
import engine.play
from duels.commands import endings, resolution, sealing
from duels.errors import Refused
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, Stage, Turn
from duels.referees.desk.evidence.difference import EVENT_ADDED, EVENT_REMOVED, compare_outcomes
from duels.referees.desk.evidence.dry_run import (
    DryRunChanges,
    other_readings,
    run_with_changes,
    stored_outcome,
)
from duels.referees.desk.evidence.event_words import event_sentence
from engine.play import Drew, Gestured, Lapsed
from tests.cast import Cast, begin, hands, play, seal
from tests.states import STATES, People, sample

PLAYED_STATES = ("over", "blind", "hasted", "in_spellcast", "four_wizards", "drawn", "forfeited")


def resolved_turns(duel: Duel) -> Iterator[OpenTurn]:
    """Return the resolved turns of a duel."""
    for turn in Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("ordinal"):
        loaded = load_turn(turn.pk)
        assert loaded is not None
        yield loaded


def loaded_turn(duel: Duel, ordinal: int) -> OpenTurn:
    loaded = load_turn(Turn.objects.get(duel=duel, ordinal=ordinal).pk)
    assert loaded is not None
    return loaded


@pytest.mark.parametrize("state", PLAYED_STATES)
def test_dry_run_without_changes_gives_the_stored_result(db: None, state: str) -> None:
    duel = STATES[state](People()).duel
    for turn in resolved_turns(duel):
        again, kept = run_with_changes(turn), stored_outcome(turn.row)
        found = compare_outcomes(kept, again.outcome, again.start)
        assert found.is_empty, (turn.row.ordinal, found)
        assert found.position == (), "both positions are known"
        assert engine.play.dump(again.outcome.events) == turn.row.events


def test_dry_run_uses_the_stored_answers_to_questions(db: None) -> None:
    state = STATES["answers"](People())
    turn = Turn.objects.get(duel=state.duel, stage=Stage.ANSWERS)
    (asked,) = turn.questions
    other = next(option for option in asked["options"] if option != asked["default"])
    assert state.viewer is not None
    sealing.answer_questions(
        turn_id=turn.pk, wizard=state.viewer, answers={asked["id"]: other}, form_seal="",
        batch=1, now=turn.opened_at,
    )  # fmt: skip
    resolution.resolve_turn(turn_id=turn.pk, now=turn.opened_at)
    loaded = loaded_turn(state.duel, turn.ordinal)
    again = run_with_changes(loaded)
    assert again.questions == ()
    assert compare_outcomes(stored_outcome(loaded.row), again.outcome, again.start).is_empty
    otherwise = run_with_changes(loaded, DryRunChanges(answers={asked["id"]: asked["default"]}))
    assert not compare_outcomes(again.outcome, otherwise.outcome, again.start).is_empty


def test_resignation_is_the_first_event_of_its_turn(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, cast.cleo)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=duel.created_at)
    turn = play(duel, {cast.ada: hands("S", "W"), cast.cleo: hands("W", "P")})
    loaded = loaded_turn(duel, turn.ordinal)
    again = run_with_changes(loaded)
    assert [event.code for event in again.steps[0].events][:1] == ["resigned"]
    assert compare_outcomes(stored_outcome(loaded.row), again.outcome, again.start).is_empty


@pytest.fixture
def confused_turn(db: None) -> OpenTurn:
    """The tenth turn of the printed duel, in which a gesture of a confused hand is drawn."""
    return loaded_turn(sample(People(), 10).duel, 10)


def test_dry_run_writes_nothing(confused_turn: OpenTurn) -> None:
    (code,) = [wizard for wizard in confused_turn.orders if wizard == "w0"]
    changes = DryRunChanges(
        orders={code: engine.orders.from_fields(hands("P", "P"))}, reading="switch:elementals_merge"
    )
    with CaptureQueriesContext(connection) as made:
        again = run_with_changes(confused_turn, changes)
        compare_outcomes(stored_outcome(confused_turn.row), again.outcome, again.start)
    written = [each["sql"] for each in made if not each["sql"].startswith("SELECT")]
    assert written == []


def test_dry_run_with_other_orders_gives_another_result(confused_turn: OpenTurn) -> None:
    before = run_with_changes(confused_turn)
    other = next(wizard for wizard in confused_turn.orders if wizard == "w1")
    after = run_with_changes(
        confused_turn, DryRunChanges(orders={other: engine.orders.from_fields(hands("-", "-"))})
    )
    found = compare_outcomes(before.outcome, after.outcome, before.start)
    assert any(
        value.words.startswith(confused_turn.seats[1].wizard.name) for value in found.position or ()
    )
    marks = {event.mark for event in found.events}
    assert {EVENT_REMOVED, EVENT_ADDED} <= marks


def test_dry_run_with_another_draw_gives_another_result(confused_turn: OpenTurn) -> None:
    before = run_with_changes(confused_turn)
    drawn = next(draw for draw in before.outcome.draws if draw.purpose == "gesture")
    other = (drawn.value + 1) % drawn.sides
    after = run_with_changes(confused_turn, DryRunChanges(draws={drawn.label: other}))
    found = compare_outcomes(before.outcome, after.outcome, before.start)
    name = before.start.wizard(drawn.being).name
    (changed,) = [each for each in found.draws if each.words.startswith("Gesture")]
    assert changed.words == f"Gesture that the Confusion makes for {name}"
    assert changed.before != changed.after
    assert not found.is_empty


def test_dry_run_rejects_impossible_readings_of_the_rules(
    confused_turn: OpenTurn, subtests: pytest.Subtests
) -> None:
    for reading, code in (
        ("switch:no_such", "impossible_reading"),
        ("nonsense", "unknown_reading"),
        ("ruleset:nonsense", "impossible_reading"),
        ("option:sacrifice", "impossible_reading"),
    ):
        with subtests.test(reading):
            with pytest.raises(Refused) as refused:
                run_with_changes(confused_turn, DryRunChanges(reading=reading))
            assert (refused.value.code, refused.value.field) == (code, "reading")


def test_dry_run_rejects_illegal_orders_and_names_their_wizard(confused_turn: OpenTurn) -> None:
    bad = engine.orders.from_fields(hands("P", "P", left_spell="missile"))
    with pytest.raises(Refused) as refused:
        run_with_changes(confused_turn, DryRunChanges(orders={"w1": bad}))
    assert (refused.value.code, refused.value.field) == ("illegal_orders", "orders-w1")
    assert refused.value.rule


def test_dry_run_rejects_impossible_draws(confused_turn: OpenTurn) -> None:
    label = run_with_changes(confused_turn).outcome.draws[0].label
    with pytest.raises(Refused) as refused:
        run_with_changes(confused_turn, DryRunChanges(draws={label: 99}))
    assert (refused.value.code, refused.value.field) == ("no_such_draw", "draws")


def test_dry_runs_draw_the_same_values_from_the_seed(
    confused_turn: OpenTurn,
) -> None:
    confused_turn.row.duel.recorded_draws = {}
    first, second = run_with_changes(confused_turn), run_with_changes(confused_turn)
    assert first.outcome.draws == second.outcome.draws
    assert first.outcome.draws


def test_dry_run_works_with_every_offered_reading_of_the_rules(db: None) -> None:
    for ruleset in ("bartle-1", "spellcast-1", "wizards-1", "archmage-1"):
        people = People()
        duel = begin(*people.first(2), ruleset=ruleset)
        for code in (0, 1):
            seal(duel, people[code], hands("S", "W"))
        turn = load_turn(Turn.objects.get(duel=duel, ordinal=1).pk)
        assert turn is not None
        offered = other_readings(duel)
        assert len({reading for reading, _, _ in offered}) == len(offered)
        for reading, words, _ in offered:
            assert words.endswith(".")
            assert "{" not in words
            assert (
                run_with_changes(turn, DryRunChanges(reading=reading)).outcome.position is not None
            )


BARTLE = engine.play.RULESETS["bartle-1"]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            Gestured("w0", 1, "P", "-"),
            "Ada makes P (palm) with the left hand and nothing with the right hand.",
        ),
        (
            Gestured("w0", 2, ">", "-"),
            "Ada makes a stab with the left hand and nothing with the right hand, in the second "
            "set.",
        ),
        (Lapsed("w0", "confusion"), "Confusion on Ada is over."),
    ],
)
def test_referees_read_sentences_about_events_that_reports_omit(
    event: engine.play.Event, sentence: str
) -> None:
    assert event_sentence(event, {"w0": "Ada"}, BARTLE)[0] == sentence


def test_event_without_a_sentence_is_shown_with_all_its_values() -> None:
    """The description of an event leaves out only values that are empty or False."""
    drawn = Drew("w0", "gesture", 6, 0, "C", "1:confusion:w0")
    assert event_sentence(drawn, {"w0": "Ada"}, BARTLE)[0] == (
        "drew: being Ada, purpose gesture, sides 6, value 0, result C, label 1:confusion:w0"
    )
