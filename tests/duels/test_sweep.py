"""The sweep finds what nudges have missed, and runs as often as one likes."""

from datetime import timedelta
from io import StringIO
from unittest import mock

import pytest
from django.core.management import call_command

import engine
from duels import commands, tasks
from duels.models import Duel, DuelStatus, NoticeStatus, Stage, Turn
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, seal

IDLE = hands("-", "-")
NOTHING = commands.Swept(resolved=0, failed=0, expired=0, requeued=0, sent=0)


def test_a_lost_message_costs_minutes_and_never_a_turn(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    commands.sweep(now=NOW)
    turn = open_turn(duel)
    seal(duel, cast.ada, IDLE)
    assert commands.sweep(now=NOW).resolved == 0
    seal(duel, cast.bram, IDLE)
    swept = commands.sweep(now=NOW)
    assert (swept.resolved, swept.sent) == (1, 2)
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    assert commands.sweep(now=NOW) == NOTHING


def test_a_turn_waits_as_long_as_it_takes(cast: Cast):
    """rules: F8. Ten years later the other's orders play it as if they had come at once."""
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("W", "P"))
    turn = open_turn(duel)
    assert commands.sweep(now=NOW + timedelta(days=3650)).resolved == 0
    assert open_turn(duel) == turn
    seal(duel, cast.bram, IDLE)
    assert commands.sweep(now=NOW + timedelta(days=3651)).resolved == 1


def test_answers_that_nobody_was_told_of(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        seal(duel, cast.ada, hands("F", letter))
        seal(duel, cast.bram, IDLE)
        commands.sweep(now=NOW)
    turn = open_turn(duel)
    assert turn.stage == Stage.ANSWERS
    commands.answer_questions(
        turn_id=turn.pk,
        wizard=cast.ada,
        answers={turn.questions[0]["id"]: "L"},
        form_seal="",
        now=NOW,
    )
    assert commands.sweep(now=NOW).resolved == 1


def test_one_turn_that_fails_does_not_hold_up_the_others(cast: Cast):
    broken, sound = begin(cast.ada, cast.bram), begin(cast.cleo, cast.dorn)
    for duel, wizards in ((broken, (cast.ada, cast.bram)), (sound, (cast.cleo, cast.dorn))):
        for wizard in wizards:
            seal(duel, wizard, IDLE)
    resolve = engine.resolve

    def fail(position: engine.Position, *rest: object) -> object:
        if position.wizard("w0").name == "Ada":
            raise AssertionError
        return resolve(position, *rest)  # type: ignore[arg-type]  # handed on as it came

    with mock.patch.object(engine, "resolve", fail):
        swept = commands.sweep(now=NOW)
    assert (swept.resolved, swept.failed) == (1, 1)
    assert open_turn(broken).attempts == 1
    assert open_turn(sound).ordinal == 2
    assert commands.sweep(now=NOW).resolved == 1


def test_challenges_expire(cast: Cast):
    duel = challenge(cast.ada)
    late = NOW + timedelta(days=14)
    assert commands.sweep(now=late).expired == 1
    duel.refresh_from_db()
    assert duel.status == DuelStatus.LAPSED
    assert commands.sweep(now=late) == NOTHING


def test_the_command_and_the_task_sweep(cast: Cast):
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
def test_tasks_call_their_commands(cast: Cast, late: bool):
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)
    for _ in range(2 if late else 1):
        tasks.resolve_turn(turn.pk)
    assert Turn.objects.count() == 2
    notice = duel.notices.first()
    assert notice
    for _ in range(2 if late else 1):
        tasks.deliver_notice(notice.pk)
    notice.refresh_from_db()
    assert notice.status == NoticeStatus.SENT


def test_a_duel_that_is_over_is_left_alone(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.bram, IDLE)
    commands.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    commands.sweep(now=NOW)
    assert commands.sweep(now=NOW) == NOTHING
    assert Duel.objects.get().status == DuelStatus.OVER
