"""Context for the settings page of a wizard's emails and notifications.

The page shows the settings, a log of deliveries, addresses that bounced, and devices.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.http import QueryDict

from duels.accounts.preferences import time_zone_of
from duels.models import OutboxStatus, Wizard
from duels.post import public as post
from duels.push import public as push
from duels.screens.mail.forms import PushForm
from duels.screens.parts.notice_titles import notice_titles
from duels.wording.moments import moment_words

LOGGED: Final = 20
PROBABLY_SENT: Final = "probably sent: the site was interrupted before it could record the result"


@dataclass(frozen=True)
class LogLine:
    """A line of the delivery log, about one email or notification. For emails, `device` is
    empty."""

    at: datetime
    what: str
    words: str
    duel_id: int | None = None  # None for a test notification
    turn_id: int | None = None
    title: str = ""  # "Against Bram, turn 7"
    notice_id: int | None = None  # id of an email that can be sent again, otherwise None
    device: str = ""


@dataclass(frozen=True)
class Device:
    """A device with notifications. A script compares `digest` with the hash of its own browser's
    push address, and so finds the line of this device."""

    subscription_id: int
    name: str
    digest: str
    created_at: datetime
    last_success_at: datetime | None


@dataclass(frozen=True)
class PushSettings:
    """The wizard's settings and devices for notifications."""

    form: PushForm
    devices: Sequence[Device]
    public_key: str


def mail_context(wizard: Wizard) -> dict[str, Any]:
    """Return the context for the page, without its form."""
    return {
        "zone": time_zone_of(wizard),
        "log": _newest_log_lines(wizard),
        "push": push_settings(wizard),
        "silenced": post.silenced_addresses(wizard),
        "kept_days": settings.NOTICES_KEPT_DAYS,
    }


def push_settings(wizard: Wizard, typed: QueryDict | None = None) -> PushSettings | None:
    """Return the settings for notifications, or None if the site does not send any."""
    if not push.is_configured():
        return None
    choice = push.push_choice(wizard)
    return PushSettings(
        form=PushForm(
            typed, initial={name: getattr(choice, name) for name in PushForm.base_fields}
        ),
        devices=[
            Device(
                subscription_id=each.pk,
                name=each.device,
                digest=hashlib.sha256(each.endpoint.encode()).hexdigest(),
                created_at=each.created_at,
                last_success_at=each.last_success_at,
            )
            for each in push.devices(wizard)
        ],
        public_key=push.public_key(),
    )


def delivery_lines(wizard: Wizard) -> Sequence[LogLine]:
    """Return log lines of the latest emails to this wizard, newest first."""
    return [
        LogLine(
            at=notice.created_at,
            what=notice.get_kind_display(),
            words=_email_status_words(notice),
            duel_id=notice.duel_id,
            turn_id=notice.turn_id,
            notice_id=notice.pk if notice.is_finished else None,
        )
        for notice in post.delivery_log(wizard)
    ]


def push_lines(wizard: Wizard) -> Sequence[LogLine]:
    """Return log lines of the latest notifications to this wizard's devices, newest first."""
    return [
        LogLine(
            at=each.created_at,
            what=each.get_kind_display(),
            words=_push_status_words(each),
            duel_id=each.duel_id,
            turn_id=each.turn_id,
            device=each.device,
        )
        for each in push.push_log(wizard)
    ]


def _newest_log_lines(wizard: Wizard) -> Sequence[LogLine]:
    """Return the latest emails and notifications in one list of at most `LOGGED` lines."""
    lines = delivery_lines(wizard)
    if push.is_configured():
        both = sorted([*lines, *push_lines(wizard)], key=lambda line: line.at, reverse=True)
        lines = both[:LOGGED]
    return _with_titles(lines, wizard)


def _with_titles(lines: Sequence[LogLine], wizard: Wizard) -> Sequence[LogLine]:
    """Return the lines with titles that name the opponents and the turn."""
    titles = notice_titles(wizard, [(line.duel_id, line.turn_id) for line in lines])
    return [replace(line, title=title) for line, title in zip(lines, titles, strict=True)]


def _email_status_words(notice: post.Notice) -> str:
    if notice.is_probably_sent:
        return PROBABLY_SENT
    match notice.status:
        case OutboxStatus.SENT if notice.last_error:
            return "bounced"
        case OutboxStatus.SENT if notice.sent_at:
            return f"sent {moment_words(notice.sent_at)}"
        case OutboxStatus.DROPPED:
            return f"not sent: {notice.get_dropped_for_display()}"
        case OutboxStatus.FAILED:
            return "failed: the mail server did not accept it"
        case OutboxStatus.QUEUED if notice.daily_at:
            return f"waiting for the daily email, {moment_words(notice.daily_at)}"
        case OutboxStatus.QUEUED if notice.attempts:
            return f"not sent yet; next attempt {moment_words(notice.due_at)}"
    return "on its way"


def _push_status_words(push: push.Push) -> str:
    if push.is_probably_sent:
        return PROBABLY_SENT
    match push.status:
        case OutboxStatus.SENT if push.sent_at:
            return f"sent {moment_words(push.sent_at)}"
        case OutboxStatus.DROPPED:
            return f"not sent: {push.get_dropped_for_display()}"
        case OutboxStatus.FAILED:
            return "failed: the push service did not accept it"
        case OutboxStatus.QUEUED if push.attempts:
            return f"not sent yet; next attempt {moment_words(push.due_at)}"
    return "on its way"
