"""The single SMTP connection for all emails of a round, tested with a real server.

A broken connection is closed, and does not cause emails to be sent twice.
"""

import os
import pkgutil
import signal
import smtplib
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from duels.delivery.outbox import RoundCounts
from duels.models import OutboxStatus
from duels.post import emails, outgoing
from duels.post.bounce_address import make_bounce_address
from duels.post.commands import delivering
from duels.post.models import Notice, SilencedAddress
from tests import services
from tests.cast import NOW, Cast, begin, challenge, deliver

ORIGINAL_CONNECT = smtplib.SMTP.connect
DUEL_COUNT = 5  # duels, each with two notices


@pytest.fixture
def smtp_mail_sink(mail_sink: services.MailSink, settings: Settings) -> services.MailSink:
    settings.POST_SENT_IMMEDIATELY = False
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", urlsplit(mail_sink.url).port
    return mail_sink


@pytest.fixture
def connection_spy() -> Iterator[mock.MagicMock]:
    with mock.patch.object(
        smtplib.SMTP, "connect", autospec=True, side_effect=ORIGINAL_CONNECT
    ) as spy:
        yield spy


def notice_statuses() -> Counter[str]:
    return Counter(Notice.objects.values_list("status", flat=True))


def test_emails_of_a_round_use_one_connection(
    cast: Cast, smtp_mail_sink: services.MailSink, connection_spy: mock.MagicMock
):
    for _ in range(DUEL_COUNT):
        begin(cast.ada, cast.bram)
    with mock.patch.object(smtplib.SMTP, "quit", autospec=True, side_effect=smtplib.SMTP.quit) as q:
        assert deliver() == 2 * DUEL_COUNT
    assert (connection_spy.call_count, q.call_count) == (1, 1)
    assert len({mail["Message-ID"] for mail in smtp_mail_sink.mails}) == 2 * DUEL_COUNT


