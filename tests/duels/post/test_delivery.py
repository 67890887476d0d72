"""The outbox: emails are sent once, retried a limited number of times, and deleted when old."""

from datetime import datetime, timedelta
from io import StringIO
from smtplib import SMTPDataError
from typing import Any
from unittest import mock

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks
from redis.exceptions import ConnectionError as CacheIsAway

from duels.caching.volatile import cache
from duels.clocks.budget import Budget
from duels.commands import challenges
from duels.delivery import outbox
from duels.models import OutboxStatus, Wizard
from duels.post import queries
from duels.post.commands import delivering
from duels.post.models import Notice
from duels.screens.mail.context import mail_context
from tests.cast import LATER, NOW, Cast, begin, challenge, deliver, hands, play

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


@pytest.fixture
def notice(ada: Wizard, bram: Wizard) -> Notice:
    challenge(ada, bram, words="sesame")
    return Notice.objects.get()


def failing_send(error: type[BaseException] | BaseException = OSError) -> Any:
    return mock.patch.object(EmailMultiAlternatives, "send", side_effect=error)


def rejecting_server() -> Any:
    """A server that works but temporarily rejects this email."""
    return failing_send(SMTPDataError(451, b"sesame"))


def deliver_one(notice: Notice, now: datetime = NOW) -> bool:
    sent = delivering.deliver_notice(notice_id=notice.pk, now=now)
    notice.refresh_from_db()
    return sent


def test_email_of_a_notice_is_sent_once(notice: Notice):
    assert deliver_one(notice, LATER)
    assert not deliver_one(notice, LATER)
    assert len(mail.outbox) == 1
    assert (notice.status, notice.sent_at) == (OutboxStatus.SENT, LATER)


def test_email_about_a_turn_needs_few_database_queries(cast: Cast):
    """The number of queries is limited for each email about a turn.

    The queries claim the notice, load it and its reader, look for spellings of the address that are
    turned off and for newer orders, and mark the notice as sent. The first email of a turn also
    loads the turns played before; the second reuses them.
    """
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    counts = []
    for notice in Notice.objects.filter(kind="your_turn").order_by("pk"):
        with CaptureQueriesContext(connection) as sent:
            assert delivering.deliver_notice(notice_id=notice.pk, now=NOW)
        counts.append(len(sent))
    assert counts == [6 + 1, 6]


def test_nudge_before_a_notice_is_due_sends_nothing(notice: Notice):
    assert not deliver_one(notice, NOW - MINUTE)
    assert notice.status == OutboxStatus.QUEUED


def test_failed_email_is_retried_later(notice: Notice, caplog):
    with rejecting_server():
        assert not deliver_one(notice)
    assert (notice.status, notice.attempts) == (OutboxStatus.QUEUED, 1)
    assert notice.last_error.startswith("SMTPDataError at ")
    assert notice.due_at > NOW
    assert f"Notice {notice.pk}" in caplog.text
    assert "sesame" not in caplog.text
    assert deliver(now=NOW) == 0
    assert deliver(now=notice.due_at) == 1
    assert deliver(now=notice.due_at) == 0


def test_failing_email_is_retried_at_increasing_intervals_and_then_abandoned(
    notice: Notice, caplog
):
    pauses, now = [], NOW
    with rejecting_server():
        while notice.status == OutboxStatus.QUEUED:
            deliver_one(notice, now)
            pauses.append(notice.due_at - now)
            now = notice.due_at
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (MINUTE, timedelta(hours=6))
    assert (notice.status, notice.attempts) == (OutboxStatus.FAILED, 13)
    assert now - NOW > timedelta(hours=26)
    assert "no more attempts" in caplog.text
    assert deliver(now=now + DAY) == 0
    assert delivering.resend_notice(notice_id=notice.pk, now=now)
    assert not delivering.resend_notice(notice_id=notice.pk, now=now)
    assert deliver(now=now) == 1


# Notices whose worker has died


