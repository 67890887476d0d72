"""Resolution of a turn, once, after the last seal, in one transaction."""

from itertools import pairwise
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import engine
import engine.play
from duels import errors
from duels.commands import resolution, sweeping
from duels.commands.sealing import answer_questions, seal_orders, unseal
from duels.loaded import adjudication
from duels.models import Alarm, Duel, DuelStatus, Orders, Outcome, Stage, Turn, Wizard
from duels.post.models import Notice
from duels.queries import pages, stories
from duels.sealing import links, seals
from engine.positions.position import FOREVER, Effect
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    count_missing_wizards,
    hands,
    open_turn,
    play,
    seal,
    seat,
)
from tests.duels import duel_rows

pytestmark = pytest.mark.sqlite

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def notified_wizards(kind: str, turn: Turn) -> list[str]:
    notices = Notice.objects.filter(kind=kind, turn=turn)
    return sorted(notices.values_list("wizard__name", flat=True))


def damage_by_seat(duel: Duel) -> list[int]:
    """Return the wizards' damage by seat at the start of the open turn."""
    position = adjudication.position_after_departures(open_turn(duel))
    return [wizard.damage for wizard in position.wizards]


def test_turn_is_resolved_only_after_every_seal(duel: Duel, ada: Wizard, bram: Wizard):
    turn = open_turn(duel)
    assert not resolution.resolve_turn(turn_id=turn.pk)
    seal(duel, ada, hands("W", "P"))
    assert not resolution.resolve_turn(turn_id=turn.pk)
    seal(duel, bram, hands("F", "F"))
    assert resolution.resolve_turn(turn_id=turn.pk, now=LATER)
    turn.refresh_from_db()
    assert (turn.stage, turn.closed_at, count_missing_wizards(turn)) == (Stage.RESOLVED, LATER, 0)
    assert turn.release == engine.RELEASE
    codes = [event.code for event in adjudication.load_stored_events(turn.events)]
    assert "gestured" in codes
    following = open_turn(duel)
    assert (following.ordinal, following.number, count_missing_wizards(following)) == (2, 2, 2)
    assert (following.opened_at, following.release) == (LATER, "")
    assert notified_wizards("your_turn", following) == ["Ada", "Bram"]
    assert [row.mine and row.mine.awaited for row in duel_rows.duels_awaiting(ada, NOW)] == [True]


def test_a_resolved_turn_is_not_resolved_again(duel: Duel, ada: Wizard, bram: Wizard):
    turn = play(duel, {ada: hands("W", "P"), bram: hands("F", "F")})
    notices = Notice.objects.count()
    for _ in range(2):
        assert not resolution.resolve_turn(turn_id=turn.pk)
    assert Turn.objects.count() == 2
    assert Notice.objects.count() == notices


def test_resolving_an_unknown_turn_does_nothing(db: None):
    assert not resolution.resolve_turn(turn_id=404)


def test_sealing_and_resolving_a_turn_need_few_queries(duel: Duel, ada: Wizard, bram: Wizard):
    """Each transaction needs one round trip to begin, lock and load the turn, and one to commit."""
    turn = open_turn(duel)
    seal(duel, ada, hands("W", "P"))
    with CaptureQueriesContext(connection) as sealing:
        seal_orders(turn_id=turn.pk, wizard=bram, fields=hands("S", "D"), form_seal="", now=NOW)
    with CaptureQueriesContext(connection) as resolving:
        assert resolution.resolve_turn(turn_id=turn.pk, now=NOW)
    assert len(sealing) == 3 + 2  # write the orders, and the seat that is no longer awaited
    assert len(resolving) == 3 + 4  # write this turn, the next one, awaited seats, emails


def test_position_is_decoded_once_and_each_seal_is_decrypted_once(
    duel: Duel, ada: Wizard, bram: Wizard
):
    turn = open_turn(duel)
    for wizard in (ada, bram):
        seal(duel, wizard, hands("W", "P"))
    with (
        mock.patch.object(engine.play, "load_position", wraps=engine.play.load_position) as decoded,
        mock.patch.object(seals, "decrypt_seal", wraps=seals.decrypt_seal) as opened,
    ):
        assert resolution.resolve_turn(turn_id=turn.pk, now=NOW)
    assert (decoded.call_count, opened.call_count) == (1, 2)