def test_emails_about_one_change_use_one_connection(
    cast: Cast,
    smtp_mail_sink: services.MailSink,
    connection_spy: mock.MagicMock,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    settings.POST_SENT_IMMEDIATELY = True
    with django_capture_on_commit_callbacks(execute=True):
        begin(cast.ada, cast.bram, cast.cleo)
    assert connection_spy.call_count == 1
    assert notice_statuses()["sent"] == 3


def test_failed_email_does_not_stop_the_other_emails_of_its_task(
    cast: Cast, smtp_mail_sink: services.MailSink
):
    written = emails.email_for
    begin(cast.ada, cast.bram, cast.cleo)

    def fail_for_ada(letter: Sequence[Notice]) -> EmailMultiAlternatives | None:
        if letter[0].wizard_id == cast.ada.pk:
            raise RuntimeError
        return written(letter)

    started = Notice.objects.filter(kind="started").order_by("wizard")
    with mock.patch.object(emails, "email_for", side_effect=fail_for_ada):
        delivering.deliver_notices(notice_ids=started.values_list("pk", flat=True))
    assert [notice.status for notice in started] == ["queued", "sent", "sent"]


def test_round_without_emails_does_not_connect_to_the_server(
    cast: Cast, smtp_mail_sink: services.MailSink, connection_spy: mock.MagicMock
):
    assert deliver() == 0
    assert not connection_spy.called


def test_connection_is_renewed_after_a_number_of_emails(
    cast: Cast, smtp_mail_sink: services.MailSink, connection_spy: mock.MagicMock, monkeypatch
):
    monkeypatch.setattr(outgoing, "MAX_EMAILS_PER_CONNECTION", 4)
    for _ in range(DUEL_COUNT):
        begin(cast.ada, cast.bram)
    assert deliver() == 2 * DUEL_COUNT
    assert connection_spy.call_count == 3


@pytest.mark.parametrize("answer", [smtplib.SMTPServerDisconnected(), TimeoutError(), (421, b"")])
def test_broken_connection_is_reopened(
    cast: Cast, smtp_mail_sink: services.MailSink, connection_spy: mock.MagicMock, answer: Any
):
    for _ in range(2):
        begin(cast.ada, cast.bram)
    with mock.patch.object(smtplib.SMTP, "noop", side_effect=[answer, (250, b""), (250, b"")]):
        assert deliver() == 4
    assert connection_spy.call_count == 2
    assert len(smtp_mail_sink.mails) == 4
    assert not Notice.objects.exclude(attempts=0).exists()


class HangingUpHandler:
    """A server that accepts one email per connection and then closes it."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.ids.append(str(services.parse_email(envelope.original_content or b"")["Message-ID"]))
        return "250 Message accepted for delivery"

    async def handle_NOOP(
        self, server: SMTP, session: Session, envelope: Envelope, argument: str
    ) -> str:
        assert server.transport is not None
        server.transport.close()
        return "421 Good-bye"


def test_each_email_is_sent_once_even_if_the_server_closes_connections(
    cast: Cast,
    settings: Settings,
    smtp_mail_sink: services.MailSink,
    connection_spy: mock.MagicMock,
):
    for _ in range(2):
        begin(cast.ada, cast.bram)
    server = HangingUpHandler()
    with services.smtp_server(server) as port:
        settings.EMAIL_PORT = port
        assert deliver() == 4
    assert connection_spy.call_count == 4
    assert len(server.ids) == len(set(server.ids)) == 4


def test_email_that_the_server_rejects_does_not_delay_other_emails(
    cast: Cast, smtp_mail_sink: services.MailSink, connection_spy: mock.MagicMock
):
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, opponent)
    refused: list[Any] = [smtplib.SMTP.rcpt, (550, b"5.1.1 no such user"), smtplib.SMTP.rcpt]

    def answer_recipient(smtp: smtplib.SMTP, *arguments: Any) -> Any:
        answer = refused.pop(0)
        return answer if isinstance(answer, tuple) else answer(smtp, *arguments)

    with mock.patch.object(smtplib.SMTP, "rcpt", answer_recipient):
        assert deliver() == 2
    assert notice_statuses() == {OutboxStatus.SENT: 2, OutboxStatus.FAILED: 1}
    assert SilencedAddress.objects.count() == 1
    assert connection_spy.call_count == 2


def test_emails_count_as_sent_even_if_closing_the_connection_fails(
    cast: Cast, smtp_mail_sink: services.MailSink
):
    begin(cast.ada, cast.bram)
    with mock.patch.object(smtplib.SMTP, "quit", side_effect=TimeoutError):
        assert deliver() == 2
    assert notice_statuses() == {OutboxStatus.SENT: 2}


class EnvelopeRecorder:
    """A server that records the envelope sender and the From header."""

    def __init__(self) -> None:
        self.kept: list[tuple[str | None, str]] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        mail = services.parse_email(envelope.original_content or b"")
        self.kept.append((envelope.mail_from, str(mail["From"])))
        return "250 Message accepted for delivery"


@pytest.mark.parametrize("domain", ["", "bounces.example"])
def test_envelope_sender_is_the_bounce_address_and_from_header_the_sites_address(
    cast: Cast, settings: Settings, smtp_mail_sink: services.MailSink, domain: str
):
    settings.BOUNCE_DOMAIN = domain
    challenge(cast.ada, cast.bram)
    server = EnvelopeRecorder()
    with services.smtp_server(server) as port:
        settings.EMAIL_PORT = port
        assert deliver() == 1
    comes_back_to = make_bounce_address(Notice.objects.get().pk, "bram@example.org")
    sender = "spellcaster@localhost"
    assert server.kept == [(comes_back_to or sender, f"Spellcaster <{sender}>")]


# Steps before which a round is killed at its third email, and whether that email has been sent.
KILL_STEPS = {
    "duels.post.commands.delivering.emails.email_for": False,
    "duels.post.commands.delivering._send_email": False,
    "smtplib.SMTP.noop": False,
    "smtplib.SMTP.mail": False,
    "smtplib.SMTP.data": False,
    "duels.post.commands.delivering.outbox.mark_sent": True,
}


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", KILL_STEPS)
def test_next_round_after_a_killed_one_repeats_at_most_the_last_email(
    cast: Cast, smtp_mail_sink: services.MailSink, step: str
):
    for _ in range(DUEL_COUNT):
        begin(cast.ada, cast.bram)
    emails.email_for([Notice.objects.all()[0]])  # load modules here, not in the child process
    kill_round_at(step, third=2 if step.endswith("noop") else 3)
    assert notice_statuses() == {
        OutboxStatus.SENT: 2,
        OutboxStatus.SENDING: 1,
        OutboxStatus.QUEUED: 2 * DUEL_COUNT - 3,
    }
    later = NOW + timedelta(minutes=10)
    assert delivering.deliver_due(clock=lambda: later) == RoundCounts(1, 2 * DUEL_COUNT - 2, 0)
    copies = Counter(mail["Message-ID"] for mail in smtp_mail_sink.mails)
    assert len(copies) == 2 * DUEL_COUNT
    assert sum(copies.values()) == 2 * DUEL_COUNT + KILL_STEPS[step]


def kill_round_at(step: str, *, third: int) -> None:
    """Run a round in a child process that dies at this step of its third email."""
    connection.close()  # the connection must not be shared with the child process
    with warnings.catch_warnings():
        # Later Python versions warn about forking a process that has threads. The mail sink's
        # thread does not affect the child.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        calls = iter(range(1, 100))
        original = pkgutil.resolve_name(step)

        def die_or_continue(*arguments: Any, **named: Any) -> Any:
            if next(calls) == third:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*arguments, **named)

        with mock.patch(step, die_or_continue):
            delivering.deliver_due(clock=lambda: NOW)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), step
    assert os.WTERMSIG(status) == signal.SIGKILL
