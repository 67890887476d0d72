"""Tests of the sweep, which does the work of lost nudges and can run at any time."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from io import StringIO
from unittest import mock

import pytest
from celery import current_app
from django.core.mail import EmailMultiAlternatives
from django.core.management import call_command
from django.db import transaction

import engine.play
from duels import tasks
from duels.clocks.budget import Budget
from duels.commands import challenges, endings, sealing, sweeping, time_keeping
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.models import Duel, DuelStatus, OutboxStatus, Stage, Turn
from duels.post import tasks as post_tasks
from duels.post.commands import queueing
from duels.post.models import Notice
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, seal

pytestmark = pytest.mark.sqlite

IDLE = hands("-", "-")
EMPTY_RESULT = sweeping.SweepResult(resolved=0, failed=0, expired=0)


def test_sweep_resolves_a_turn_whose_message_was_lost(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    sweeping.sweep(now=NOW)
    turn = open_turn(duel)
    seal(duel, cast.ada, IDLE)
    assert sweeping.sweep(now=NOW).resolved == 0
    seal(duel, cast.bram, IDLE)
    assert sweeping.sweep(now=NOW).resolved == 1
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    assert sweeping.sweep(now=NOW) == EMPTY_RESULT


def test_turn_without_a_deadline_waits_indefinitely(cast: Cast):
    """rules: F8. Even ten years later, the turn is played as usual once the opponent has sealed."""
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("W", "P"))
    turn = open_turn(duel)
    assert sweeping.sweep(now=NOW + timedelta(days=3650)).resolved == 0
    assert open_turn(duel) == turn
    seal(duel, cast.bram, IDLE)
    assert sweeping.sweep(now=NOW + timedelta(days=3651)).resolved == 1


def test_sweep_resolves_a_turn_when_all_its_questions_are_answered(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        seal(duel, cast.ada, hands("F", letter))
        seal(duel, cast.bram, IDLE)
        sweeping.sweep(now=NOW)
    turn = open_turn(duel)
    assert turn.stage == Stage.ANSWERS
    sealing.answer_questions(
        turn_id=turn.pk,
        wizard=cast.ada,
        answers={turn.questions[0]["id"]: "L"},
        form_seal="",
        batch=1,
        now=NOW,
    )
    assert sweeping.sweep(now=NOW).resolved == 1


def test_turn_that_fails_does_not_stop_other_turns(cast: Cast):
    broken, sound = begin(cast.ada, cast.bram), begin(cast.cleo, cast.dorn)
    for duel, wizards in ((broken, (cast.ada, cast.bram)), (sound, (cast.cleo, cast.dorn))):
        for wizard in wizards:
            seal(duel, wizard, IDLE)
    resolve = engine.play.resolve

    def fail_or_resolve(position: engine.play.Position, *rest: object) -> object:
        if position.wizard("w0").name == "Ada":
            raise AssertionError
        return resolve(position, *rest)  # type: ignore[arg-type]  # passed on unchanged

    with mock.patch.object(engine.play, "resolve", fail_or_resolve):
        swept = sweeping.sweep(now=NOW)
    assert (swept.resolved, swept.failed) == (1, 1)
    assert open_turn(broken).attempts == 1
    assert open_turn(sound).ordinal == 2
    assert sweeping.sweep(now=NOW).resolved == 1


def test_sweep_stops_when_its_time_is_up_and_the_next_one_continues(cast: Cast):
    for _ in range(3):
        duel = begin(cast.ada, cast.bram)
        for wizard in (cast.ada, cast.bram):
            seal(duel, wizard, IDLE)
    seconds = iter(range(100))  # each reading of the clock takes a second
    budget = Budget(2.5, clock=lambda: next(seconds))
    assert sweeping.sweep(now=NOW, budget=budget).resolved == 2
    assert sweeping.sweep(now=NOW).resolved == 1


def test_sweep_does_not_send_emails_itself(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)
    with mock.patch.object(EmailMultiAlternatives, "send") as asked:
        assert sweeping.sweep(now=NOW).resolved == 1
    assert not asked.called


def test_the_sweep_expires_challenges(cast: Cast):
    duel = challenge(cast.ada)
    late = NOW + timedelta(days=14)
    assert sweeping.sweep(now=late).expired == 1
    duel.refresh_from_db()
    assert duel.status == DuelStatus.LAPSED
    assert sweeping.sweep(now=late) == EMPTY_RESULT


def test_failing_challenge_or_pause_does_not_stop_the_sweep(cast: Cast, monkeypatch, caplog):
    """Other challenges and pauses end, the next steps run, and the sweep reports the failures."""
    ended = [challenge(cast.ada), challenge(cast.bram)]
    paused = [begin(cast.ada, cast.bram, pace="86400"), begin(cast.cleo, cast.dorn, pace="86400")]
    for duel in paused:
        for each in duel.seats.all():
            time_keeping.request_pause(duel_id=duel.pk, wizard=each.wizard, is_paused=None, now=NOW)
    reached = mock.Mock(return_value=0)
    for step in ("play_waiting_opponents", "delete_expired_guests"):
        monkeypatch.setattr(sweeping, step, reached)
    for module in (challenges, queueing):
        monkeypatch.setattr(module, "queue_notices", failing_resolution(ended[0], paused[0]))
    result = sweeping.sweep(now=NOW + timedelta(days=30))
    assert (result.expired, result.failed) == (1, 2)
    assert reached.call_count == 2
    for duel in (*ended, *paused):
        duel.refresh_from_db()
    assert [duel.status for duel in ended] == [DuelStatus.GATHERING, DuelStatus.LAPSED]
    assert [duel.paused_at for duel in paused] == [NOW, None]
    assert f"Failed to expire challenge {ended[0].pk}: RuntimeError" in caplog.text
    assert f"Failed to end pause of duel {paused[0].pk}: RuntimeError" in caplog.text


def failing_resolution(*broken: Duel) -> Callable[[Iterable[Notice]], None]:
    def failing(notices: Iterable[Notice]) -> None:
        if any(each.duel in broken for each in notices):
            raise RuntimeError

    return failing


def test_command_and_task_both_run_the_sweep(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)
    out = StringIO()
    call_command("resolve_due", stdout=out)
    assert "turns resolved 1, failed 0" in out.getvalue()
    out = StringIO()
    call_command("resolve_due", stdout=out)
    assert out.getvalue() == ""
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)
    tasks.sweep()
    assert open_turn(duel).ordinal == 3


@pytest.mark.parametrize("late", [False, True])
def test_each_task_runs_its_command(cast: Cast, late: bool):
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)
    for _ in range(2 if late else 1):
        tasks.resolve_turn(turn.pk)
    assert Turn.objects.count() == 2
    notice = duel.notices.filter(kind="your_turn").first()
    assert notice
    for _ in range(2 if late else 1):
        post_tasks.deliver_notices([notice.pk])
    notice.refresh_from_db()
    assert notice.status == OutboxStatus.SENT


@pytest.mark.parametrize("name", TaskName)
def test_every_task_that_commands_send_is_registered(name: TaskName):
    assert current_app.tasks[name].name == name


@pytest.mark.django_db(transaction=True)
def test_task_is_sent_only_after_the_commit():
    with mock.patch.object(tasks.resolve_turn, "delay") as sent:
        with transaction.atomic():
            send_task_after_commit(TaskName.RESOLVE_TURN, 7)
            assert not sent.called
        sent.assert_called_once_with(7)


def test_sweep_ignores_a_finished_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.bram, IDLE)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    sweeping.sweep(now=NOW)
    assert sweeping.sweep(now=NOW) == EMPTY_RESULT
    assert Duel.objects.get().status == DuelStatus.OVER