def test_each_seal_nudges_a_worker_and_the_last_nudge_resolves_the_turn(
    duel: Duel, ada: Wizard, bram: Wizard, django_capture_on_commit_callbacks
):
    turn = open_turn(duel)
    with django_capture_on_commit_callbacks(execute=True) as called:
        seal(duel, ada, hands("W", "P"))
    assert [each.__module__ for each in called].count("duels.delivery.nudging") == 1
    with django_capture_on_commit_callbacks(execute=True):
        seal(duel, bram, hands("F", "F"))
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED


def test_hash_chain_can_be_recomputed_from_stored_rows(duel: Duel, ada: Wizard, bram: Wizard):
    for _ in range(3):
        play(duel, {ada: hands("W", "P"), bram: hands("S", "D")})
    previous = links.first_link(duel, 2)
    turns = list(Turn.objects.filter(duel=duel))
    for turn, following in pairwise(turns):
        covered = links.covered_turn(
            turn,
            Orders.objects.filter(turn=turn).order_by("pk"),
            start=adjudication.position_at_start(turn),
            position_after=adjudication.position_at_start(following),
            events=adjudication.load_stored_events(turn.events),
            played=True,
        )
        assert len(covered["commitments"]) == len(covered["seals"]) == 2
        previous = links.link_of_turn(duel, previous, covered, "")
        assert turn.chain == previous


def test_hash_link_does_not_reveal_hidden_facts_of_a_running_duel(
    duel: Duel, ada: Wizard, bram: Wizard
):
    """A guess at the data in a link cannot be checked without a salt from the secret seed."""
    play(duel, {ada: hands("W", "P"), bram: IDLE})
    turn = duel.turns.get(ordinal=1)
    covered = links.covered_turn(
        turn,
        Orders.objects.filter(turn=turn).order_by("pk"),
        start=adjudication.position_at_start(turn),
        position_after=adjudication.position_at_start(duel.turns.get(ordinal=2)),
        events=adjudication.load_stored_events(turn.events),
        played=True,
    )
    duel.seed = seals.encrypt("00" * 32)
    assert links.link_of_turn(duel, links.first_link(duel, 2), covered, "") != turn.chain


def test_turn_never_ends_before_its_last_seal_even_if_a_workers_clock_is_slow(
    duel: Duel, ada: Wizard, bram: Wizard
):
    turn = open_turn(duel)
    seal(duel, ada, hands("W", "P"), now=LATER)
    seal(duel, bram, IDLE, now=NOW)
    assert resolution.resolve_turn(turn_id=turn.pk, now=NOW)
    turn.refresh_from_db()
    assert turn.closed_at == open_turn(duel).opened_at == LATER


def test_played_orders_stay_encrypted_while_the_duel_runs(duel: Duel, ada: Wizard, bram: Wizard):
    play(duel, {ada: hands("W", "P", say="sesame"), bram: IDLE})
    assert not any("sesame" in orders.body for orders in Orders.objects.all())


def test_turn_stays_open_if_the_engine_fails(duel: Duel, ada: Wizard, bram: Wizard, caplog):
    seal(duel, ada, hands("W", "P", say="sesame"))
    seal(duel, bram, hands("F", "F"))
    turn = open_turn(duel)
    broken = mock.patch.object(engine.play, "resolve", side_effect=RuntimeError("sesame"))
    for attempt in (1, 2):
        with broken, pytest.raises(errors.ResolutionFailed) as failed:
            resolution.resolve_turn(turn_id=turn.pk, now=LATER)
        turn.refresh_from_db()
        assert (turn.stage, turn.attempts, turn.failed_at) == (Stage.ORDERS, attempt, LATER)
        assert turn.last_error.startswith("RuntimeError at ")
    assert Turn.objects.count() == 1
    assert f"Turn {turn.pk} of duel {duel.pk}" in caplog.text
    assert "sesame" not in f"{caplog.text} {turn.last_error} {failed.value}"
    assert sweeping.sweep(now=LATER).resolved == 1
    turn.refresh_from_db()
    assert (turn.stage, turn.last_error, turn.failed_at) == (Stage.RESOLVED, "", None)


