"""The ways in which email reaches the site: a pipe, LMTP and SMTP."""

import smtplib
from collections.abc import Callable
from functools import partial
from unittest import mock

import pytest
from django.core.management import CommandError
from django.db import DatabaseError

from duels.models import Duel, Orders, Wizard
from duels.post.public import make_reply_address
from duels.replies.public import ReplyOutcome
from tests.cast import Cast, open_turn
from tests.duels.replies.ways_in import read_from_pipe, running_listener
from tests.duels.replies.writing import written


def reply_address(duel: Duel, wizard: Wizard) -> str:
    return make_reply_address(wizard.pk, open_turn(duel).pk)


# A pipe


@pytest.fixture
def run_read_mail(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that runs `read_mail` with an email as its input and returns the output."""
    for name in ("ORIGINAL_RECIPIENT", "RECIPIENT", "SENDER"):
        monkeypatch.delenv(name, raising=False)
    return partial(read_from_pipe, monkeypatch)


def test_orders_in_an_email_from_a_pipe_are_sealed(
    cast: Cast, duel: Duel, run_read_mail: Callable[..., str]
):
    assert run_read_mail(written("left P\nright W", reply_address(duel, cast.ada))) == "sealed"
    assert Orders.objects.get().seat.wizard == cast.ada


def test_recipient_may_be_given_as_an_argument_or_environment_variable(
    cast: Cast, duel: Duel, run_read_mail: Callable[..., str], monkeypatch: pytest.MonkeyPatch
):
    raw = written("left P\nright W", "ada@example.org")
    assert run_read_mail(raw, "--recipient", reply_address(duel, cast.ada)) == "sealed"
    monkeypatch.setenv("ORIGINAL_RECIPIENT", reply_address(duel, cast.bram))
    assert run_read_mail(raw) == "sealed"
    assert Orders.objects.count() == 2


def test_bounce_from_a_pipe_is_dropped_without_an_error(
    cast: Cast, duel: Duel, run_read_mail: Callable[..., str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SENDER", "")
    assert (
        run_read_mail(written("left P", reply_address(duel, cast.ada)))
        == ReplyOutcome.AUTOMATIC.label
    )
    assert not Orders.objects.exists()


def test_command_exits_with_67_if_the_recipient_is_unknown(
    cast: Cast, run_read_mail: Callable[..., str]
):
    with pytest.raises(CommandError) as ended:
        run_read_mail(written("left P\nright W", "reply+1-1-x@replies.example"))
    assert ended.value.returncode == 67


def test_command_exits_with_75_in_a_database_outage_so_that_the_email_is_retried(
    cast: Cast, duel: Duel, run_read_mail: Callable[..., str]
):
    raw = written("left P\nright W\nSAY pst", reply_address(duel, cast.ada))
    with (
        mock.patch("duels.replies.commands._process_reply", side_effect=DatabaseError("left P")),
        pytest.raises(CommandError) as ended,
    ):
        run_read_mail(raw)
    assert ended.value.returncode == 75
    assert "left P" not in str(ended.value)
    assert run_read_mail(raw) == "sealed"


# A listener


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("client", [smtplib.LMTP, smtplib.SMTP])
def test_orders_in_an_email_by_lmtp_or_smtp_are_sealed(
    cast: Cast, duel: Duel, client: type[smtplib.SMTP]
):
    to = reply_address(duel, cast.ada)
    raw = written("left P\nright W", to)
    with (
        running_listener(is_lmtp=client is smtplib.LMTP) as port,
        client("127.0.0.1", port) as server,
    ):
        server.ehlo_or_helo_if_needed()
        assert server.mail("ada@example.org")[0] == 250
        assert server.rcpt("spellcaster@replies.example")[0] == 550
        assert server.rcpt(to)[0] == 250
        assert server.rcpt(reply_address(duel, cast.bram))[0] == 452
        assert server.data(raw) == (250, b"2.0.0 sealed")
        assert server.mail("<>")[0] == 250
        assert server.rcpt(to)[0] == 250
        assert server.data(raw) == (250, b"2.0.0 automatic email")
    assert Orders.objects.get().seat.wizard == cast.ada


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_mail_server_asks_the_sender_to_retry_in_a_database_outage(
    cast: Cast, duel: Duel, caplog: pytest.LogCaptureFixture
):
    to = reply_address(duel, cast.ada)
    raw = written("left P\nright W\nSAY pst", to)
    with (
        mock.patch("duels.replies.commands._process_reply", side_effect=DatabaseError("pst")),
        running_listener(is_lmtp=True) as port,
        smtplib.LMTP("127.0.0.1", port) as server,
        pytest.raises(smtplib.SMTPDataError) as refused,
    ):
        server.sendmail("ada@example.org", [to], raw)
    assert refused.value.smtp_code == 451
    assert "An email could not be processed: DatabaseError" in caplog.text
    assert "pst" not in caplog.text