@pytest.mark.parametrize("step", ["emails.email_for", "_send_email", "outbox.mark_sent"])
def test_notice_claimed_by_a_dead_worker_is_sent_by_another(notice: Notice, step: str):
    name = f"duels.post.commands.delivering.{step}"
    with mock.patch(name, side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        deliver_one(notice)
    assert deliver(now=NOW + MINUTE) == 0
    round_result = delivering.deliver_due(clock=lambda: NOW + 10 * MINUTE)
    assert (round_result.requeued, round_result.sent) == (1, 1)
    assert len({message.extra_headers["Message-ID"] for message in mail.outbox}) == 1


def test_outdated_email_of_a_dead_worker_is_listed_as_probably_sent(notice: Notice, bram: Wizard):
    """The worker dies after the server has accepted the email; then Bram declines the challenge."""
    name = "duels.post.commands.delivering.outbox.mark_sent"
    with mock.patch(name, side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        deliver_one(notice)
    assert len(mail.outbox) == 1
    challenges.decline(duel_id=notice.the_duel.pk, wizard=bram, now=NOW)
    assert queries.notified_wizards("challenged", notice.the_duel) == {bram.pk}
    assert delivering.deliver_due(clock=lambda: NOW + 10 * MINUTE).requeued == 1
    notice.refresh_from_db()
    assert (notice.status, notice.dropped_for) == (OutboxStatus.DROPPED, "outdated")
    assert queries.notified_wizards("challenged", notice.the_duel) == {bram.pk}
    (line,) = (line for line in mail_context(bram)["log"] if line.letter == notice)
    assert line.words.startswith("probably sent")
    assert delivering.resend_notice(notice_id=notice.pk, now=LATER)
    notice.refresh_from_db()
    assert not notice.was_interrupted


def test_claim_is_timed_from_its_own_start_not_from_the_start_of_the_round(cast: Cast):
    """Sending each email takes eleven minutes.

    If claims were timed from the start of the round, another worker would take over the last one
    while it is still being sent.
    """
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    now = [NOW]
    requeued = []

    def send_slowly(message: EmailMultiAlternatives) -> None:
        requeued.append(outbox.requeue_stuck(Notice.objects.all(), now[0]))
        now[0] += 11 * MINUTE

    with mock.patch.object(EmailMultiAlternatives, "send", send_slowly):
        assert delivering.deliver_due(clock=lambda: now[0]).sent == 3
    assert requeued == [0, 0, 0]


def test_late_failure_of_a_slow_worker_does_not_affect_the_next_claim(notice: Notice):
    def take_over_and_fail(message: EmailMultiAlternatives) -> None:
        Notice.objects.update(claimed_at=LATER)  # another worker claims the notice meanwhile
        raise SMTPDataError(451, b"")

    with mock.patch.object(EmailMultiAlternatives, "send", take_over_and_fail):
        assert not deliver_one(notice)
    assert (notice.status, notice.attempts) == (OutboxStatus.SENDING, 0)


def test_email_sent_by_a_slow_worker_is_not_sent_again(notice: Notice):
    def requeue(message: EmailMultiAlternatives) -> None:
        outbox.requeue_stuck(Notice.objects.all(), NOW + 10 * MINUTE)

    with mock.patch.object(EmailMultiAlternatives, "send", requeue):
        assert deliver_one(notice)
    assert deliver(now=LATER) == 0


# A server that does not respond


@pytest.mark.parametrize("error", [TimeoutError, ConnectionRefusedError])
def test_server_that_does_not_respond_is_tried_once_a_minute(cast: Cast, error):
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    with failing_send(error) as asked:
        assert deliver() == 0
        assert deliver() == 0
        assert asked.call_count == 1
        for waiting in Notice.objects.filter(attempts=0):
            assert not deliver_one(waiting)
            assert waiting.due_at == NOW + MINUTE
        assert asked.call_count == 1
        assert deliver(now=NOW + MINUTE) == 0
        assert asked.call_count == 2
    assert deliver(now=NOW + 4 * MINUTE) == 3


def test_each_email_tries_the_mail_server_if_there_is_no_cache(notice: Notice, monkeypatch):
    monkeypatch.setattr("duels.caching.poll_cache._CacheBackoff.until", 0.0)  # reset after the test
    with (
        mock.patch.object(cache, "get", side_effect=CacheIsAway),
        mock.patch.object(cache, "set", side_effect=CacheIsAway),
    ):
        with failing_send(TimeoutError):
            assert not deliver_one(notice)
        assert deliver_one(notice, notice.due_at)


def test_rejected_email_does_not_stop_the_next_one(cast: Cast):
    for opponent in (cast.bram, cast.cleo):
        challenge(cast.ada, opponent)
    with rejecting_server() as asked:
        assert deliver() == 0
    assert asked.call_count == 2


def test_delivery_round_stops_when_its_time_is_up_and_the_next_one_continues(cast: Cast):
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    seconds = iter(range(100))  # each reading of the clock takes a second
    budget = Budget(2.5, clock=lambda: next(seconds))
    assert delivering.deliver_due(clock=lambda: NOW, budget=budget).sent == 2
    assert delivering.deliver_due(clock=lambda: NOW).sent == 1


def test_requests_do_not_wait_for_the_mail_server_if_there_are_no_workers(
    ada: Wizard,
    bram: Wizard,
    settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    settings.POST_SENT_IMMEDIATELY = False
    with failing_send() as asked, django_capture_on_commit_callbacks(execute=True):
        challenge(ada, bram)
    assert not asked.called
    call_command("resolve_due", stdout=StringIO())
    assert ["bram@example.org"] in [message.to for message in mail.outbox]


# Pruning


def test_old_finished_notices_are_pruned(cast: Cast, settings):
    settings.NOTICES_KEPT_DAYS = 30
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    waiting, *finished = Notice.objects.all()
    for notice, status in zip(finished, [OutboxStatus.FAILED, OutboxStatus.DROPPED], strict=True):
        Notice.objects.filter(pk=notice.pk).update(status=status)
    assert delivering.delete_old_notices(now=NOW + 30 * DAY) == 0
    Notice.objects.filter(pk=waiting.pk).update(due_at=NOW + 365 * DAY)
    assert delivering.deliver_due(clock=lambda: NOW + 31 * DAY).pruned == 2
    assert Notice.objects.get() == waiting


def test_command_delivers_emails_and_prints_only_if_there_were_any(notice: Notice):
    said = []
    for _ in range(2):
        out = StringIO()
        call_command("deliver_post", stdout=out)
        said.append(out.getvalue())
    # NOW is in the past, so the sent email is already old enough to be pruned
    assert said == ["emails: requeued 0, sent 1, pruned 1\n", ""]
    assert len(mail.outbox) == 1
