"""Context for the settings page of a wizard's emails and notifications.

The page shows the settings, a log of deliveries, addresses that bounced, and devices.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.forms import model_to_dict

from duels.accounts.preferences import time_zone_of
from duels.models import OutboxStatus, Wizard
from duels.post import public as post
from duels.push import public as push
from duels.screens.mail.forms import PushPreferencesForm
from duels.screens.parts.notice_titles import notice_titles
from duels.wording.moments import moment_words

LOG_ROWS: Final = 20
PROBABLY_SENT: Final = "probably sent: the site was interrupted before it could record the result"


@dataclass(frozen=True)
class LogLine:
    """A line of the delivery log, about one email or notification."""

    letter: post.Notice | push.Push
    words: str
    title: str = ""  # "Against Bram, turn 7"


def mail_context(wizard: Wizard) -> dict[str, Any]:
    return {
        "zone": time_zone_of(wizard),
        "log": _newest_log_lines(wizard),
        "push": push_settings(wizard),
        "silenced": post.silenced_addresses(wizard),
        "kept_days": settings.NOTICES_KEPT_DAYS,
    }


def push_settings(wizard: Wizard) -> dict[str, Any] | None:
    """Return the settings for notifications, or None if the site does not send any.

    Each device has the hash of its push address. A script compares this with the hash of its own
    browser's address, and so finds the line of its device.
    """
    if not push.is_configured():
        return None
    choice = push.push_choice(wizard)
    return {
        "form": PushPreferencesForm(initial=model_to_dict(choice)),
        "devices": [
            (each, hashlib.sha256(each.endpoint.encode()).hexdigest())
            for each in push.devices(wizard)
        ],
        "public_key": push.public_key(),
    }


def _newest_log_lines(wizard: Wizard) -> list[LogLine]:
    """Return the latest emails and notifications in one list of at most `LOG_ROWS` lines."""
    lines = [LogLine(each, _email_status_words(each)) for each in post.delivery_log(wizard)]
    if push.is_configured():
        lines += [
            LogLine(each, _status_words(each, "push service")) for each in push.push_log(wizard)
        ]
        lines.sort(key=lambda line: line.letter.created_at, reverse=True)
        lines = lines[:LOG_ROWS]
    places = [(line.letter.duel_id, line.letter.turn_id) for line in lines]
    titles = notice_titles(wizard, places)
    return [replace(line, title=title) for line, title in zip(lines, titles, strict=True)]


def _email_status_words(notice: post.Notice) -> str:
    if not notice.is_probably_sent:
        if notice.status == OutboxStatus.SENT and notice.last_error:
            return "bounced"
        if notice.status == OutboxStatus.QUEUED and notice.daily_at:
            return f"waiting for the daily email, {moment_words(notice.daily_at)}"
    return _status_words(notice, "mail server")


def _status_words(letter: post.Notice | push.Push, server: str) -> str:
    if letter.is_probably_sent:
        return PROBABLY_SENT
    match letter.status:
        case OutboxStatus.SENT if letter.sent_at:
            return f"sent {moment_words(letter.sent_at)}"
        case OutboxStatus.DROPPED:
            return f"not sent: {letter.get_dropped_for_display()}"
        case OutboxStatus.FAILED:
            return f"failed: the {server} did not accept it"
        case OutboxStatus.QUEUED if letter.attempts:
            return f"not sent yet; next attempt {moment_words(letter.due_at)}"
    return "on its way"
