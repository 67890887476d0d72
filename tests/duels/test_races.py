"""Promise 3: events that arrive simultaneously, twice or late take effect only once.

The tests use real threads, each with its own connection, on SQLite in a file and on PostgreSQL.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core import mail
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from duels import errors, tasks
from duels.commands import challenges, endings, profiles, resolution, speaking, sweeping
from duels.commands.locking import lock_turn
from duels.commands.sealing import seal_orders, unseal
from duels.models import (
    Duel,
    DuelStatus,
    Marker,
    Orders,
    OutboxStatus,
    SealSource,
    Seat,
    Stage,
    Turn,
    Wizard,
)
from duels.post.commands import choosing, delivering
from duels.post.models import Notice
from tests import daily, services
from tests.cast import (
    NOW,
    Cast,
    begin,
    challenge,
    count_missing_wizards,
    hands,
    make_user,
    open_turn,
    seal,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

FAILED_TASK = "raised unexpected"  # in the log of a worker
IDLE = hands("-", "-")
# How often each race is run, because the order of events varies.
ROUNDS = 8 if daily.IS_WHOLE else 3
PATIENCE_SECONDS = 120


def run_simultaneously(*calls: Callable[[], Any]) -> list[Any]:
    """Run these calls at the same time, and return their results, or their codes if rejected."""
    barrier = threading.Barrier(len(calls))
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(partial(_call_after, barrier), calls))


def _call_after(barrier: threading.Barrier, call: Callable[[], Any]) -> Any:
    try:
        barrier.wait(PATIENCE_SECONDS)
        return call()
    except errors.Refused as refused:
        return refused.code
    finally:
        connection.close()


def seal_call(
    turn: Turn, wizard: Wizard, fields: dict[str, str] = IDLE, chance: str = ""
) -> Callable[[], Orders]:
    return partial(
        seal_orders,
        turn_id=turn.pk,
        wizard=wizard,
        fields=fields,
        form_seal="",
        now=NOW,
        chance=chance,
    )


def assert_resolved_once(turns: Iterable[Turn]) -> None:
    """Check that each turn was resolved once and caused one new turn and one email per wizard."""
    for turn in turns:
        turn.refresh_from_db()
        assert (turn.stage, turn.attempts) == (Stage.RESOLVED, 0)
        assert list(Turn.objects.filter(duel=turn.duel_id).values_list("ordinal", flat=True)) == [
            1,
            2,
        ]
        told = Notice.objects.filter(duel=turn.duel_id, kind="your_turn")
        assert told.count() == 2


def test_two_simultaneous_last_seals_resolve_a_turn_once(cast: Cast):
    turns = [open_turn(begin(cast.ada, cast.bram)) for _ in range(ROUNDS)]
    for turn in turns:
        run_simultaneously(seal_call(turn, cast.ada), seal_call(turn, cast.bram))
    assert_resolved_once(turns)


def test_command_sees_seals_committed_while_it_waited_for_the_lock(cast: Cast):
    """The query that waits for the lock also reads the rows, but only once it has the lock."""
    turn = open_turn(begin(cast.ada, cast.bram))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            seal_call(turn, cast.ada)()
            waiting = pool.submit(unsealed_under_lock, turn)
            if connection.vendor == "postgresql":
                wait_until(is_anyone_waiting, "nobody waits for the lock")
        assert waiting.result(PATIENCE_SECONDS) == ("w1",)


def unsealed_under_lock(turn: Turn) -> tuple[str, ...]:
    try:
        with transaction.atomic():
            return lock_turn(turn.pk).unsealed_wizards
    finally:
        connection.close()


def is_anyone_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        (found,) = cursor.fetchone()
    return bool(found)


def complete_turn(cast: Cast, *, pace: str = "none") -> Turn:
    """Return a turn that everyone has sealed, but for which all nudges were lost."""
    duel = begin(cast.ada, cast.bram, pace=pace)
    with mock.patch("duels.commands.sealing.request_resolution"):
        for wizard in (cast.ada, cast.bram):
            seal(duel, wizard, IDLE)
    return open_turn(duel)


def test_many_workers_with_the_same_message_resolve_a_turn_once(cast: Cast):
    for _ in range(ROUNDS):
        turn = complete_turn(cast)
        answers = run_simultaneously(*[partial(resolution.resolve_turn, turn_id=turn.pk)] * 4)
        assert sorted(answers) == [False, False, False, True]
        assert_resolved_once([turn])


def test_sweep_resolves_a_turn_once_after_its_worker_was_killed(cast: Cast):
    """The worker dies after writing everything, but before the commit. The sweep does it again."""
    turn = complete_turn(cast)
    connection.close()  # the connection must not be shared with the child process
    child = os.fork()
    if child == 0:
        with mock.patch("duels.commands.resolution.notify", kill_myself):
            resolution.resolve_turn(turn_id=turn.pk)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    turn.refresh_from_db()
    assert (turn.stage, count_missing_wizards(turn), turn.attempts) == (Stage.ORDERS, 0, 0)
    assert sweeping.sweep(now=NOW).resolved == 1
    assert_resolved_once([turn])


def kill_myself(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_one_of_two_different_forms_sealed_at_once_is_rejected_as_stale(cast: Cast):
    """Only the orders of the accepted form are sealed."""
    for _ in range(ROUNDS):
        turn = open_turn(begin(cast.ada, cast.bram))
        answers = run_simultaneously(
            seal_call(turn, cast.ada, hands("W", "P")), seal_call(turn, cast.ada, hands("S", "S"))
        )
        assert "stale" in answers
        assert Orders.objects.filter(turn=turn, superseded=False).count() == 1


def test_double_click_seals_once(cast: Cast):
    """The browser sends different random bytes with each click."""
    for _ in range(ROUNDS):
        turn = open_turn(begin(cast.ada, cast.bram))
        clicks = [seal_call(turn, cast.ada, chance=chance * 16) for chance in ("0f", "f0")]
        one, other = run_simultaneously(*clicks)
        assert one == other
        assert Orders.objects.filter(turn=turn).count() == 1


def test_simultaneous_seal_and_resignation_leave_no_turn_open(cast: Cast):
    for _ in range(ROUNDS):
        duel = begin(cast.ada, cast.bram)
        turn = open_turn(duel)
        seal(duel, cast.ada, IDLE)
        run_simultaneously(
            seal_call(turn, cast.bram),
            partial(endings.resign, duel_id=duel.pk, wizard=cast.ada, now=NOW),
        )
        duel.refresh_from_db()
        assert (duel.status, duel.ended) == (DuelStatus.OVER, "resigned")
        assert not Turn.objects.filter(duel=duel, stage__in=["orders", "answers"]).exists()


def test_last_seal_and_taking_a_seal_back_are_serialised(cast: Cast):
    """If the seal was taken back, the turn waits for that wizard. Otherwise it is resolved."""
    for _ in range(ROUNDS):
        duel = begin(cast.ada, cast.bram)
        turn = open_turn(duel)
        seal(duel, cast.ada, IDLE)
        taken, _ = run_simultaneously(
            partial(unseal, turn_id=turn.pk, wizard=cast.ada, now=NOW),
            seal_call(turn, cast.bram),
        )
        turn.refresh_from_db()
        assert (turn.stage == Stage.RESOLVED) == (taken == "turn_over")
        assert count_missing_wizards(turn) == (0 if taken == "turn_over" else 1)


def test_only_one_wizard_can_take_the_last_seat_of_a_challenge(cast: Cast):
    for _ in range(ROUNDS):
        duel = challenge(cast.ada)
        answers = run_simultaneously(
            *[
                partial(challenges.accept, duel_id=duel.pk, wizard=wizard, now=NOW)
                for wizard in (cast.bram, cast.cleo)
            ]
        )
        assert duel in answers
        assert "has_started" in answers
        assert Seat.objects.filter(duel=duel).count() == 2
        assert Turn.objects.filter(duel=duel).count() == 1


def test_challenge_that_is_accepted_and_withdrawn_at_once_either_starts_or_ends(cast: Cast):
    for _ in range(ROUNDS):
        duel = challenge(cast.ada, cast.bram)
        run_simultaneously(
            partial(challenges.accept, duel_id=duel.pk, wizard=cast.bram, now=NOW),
            partial(challenges.withdraw, duel_id=duel.pk, wizard=cast.ada, now=NOW),
        )
        duel.refresh_from_db()
        is_played = Turn.objects.filter(duel=duel).exists()
        assert duel.status == (DuelStatus.RUNNING if is_played else DuelStatus.LAPSED)


def test_two_simultaneous_draw_offers_end_the_duel(cast: Cast):
    for _ in range(ROUNDS):
        duel = begin(cast.ada, cast.bram)
        run_simultaneously(
            *[
                partial(endings.offer_draw, duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
                for wizard in (cast.ada, cast.bram)
            ]
        )
        duel.refresh_from_db()
        assert (duel.status, duel.result) == (DuelStatus.OVER, "draw")


def fatal_turn(winner: Wizard, loser: Wizard) -> Turn:
    """Return a turn that everyone has sealed, in which a stab will kill the loser."""
    duel = begin(winner, loser, ruleset="wizards-1")
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    with mock.patch("duels.commands.sealing.request_resolution"):
        seal(duel, winner, hands(">", "-"))
        seal(duel, loser, IDLE)
    return turn


def test_wizard_who_dies_in_two_duels_at_once_gives_back_markers_once(cast: Cast):
    """Each winner takes one marker, and the dead wizard's markers are given back once. R114"""
    for number in range(ROUNDS):
        for loser in (cast.cleo, cast.dorn):
            duel = begin(cast.bram, loser, ruleset="wizards-1")
            endings.resign(duel_id=duel.pk, wizard=loser, now=NOW)
        deaths = [fatal_turn(winner, cast.bram) for winner in (cast.ada, cast.cleo)]
        calls = [partial(resolution.resolve_turn, turn_id=turn.pk) for turn in deaths]
        assert sorted(run_simultaneously(*calls, *calls)) == [False, False, True, True]
        assert not Marker.objects.filter(holder=cast.bram, returned_at=None).exists()
        for winner, turn in zip((cast.ada, cast.cleo), deaths, strict=True):
            won = Marker.objects.filter(duel=turn.duel_id, returned_at=None)
            assert [(row.holder, row.bears) for row in won] == [(winner, cast.bram)]
        assert Marker.objects.filter(holder=cast.bram).count() == 2 * (number + 1)