def test_worker_that_dies_does_not_leave_a_partial_result(duel: Duel, ada: Wizard, bram: Wizard):
    """The worker's changes are rolled back, and another worker repeats them all."""
    seal(duel, ada, hands("W", "P"))
    seal(duel, bram, hands("F", "F"))
    turn = open_turn(duel)
    notices = Notice.objects.count()
    with (
        mock.patch("duels.commands.resolution.notify", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        resolution.resolve_turn(turn_id=turn.pk)
    turn.refresh_from_db()
    assert (turn.stage, turn.events, turn.chain) == (Stage.ORDERS, None, "")
    assert (Turn.objects.count(), Notice.objects.count()) == (1, notices)
    assert resolution.resolve_turn(turn_id=turn.pk)
    assert Turn.objects.count() == 2


def test_a_surrender_ends_a_duel_by_the_rules(duel: Duel, ada: Wizard, bram: Wizard):
    turn = play(duel, {ada: hands("P", "P"), bram: hands("W", "F")})
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, "rules", "w1")
    assert (seat(duel, ada).outcome, seat(duel, bram).outcome) == (Outcome.LOST, Outcome.WON)
    assert Turn.objects.count() == 1
    assert turn.stage == Stage.RESOLVED
    over = Notice.objects.filter(kind="over")
    assert sorted(over.values_list("wizard__name", flat=True)) == ["Ada", "Bram"]
    assert not Notice.objects.filter(kind="your_turn").exists()
    assert duel_rows.duels_awaiting(ada, NOW) == ()
    assert not resolution.resolve_turn(turn_id=turn.pk)


def test_duel_in_which_both_wizards_surrender_is_a_draw(duel: Duel, ada: Wizard, bram: Wizard):
    play(duel, {ada: hands("P", "P"), bram: hands("P", "P")})
    assert (duel.ended, duel.result) == ("rules", "draw")
    assert {seat(duel, ada).outcome, seat(duel, bram).outcome} == {Outcome.DREW}


def test_a_wizard_who_surrenders_in_a_duel_of_three_has_lost(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE, cast.cleo: IDLE})
    assert duel.status == DuelStatus.RUNNING
    assert seat(duel, cast.ada).outcome == Outcome.LOST
    turn = open_turn(duel)
    assert count_missing_wizards(turn) == 2
    assert notified_wizards("your_turn", turn) == ["Bram", "Cleo"]
    with pytest.raises(errors.Refused) as refused:
        seal(duel, cast.ada, hands("W", "P"))
    assert refused.value.code == "not_acting"
    play(duel, {cast.bram: hands("P", "P"), cast.cleo: hands("P", "P")})
    assert duel.result == "draw"
    assert seat(duel, cast.ada).outcome == Outcome.LOST
    assert seat(duel, cast.bram).outcome == Outcome.DREW


def duel_with_cleo_dead(cast: Cast, dying: str = "") -> Duel:
    """Return a duel in which Cleo is dead and Ada's next clap completes Raise Dead.

    The wizard named in `dying` is poisoned and dies in that turn.
    """
    duel = begin(cast.ada, cast.bram, cast.cleo)
    turn = open_turn(duel)
    position = engine.play.load_position(turn.position)
    position.wizard("w2").damage = 14
    if dying:
        position.wizard(dying).effects["poison"] = Effect(1, 7, "w1")
    turn.position = engine.play.dump(position)
    turn.save()
    play(duel, {cast.ada: hands("S", "-"), cast.bram: IDLE, cast.cleo: IDLE})
    missile = hands("D", "D", left_subject="w2")
    play(duel, {cast.ada: missile, cast.bram: IDLE, cast.cleo: IDLE})
    for letter in "WWFW":
        play(duel, {cast.ada: hands("-", letter), cast.bram: IDLE})
    assert seat(duel, cast.cleo).outcome == Outcome.LOST
    return duel


def test_wizard_raised_from_the_dead_is_in_the_duel_again(cast: Cast):
    """rules: R54"""
    duel = duel_with_cleo_dead(cast)
    play(duel, {cast.ada: hands("C", "C", both_subject="w2"), cast.bram: IDLE})
    assert (seat(duel, cast.cleo).outcome, seat(duel, cast.cleo).awaited) == (Outcome.NONE, True)
    assert notified_wizards("your_turn", open_turn(duel)) == ["Ada", "Bram", "Cleo"]
    play(duel, {cast.ada: hands("P", "P"), cast.bram: hands("P", "P"), cast.cleo: IDLE})
    assert (duel.result, seat(duel, cast.cleo).outcome) == ("w2", Outcome.WON)


def test_wizard_raised_from_the_dead_wins_if_everyone_else_falls(cast: Cast):
    """rules: R174. Ada dies of poison in the turn of her last clap, and Bram surrenders."""
    duel = duel_with_cleo_dead(cast, dying="w0")
    play(duel, {cast.ada: hands("C", "C", both_subject="w2"), cast.bram: hands("P", "P")})
    assert (duel.result, seat(duel, cast.cleo).outcome) == ("w2", Outcome.WON)


# Questions after the reveal


