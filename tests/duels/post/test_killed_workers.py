"""Mail workers that are killed between any two steps of sending.

Every notice is still sent, and never with two different Message-IDs. The tests use real processes
and a real SMTP server.
"""

import os
import signal
import warnings
from collections import Counter
from datetime import datetime, timedelta
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.db import connection

from duels.delivery import outbox
from duels.models import OutboxStatus
from duels.post import emails
from duels.post.commands import delivering
from duels.post.models import Notice
from tests import services
from tests.cast import NOW, Cast, begin

pytestmark = pytest.mark.sqlite

DELIVERING_MODULE = "duels.post.commands.delivering"

# Steps before which a worker is killed, and whether the server has accepted the email by then.
KILL_STEPS = {
    f"{DELIVERING_MODULE}.emails.email_for": False,  # the notice has been claimed
    f"{DELIVERING_MODULE}._send_email": False,
    "smtplib.SMTP.connect": False,
    "smtplib.SMTP.mail": False,
    "smtplib.SMTP.data": False,
    "smtplib.SMTP.quit": True,
    f"{DELIVERING_MODULE}.outbox.mark_sent": True,
}


@pytest.mark.timeout(900)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("duels", [2, pytest.param(15, marks=pytest.mark.nightly)])
def test_every_notice_is_sent_under_one_message_id_even_if_workers_are_killed(
    cast: Cast, mail_sink: services.MailSink, settings, duels: int
):
    """Each duel has two notices; their workers are killed once at each of seven steps."""
    settings.POST_SENT_IMMEDIATELY = False
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", urlsplit(mail_sink.url).port
    for _ in range(duels):
        begin(cast.ada, cast.bram)
    emails.email_for([Notice.objects.all()[0]])  # load modules here, not in each child process
    now = NOW
    notices = list(Notice.objects.values_list("pk", flat=True))
    for step in KILL_STEPS:
        for notice in notices:
            kill_worker_at(step, notice, now)
        now += timedelta(minutes=10)
        assert outbox.requeue_stuck(Notice.objects.all(), now) == len(notices)
    assert delivering.deliver_due(clock=lambda: now).sent == len(notices)
    assert set(Notice.objects.values_list("status", flat=True)) == {OutboxStatus.SENT}
    copies = Counter(mail["Message-ID"] for mail in mail_sink.mails)
    assert len(copies) == len(notices)
    assert set(copies.values()) == {1 + sum(KILL_STEPS.values())}
    assert len({(mail["Message-ID"], mail["To"]) for mail in mail_sink.mails}) == len(notices)


def kill_worker_at(step: str, notice: int, now: datetime) -> None:
    connection.close()  # the connection must not be shared with the child process
    with warnings.catch_warnings():
        # Later Python versions warn about forking a process that has threads. The mail sink's
        # thread does not affect the child.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        with mock.patch(step, kill_own_process):
            delivering.deliver_notice(notice_id=notice, now=now)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), step
    assert os.WTERMSIG(status) == signal.SIGKILL


def kill_own_process(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