def test_two_simultaneous_rematch_requests_create_one_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    run_simultaneously(
        *[
            partial(challenges.request_rematch, duel_id=duel.pk, wizard=wizard, now=NOW)
            for wizard in (cast.ada, cast.bram)
        ]
    )
    assert Duel.objects.get(rematch_of=duel).status == DuelStatus.RUNNING


def test_only_one_of_two_simultaneous_users_can_take_a_name(cast: Cast):
    for number in range(ROUNDS):
        users = [make_user(f"{side}{number}@example.org") for side in ("one", "two")]
        answers = run_simultaneously(
            *[
                partial(
                    profiles.create_wizard,
                    user=user,
                    name=f"Twin {number} x",
                    pronouns="she",
                    now=NOW,
                )
                for user in users
            ]
        )
        assert "name_taken" in answers
        assert Wizard.objects.filter(name=f"Twin {number} x").count() == 1


def test_double_click_creates_one_wizard(cast: Cast):
    for number in range(ROUNDS):
        user = make_user(f"new{number}@example.org")
        name = partial(
            profiles.create_wizard,
            user=user,
            name=f"Newt {number} x",
            pronouns="it",
            now=NOW,
        )
        one, other = run_simultaneously(name, name)
        assert one == other


def test_many_simultaneous_tasks_deliver_an_email_once(cast: Cast):
    for _ in range(ROUNDS):
        challenge(cast.ada, cast.bram)
        notice = Notice.objects.latest("pk")
        Notice.objects.filter(pk=notice.pk).update(status=OutboxStatus.QUEUED)
        mail.outbox.clear()
        answers = run_simultaneously(*[partial(delivering.deliver_notice, notice_id=notice.pk)] * 4)
        assert sorted(answers) == [False, False, False, True]
        assert len(mail.outbox) == 1


