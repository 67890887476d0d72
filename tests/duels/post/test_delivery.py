"""The outbox: a mail is sent once, tried again when it fails, given up visibly, pruned when old."""

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

from duels import outbox
from duels.budget import Budget
from duels.models import OutboxStatus, Wizard
from duels.post import commands as post
from duels.post.models import Notice, NoticeKind
from duels.volatile import cache
from tests.cast import LATER, NOW, Cast, begin, challenge, deliver, hands, play

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


@pytest.fixture
def notice(ada: Wizard, bram: Wizard) -> Notice:
    challenge(ada, bram, words="sesame")
    return Notice.objects.get()


def failing(error: type[BaseException] | BaseException = OSError) -> Any:
    return mock.patch.object(EmailMultiAlternatives, "send", side_effect=error)


def refusing() -> Any:
    """A server that works, and does not take this mail just now."""
    return failing(SMTPDataError(451, b"sesame"))


def deliver_one(notice: Notice, now: datetime = NOW) -> bool:
    sent = post.deliver_notice(notice_id=notice.pk, now=now)
    notice.refresh_from_db()
    return sent


def test_a_notice_is_delivered_once(notice: Notice):
    assert deliver_one(notice, LATER)
    assert not deliver_one(notice, LATER)
    assert len(mail.outbox) == 1
    assert (notice.status, notice.sent_at) == (OutboxStatus.SENT, LATER)


def test_email_of_a_turn_costs_few_statements(cast: Cast):
    """The statements claim the notice, load it and its reader, ask for newer orders, and mark it as
    sent. The first email of a turn also loads the turns played before; the second reuses them."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    counts = []
    for notice in Notice.objects.filter(kind=NoticeKind.YOUR_TURN).order_by("pk"):
        with CaptureQueriesContext(connection) as sent:
            assert post.deliver_notice(notice_id=notice.pk, now=NOW)
        counts.append(len(sent))
    assert counts == [5 + 1, 5]


def test_a_nudge_that_comes_before_its_time_sends_nothing(notice: Notice):
    assert not deliver_one(notice, NOW - MINUTE)
    assert notice.status == OutboxStatus.QUEUED


def test_a_mail_that_fails_is_tried_again_later(notice: Notice, caplog):
    with refusing():
        assert not deliver_one(notice)
    assert (notice.status, notice.attempts) == (OutboxStatus.QUEUED, 1)
    assert notice.last_error.startswith("SMTPDataError at ")
    assert notice.due_at > NOW
    assert f"Notice {notice.pk}" in caplog.text
    assert "sesame" not in caplog.text
    assert deliver(now=NOW) == 0
    assert deliver(now=notice.due_at) == 1
    assert deliver(now=notice.due_at) == 0


def test_a_mail_that_always_fails_is_tried_ever_more_rarely_and_given_up(notice: Notice, caplog):
    pauses, now = [], NOW
    with refusing():
        while notice.status == OutboxStatus.QUEUED:
            deliver_one(notice, now)
            pauses.append(notice.due_at - now)
            now = notice.due_at
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (MINUTE, timedelta(hours=6))
    assert (notice.status, notice.attempts) == (OutboxStatus.FAILED, 13)
    assert now - NOW > timedelta(hours=26)
    assert "given up" in caplog.text
    assert deliver(now=now + DAY) == 0
    assert post.resend_notice(notice_id=notice.pk, now=now)
    assert not post.resend_notice(notice_id=notice.pk, now=now)
    assert deliver(now=now) == 1


# Workers that die


@pytest.mark.parametrize("step", ["emails.message", "_send", "outbox.mark_sent"])
def test_a_notice_claimed_by_a_dead_worker_is_sent_by_another(notice: Notice, step: str):
    name = f"duels.post.commands.delivering.{step}"
    with mock.patch(name, side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        deliver_one(notice)
    assert deliver(now=NOW + MINUTE) == 0
    round_result = post.deliver_due(clock=lambda: NOW + 10 * MINUTE)
    assert (round_result.requeued, round_result.sent) == (1, 1)
    assert len({message.extra_headers["Message-ID"] for message in mail.outbox}) == 1


def test_a_claim_is_of_its_own_moment_not_of_the_beginning_of_the_round(cast: Cast):
    """Each mail takes eleven minutes here. Were the claims as old as the round, the last would be
    taken for a dead worker's while it is being sent."""
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    now = [NOW]
    requeued = []

    def send(message: EmailMultiAlternatives) -> None:
        requeued.append(outbox.requeue_stuck(Notice.objects.all(), now[0]))
        now[0] += 11 * MINUTE

    with mock.patch.object(EmailMultiAlternatives, "send", send):
        assert post.deliver_due(clock=lambda: now[0]).sent == 3
    assert requeued == [0, 0, 0]