def complete_paralysis(duel: Duel, ada: Wizard, bram: Wizard) -> Turn:
    """Let Ada's left hand complete F-F-F, and return the turn after its last seal."""
    for letter in "WDW":
        turn = play(duel, {ada: hands("F", letter), bram: IDLE})
    return turn


def test_caster_is_asked_after_the_reveal_which_hand_to_paralyse(
    duel: Duel, ada: Wizard, bram: Wizard
):
    turn = complete_paralysis(duel, ada, bram)
    assert (turn.ordinal, turn.stage, turn.batch, count_missing_wizards(turn)) == (
        3,
        Stage.ANSWERS,
        1,
        1,
    )
    assert notified_wizards("question", turn) == ["Ada"]
    assert (seat(duel, ada).awaited, seat(duel, bram).awaited) == (True, False)
    (question,) = pages.duel_page(duel, ada).questions
    assert question.kind == "paralysis"
    assert set(question.options) >= {"L", "R"}
    assert question.text.endswith("?")
    assert pages.duel_page(duel, bram).questions == ()
    assert not resolution.resolve_turn(turn_id=turn.pk)
    answer_questions(
        turn_id=turn.pk, wizard=ada, answers={question.id: "R"}, form_seal="", batch=1, now=LATER
    )
    assert resolution.resolve_turn(turn_id=turn.pk)
    assert notified_wizards("question", turn) == ["Ada"]
    view = pages.duel_page(duel, bram).view
    assert view
    assert open_turn(duel).ordinal == 4
    position = adjudication.position_after_departures(open_turn(duel))
    assert position.wizard("w1").effects["paralysis"].hand == "R"


def test_alarm_of_a_failed_turn_ends_when_the_turns_questions_are_asked(
    duel: Duel, ada: Wizard, bram: Wizard
):
    """The turn may now wait for an answer for days, but it no longer needs an operator."""
    for letter in "WD":
        play(duel, {ada: hands("F", letter), bram: IDLE})
    broken = mock.patch.object(engine.play, "questions", side_effect=RuntimeError)
    with broken, pytest.raises(errors.ResolutionFailed):
        play(duel, {ada: hands("F", "W"), bram: IDLE})
    turn = open_turn(duel)
    assert Alarm.objects.filter(ended_at=None).exists()
    assert not resolution.resolve_turn(turn_id=turn.pk)
    turn.refresh_from_db()
    assert (turn.stage, turn.last_error, turn.failed_at) == (Stage.ANSWERS, "", None)
    assert not Alarm.objects.filter(ended_at=None).exists()


def test_answers_are_sealed_like_orders(duel: Duel, ada: Wizard, bram: Wizard):
    turn = complete_paralysis(duel, ada, bram)
    (question,) = pages.duel_page(duel, ada).questions
    arguments: dict[str, Any] = {"turn_id": turn.pk, "wizard": ada, "batch": 1, "now": LATER}
    first = answer_questions(**arguments, answers={question.id: "R"}, form_seal="")
    again = answer_questions(**arguments, answers={question.id: "R"}, form_seal="x")
    assert first == again
    with pytest.raises(errors.StaleForm):
        answer_questions(**arguments, answers={question.id: "L"}, form_seal="")
    other = answer_questions(**arguments, answers={question.id: "L"}, form_seal=first.commitment)
    assert other.commitment != first.commitment
    taken = unseal(turn_id=turn.pk, wizard=ada, now=LATER)
    assert taken == other
    assert not resolution.resolve_turn(turn_id=turn.pk)
    answer_questions(**arguments, answers={question.id: "L"}, form_seal=other.commitment)
    assert resolution.resolve_turn(turn_id=turn.pk)
    position = adjudication.position_after_departures(open_turn(duel))
    assert position.wizard("w1").effects["paralysis"].hand == "L"


@pytest.mark.parametrize("kind", ["none", "other", "unknown"])
def test_missing_or_unknown_answers_are_rejected(duel: Duel, ada: Wizard, bram: Wizard, kind: str):
    turn = complete_paralysis(duel, ada, bram)
    (question,) = pages.duel_page(duel, ada).questions
    answers = {"none": {}, "other": {question.id: "X"}, "unknown": {question.id: "L", "x": "L"}}
    with pytest.raises(errors.IllegalOrders) as illegal:
        answer_questions(
            turn_id=turn.pk, wizard=ada, answers=answers[kind], form_seal="", batch=1, now=NOW
        )
    assert illegal.value.fields == answers[kind]
    assert all(fault.rule and fault.field for fault in illegal.value.faults)
    assert not Orders.objects.filter(turn=turn, stage=Stage.ANSWERS).exists()