def test_message_written_while_an_email_is_being_sent_is_emailed_once(cast: Cast):
    """The message is in either that email or the next one."""
    today, minutes = timezone.now(), timedelta(minutes=6)  # emails wait for five minutes
    choosing.set_mail_choice(
        wizard=cast.ada, when="every", hour=8, though_here=False, words=True, now=NOW
    )
    for number in range(ROUNDS):
        duel = begin(cast.ada, cast.bram)
        now = today + timedelta(days=number)  # another day, because limits apply per day
        say = partial(speaking.send_message, duel_id=duel.pk, wizard=cast.bram, now=now)
        say(words="first")
        notices = Notice.objects.filter(kind="said", duel=duel)
        mail.outbox.clear()
        run_simultaneously(
            partial(delivering.deliver_notice, notice_id=notices.get().pk, now=now + minutes),
            partial(say, words="second"),
        )
        for each in notices.filter(status=OutboxStatus.QUEUED):
            delivering.deliver_notice(notice_id=each.pk, now=now + minutes)
        told = [str(each.body) for each in mail.outbox if "Message" in each.subject]
        assert [sum(words in body for body in told) for words in ("first", "second")] == [1, 1]


def test_simultaneous_sweeps_resolve_turns_and_expire_challenges_once(cast: Cast):
    turn = complete_turn(cast)
    challenge(cast.ada, now=NOW.replace(year=2020))
    swept = run_simultaneously(*[partial(sweeping.sweep, now=NOW)] * 3)
    assert sum(one.resolved for one in swept) == 1
    assert sum(one.expired for one in swept) == 1
    assert sum(one.failed for one in swept) == 0
    assert_resolved_once([turn])


