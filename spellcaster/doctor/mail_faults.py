"""Checks of outgoing and incoming email, which do not send anything."""

import smtplib
from collections.abc import Iterator
from datetime import timedelta
from email.utils import parseaddr
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.core.mail import get_connection

from duels.errors import error_summary
from duels.loaded.database_clock import database_now
from duels.models import REFUSED_ERROR_PREFIX, OutboxStatus
from spellcaster.doctor.problems import Problem
from spellcaster.doctor.process_faults import running_processes
from spellcaster.processes.models import RunningProcess

REJECTIONS_PERIOD: Final = timedelta(days=1)


def mail_server_fault() -> Iterator[Problem]:
    """Check that the mail server accepts an email to an operator, or to the sender."""
    if not settings.EMAIL_URL:
        return  # the site uses a service, or does not send email
    connection: Any = get_connection()
    try:
        connection.open()
        refusal = _rejected_address(connection.connection)
        connection.close()
    except OSError as error:  # `SMTPException` is a subclass
        yield Problem(
            f"The mail server is not responding correctly: {error_summary(error)}.",
            "Start the mail server, and compare EMAIL_URL with its address, user and password.",
        )
        return
    if refusal:
        yield Problem(
            f"The mail server rejects {refusal}",
            "The site must be able to send to any address, from DEFAULT_FROM_EMAIL and from "
            "BOUNCE_DOMAIN. Allow this in the mail server’s settings, or put a user and password "
            "into EMAIL_URL.",
        )


def _rejected_address(smtp: Any) -> str:
    """Return the address that the server rejects, with its answer, or "". No email is sent."""
    if not isinstance(smtp, smtplib.SMTP):
        return ""  # a backend that does not use a mail server
    own = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    sender = f"bounce@{settings.BOUNCE_DOMAIN}" if settings.BOUNCE_DOMAIN else own
    recipient = settings.ADMINS[0][1] if settings.ADMINS else own
    smtp.ehlo_or_helo_if_needed()
    code, answer = smtp.mail(sender)
    step = f"emails from {sender}"
    if code < 400:
        code, answer = smtp.rcpt(recipient)
        step = f"an email to {recipient}"
    return f"{step}: {code} {answer.decode(errors='replace')}" if code >= 400 else ""


def rejected_emails() -> Iterator[Problem]:
    """Yield a problem if more emails were rejected than sent within a day."""
    notices = apps.get_model("post", "Notice")._default_manager
    since = database_now() - REJECTIONS_PERIOD
    failing = (OutboxStatus.QUEUED, OutboxStatus.FAILED)
    recent = notices.filter(created_at__gt=since, status__in=failing)
    rejected = recent.filter(last_error__startswith=REFUSED_ERROR_PREFIX).order_by("-pk")
    count, last = rejected.count(), rejected.first()
    if last and count > notices.filter(sent_at__gt=since).count():
        yield Problem(
            f"In the last day, more emails were rejected ({count}) than sent. The mail server’s "
            f"last answer: {last.last_error}",
            "Read the mail server’s log, and check the DNS records and the reputation of the "
            "sender (docs/POST.md, “Your own SMTP server”).",
        )


def missing_listener() -> Iterator[Problem]:
    """Yield a problem if a domain for replies or bounces is set, but no process receives them."""
    names = [name for name in ("REPLY_DOMAIN", "BOUNCE_DOMAIN") if getattr(settings, name)]
    if not names or settings.EMAIL_SERVICE:
        return  # an email service sends incoming emails to webhooks
    is_listening = running_processes(database_now()).filter(kind="listen_for_mail").exists()
    # The mail server starts this command for each email, so it is not running all the time.
    if is_listening or RunningProcess.objects.filter(kind="read_mail").exists():
        return
    yield Problem(
        f"{' and '.join(names)} is set, but no process receives the emails to this domain.",
        "Start `manage.py listen_for_mail`, or unset the variable. If your mail server starts "
        "`manage.py read_mail` instead, this is normal after a week without any email.",
    )