def test_only_wizards_with_questions_can_act_after_the_reveal(
    duel: Duel, ada: Wizard, bram: Wizard
):
    turn = complete_paralysis(duel, ada, bram)
    (question,) = pages.duel_page(duel, ada).questions
    with pytest.raises(errors.Refused) as refused:
        answer_questions(
            turn_id=turn.pk, wizard=bram, answers={question.id: "L"}, form_seal="", batch=1, now=NOW
        )
    assert refused.value.code == "not_asked"
    with pytest.raises(errors.Refused) as refused:
        seal(duel, bram, hands("W", "W"))
    assert refused.value.code == "revealed"


def test_question_answered_in_advance_is_not_asked_after_the_reveal(
    duel: Duel, ada: Wizard, bram: Wizard
):
    for letter in "WD":
        play(duel, {ada: hands("F", letter), bram: IDLE})
    advance = {"answer:paralysis": "R"}
    turn = play(duel, {ada: hands("F", "W", **advance), bram: IDLE})
    assert turn.stage == Stage.RESOLVED
    position = adjudication.position_after_departures(open_turn(duel))
    assert position.wizard("w1").effects["paralysis"].hand == "R"


def test_strict_duel_rejects_advance_answers_and_asks_after_the_reveal(ada: Wizard, bram: Wizard):
    duel = begin(ada, bram, strict=True)
    for letter in "WD":
        play(duel, {ada: hands("F", letter), bram: IDLE})
    with pytest.raises(errors.IllegalOrders):
        seal(duel, ada, hands("F", "W", **{"answer:paralysis": "R"}))
    turn = play(duel, {ada: hands("F", "W"), bram: IDLE})
    assert turn.stage == Stage.ANSWERS


# Turns without a decision


def test_turn_does_not_wait_for_a_wizard_without_a_decision(duel: Duel, ada: Wizard, bram: Wizard):
    """Bram has amnesia and repeats two gestures that do not complete a spell."""
    for left in "DP":
        play(duel, {ada: hands(left, "W"), bram: hands("W", "S")})
    play(duel, {ada: hands("P", "D"), bram: hands("W", "S")})
    turn = open_turn(duel)
    assert count_missing_wizards(turn) == 1
    assert not seat(duel, bram).awaited
    assert notified_wizards("your_turn", turn) == ["Ada", "Bram"]
    turn = play(duel, {ada: hands("W", "W")})
    assert turn.stage == Stage.RESOLVED


def test_turn_without_any_decision_is_played_at_once(duel: Duel, ada: Wizard, bram: Wizard):
    """Both wizards will have amnesia, so the turn is played in the previous turn's transaction."""
    turn = open_turn(duel)
    position = adjudication.position_after_departures(turn)
    for wizard in position.wizards:
        wizard.effects["amnesia"] = engine.play.Effect(2, 2, sets=("WS",))
    Turn.objects.update(position=engine.play.dump(position))
    play(duel, {ada: hands("W", "S"), bram: hands("W", "S")}, now=LATER)
    stages = Turn.objects.order_by("ordinal").values_list("ordinal", "stage")
    assert list(stages) == [(1, Stage.RESOLVED), (2, Stage.RESOLVED), (3, Stage.ORDERS)]
    assert not Notice.objects.filter(turn__ordinal=2).exists()
    story = stories.story_for_reader(duel, ada, open_turn(duel))
    assert [report.ordinal for report in story.reports] == [1, 2]


def test_duel_without_any_decision_pauses_after_a_number_of_turns(
    duel: Duel, ada: Wizard, bram: Wizard
):
    """Two wizards with permanent amnesia have no choice left.

    After that, one of them must ask for the duel to continue.
    """
    turn = open_turn(duel)
    position = adjudication.position_after_departures(turn)
    for wizard in position.wizards:
        wizard.effects["amnesia"] = engine.play.Effect(2, FOREVER, permanent=True, sets=("--",))
    Turn.objects.update(position=engine.play.dump(position))
    play(duel, {ada: IDLE, bram: IDLE})
    stopped = open_turn(duel)
    assert (stopped.ordinal, count_missing_wizards(stopped)) == (
        resolution.MAX_TURNS_AT_ONCE + 1,
        2,
    )
    assert sweeping.sweep(now=LATER).resolved == 0
    assert [row.mine and row.mine.awaited for row in duel_rows.duels_awaiting(ada, NOW)] == [True]
    seal(duel, ada, IDLE)
    assert resolution.resolve_turn(turn_id=stopped.pk)
    assert open_turn(duel).ordinal == 2 * resolution.MAX_TURNS_AT_ONCE + 1