def test_simultaneous_sweeps_handle_each_deadline_once(cast: Cast):
    """The test has two duels with extensions and two without.

    Late wizards get an extension in the first kind, and default orders in the second.
    """
    day = str(24 * 3600)
    excused = [begin(cast.ada, cast.bram, pace=day, excuses=1) for _ in range(2)]
    missed = [begin(cast.ada, cast.bram, pace=day) for _ in range(2)]
    for duel in (*excused, *missed):
        seal(duel, cast.ada, IDLE)
    swept = run_simultaneously(*[partial(sweeping.sweep, now=NOW + timedelta(days=1))] * 3)
    assert sum(one.deadlines.excuses for one in swept) == 2
    assert sum(one.deadlines.defaults for one in swept) == 2
    assert sum(one.failed for one in swept) == 0
    played = Turn.objects.filter(duel__in=missed, stage=Stage.RESOLVED)
    assert played.count() == 2
    assert Orders.objects.filter(source=SealSource.DEFAULT).count() == 2


# Tests with a real broker and real workers

SEAL_PAIRS = 200 if daily.IS_WHOLE else 60
DUELS = 100 if daily.IS_WHOLE else 40
CONNECTIONS = 38  # simultaneous, in addition to those of this thread and the worker


@pytest.mark.services
@pytest.mark.timeout(900)
def test_many_pairs_of_simultaneous_last_seals_resolve_each_turn_once(
    cast: Cast, celery_workers: Path
):
    """Both seals send nudges, and the test adds early, duplicate and late messages."""
    with mock.patch("duels.post.commands.queueing.queue_notices"):  # without emails
        turns = [open_turn(begin(cast.ada, cast.bram)) for _ in range(SEAL_PAIRS)]
    calls: list[Callable[[], Any]] = []
    for turn in turns:
        barrier = threading.Barrier(2)
        for wizard in (cast.ada, cast.bram):
            calls.append(partial(_call_after, barrier, seal_call(turn, wizard)))
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        sealed = [pool.submit(call) for call in calls]
        for turn in turns:
            tasks.resolve_turn.delay(turn.pk)
        for one in sealed:
            assert isinstance(one.result(PATIENCE_SECONDS), Orders)
    for turn in turns:
        tasks.resolve_turn.delay(turn.pk)
    wait_until(lambda: not count_unresolved(turns), f"turns left over: {count_unresolved(turns)}")
    for turn in turns:
        tasks.resolve_turn.delay(turn.pk)
    wait_until(lambda: not undelivered_notices().exists(), "emails left over")
    assert_resolved_once(turns)
    assert FAILED_TASK not in celery_workers.read_text()