def test_who_was_taken_for_dead_does_not_fail_what_another_sends(notice: Notice):
    def take_over_and_fail(message: EmailMultiAlternatives) -> None:
        Notice.objects.update(claimed_at=LATER)  # another has claimed it meanwhile
        raise SMTPDataError(451, b"")

    with mock.patch.object(EmailMultiAlternatives, "send", take_over_and_fail):
        assert not deliver_one(notice)
    assert (notice.status, notice.attempts) == (OutboxStatus.SENDING, 0)


def test_what_a_slow_worker_has_sent_is_not_sent_again(notice: Notice):
    def requeue(message: EmailMultiAlternatives) -> None:
        outbox.requeue_stuck(Notice.objects.all(), NOW + 10 * MINUTE)

    with mock.patch.object(EmailMultiAlternatives, "send", requeue):
        assert deliver_one(notice)
    assert deliver(now=LATER) == 0


# A server that does not answer


@pytest.mark.parametrize("error", [TimeoutError, ConnectionRefusedError])
def test_a_silent_server_is_asked_once_a_minute_not_for_each_mail(cast: Cast, error):
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    with failing(error) as asked:
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


def test_without_a_cache_each_mail_asks_the_server(notice: Notice, monkeypatch):
    monkeypatch.setattr("duels.poll_cache._CacheBackoff.until", 0.0)  # as it is again afterwards
    with (
        mock.patch.object(cache, "get", side_effect=CacheIsAway),
        mock.patch.object(cache, "set", side_effect=CacheIsAway),
    ):
        with failing(TimeoutError):
            assert not deliver_one(notice)
        assert deliver_one(notice, notice.due_at)


def test_a_server_that_refuses_one_mail_is_asked_for_the_next(cast: Cast):
    for opponent in (cast.bram, cast.cleo):
        challenge(cast.ada, opponent)
    with refusing() as asked:
        assert deliver() == 0
    assert asked.call_count == 2


def test_a_round_ends_with_its_budget_and_the_next_goes_on(cast: Cast):
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    seconds = iter(range(100))  # each look at the clock is a second later
    budget = Budget(2.5, clock=lambda: next(seconds))
    assert post.deliver_due(clock=lambda: NOW, budget=budget).sent == 2
    assert post.deliver_due(clock=lambda: NOW).sent == 1


def test_without_workers_a_request_does_not_wait_for_the_mail_server(
    ada: Wizard,
    bram: Wizard,
    settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    settings.POST_NUDGED = False
    with failing() as asked, django_capture_on_commit_callbacks(execute=True):
        challenge(ada, bram)
    assert not asked.called
    call_command("resolve_due", stdout=StringIO())
    assert ["bram@example.org"] in [message.to for message in mail.outbox]


# What is old


def test_what_is_done_with_is_pruned_when_it_is_old(cast: Cast, settings):
    settings.NOTICES_KEPT_DAYS = 30
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    waiting, *finished = Notice.objects.all()
    for notice, status in zip(finished, [OutboxStatus.FAILED, OutboxStatus.DROPPED], strict=True):
        Notice.objects.filter(pk=notice.pk).update(status=status)
    assert post.prune(now=NOW + 30 * DAY) == 0
    Notice.objects.filter(pk=waiting.pk).update(due_at=NOW + 365 * DAY)
    assert post.deliver_due(clock=lambda: NOW + 31 * DAY).pruned == 2
    assert Notice.objects.get() == waiting


def test_the_command_delivers_and_speaks_when_there_is_something_to_say(notice: Notice):
    said = []
    for _ in range(2):
        out = StringIO()
        call_command("deliver_post", stdout=out)
        said.append(out.getvalue())
    # The cast lives in the past: what was sent then is old.
    assert said == ["emails: requeued 0, sent 1, pruned 1\n", ""]
    assert len(mail.outbox) == 1