@pytest.mark.services
def test_workers_resolve_a_turn_and_send_its_emails(cast: Cast, celery_workers: Path):
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)
    wait_until(lambda: not count_unresolved([turn]), "the turn is left over")
    sent = Notice.objects.filter(turn__ordinal=2, status=OutboxStatus.SENT)
    wait_until(lambda: sent.count() == 2, "emails left over")
    assert_resolved_once([turn])


@pytest.mark.services
def test_worker_continues_after_its_database_connections_were_cut(cast: Cast, celery_workers: Path):
    """A worker keeps connections between tasks, so it must check them before each task."""
    duel = begin(cast.ada, cast.bram)
    for _ in range(3):
        turn = open_turn(duel)
        for wizard in (cast.ada, cast.bram):
            seal(duel, wizard, IDLE)
        wait_until(partial(is_resolved, turn), "the turn is left over")
        wait_until(lambda: not undelivered_notices().exists(), "emails left over")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    assert not Turn.objects.exclude(attempts=0).exists()
    assert FAILED_TASK not in celery_workers.read_text()


@pytest.mark.services
def test_turns_do_not_wait_for_a_mail_server_that_does_not_respond(
    cast: Cast, start_workers: Callable[..., Path]
):
    """Every turn is resolved while the first emails are still being sent.

    No email has failed yet, because the timeout is longer than the test.
    """
    with services.silent_server() as port:
        log = start_workers(f"smtp://127.0.0.1:{port}", EMAIL_TIMEOUT="300")
        turns = [open_turn(begin(cast.ada, cast.bram)) for _ in range(DUELS)]
        sending = Notice.objects.filter(status=OutboxStatus.SENDING)
        wait_until(lambda: sending.count() == 2, "the post does not begin")  # two processes
        for turn in turns:
            for wizard in (cast.ada, cast.bram):
                seal_call(turn, wizard)()
        wait_until(lambda: not count_unresolved(turns), "turns wait for the post")
        assert sending.count() == 2
        assert not Notice.objects.filter(Q(attempts__gt=0) | Q(status=OutboxStatus.SENT)).exists()
        assert_resolved_once(turns)
        assert FAILED_TASK not in log.read_text()


def is_resolved(turn: Turn) -> bool:
    return not count_unresolved([turn])


def undelivered_notices() -> QuerySet[Notice]:
    """Return notices that have neither been sent nor dropped."""
    return Notice.objects.exclude(status__in=[OutboxStatus.SENT, OutboxStatus.DROPPED])


def count_unresolved(turns: Sequence[Turn]) -> int:
    open_ones = Turn.objects.filter(pk__in=[turn.pk for turn in turns])
    return open_ones.exclude(stage=Stage.RESOLVED).count()


def wait_until(true: Callable[[], bool], otherwise: str) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < give_up, otherwise
        time.sleep(0.1)
