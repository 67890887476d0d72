"""What a device is sent: that a turn waits, against whom, and until when.

Nothing of what has happened in the duel, and nothing that depends on what anybody has sealed. The
push service cannot read it (RFC 8291); what it can see is when, how urgent, for how long it keeps
the message, and which one takes the place of which.
"""

import base64
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from duels.models import Seat, Wizard
from duels.moments import moment_words
from duels.preferences import zone_of
from duels.push.models import Push, PushKind
from engine import listed

LONGEST_KEPT: Final = timedelta(days=3)  # by the push service, for a device that is off
TEST_KEPT: Final = timedelta(minutes=5)
SOON: Final = timedelta(hours=6)  # what is due by then must not wait until a phone is picked up
NAMED: Final = 2  # of the others, as in subjects of mails
TOPIC_BYTES: Final = 24  # of a topic's 32 letters (RFC 8030, section 5.4)


@dataclass(frozen=True)
class Message:
    """What is sent, and how the push service shall treat it."""

    body: bytes
    kept_seconds: int
    urgency: str
    topic: str


def message(push: Push, now: datetime) -> Message:
    """The message for this notification, as things stand now."""
    due_at = _due_at(push)
    kept = TEST_KEPT if push.kind == PushKind.TEST else LONGEST_KEPT
    if due_at is not None:
        kept = max(min(kept, due_at - now), timedelta(0))
    is_urgent = push.kind != PushKind.TURN or (due_at is not None and due_at - now < SOON)
    return Message(
        body=json.dumps(_told(push, due_at), ensure_ascii=False).encode(),
        kept_seconds=int(kept.total_seconds()),
        urgency="high" if is_urgent else "normal",
        topic=_topic(push),
    )


def _told(push: Push, due_at: datetime | None) -> dict[str, Any]:
    """What `static/js/service_worker.js` shows."""
    if push.duel_id is None:
        return {
            "kind": push.kind,
            "title": "Notifications work on this device",
            "body": "This is what you asked for in the settings.",
            "address": reverse("mail_settings"),
        }
    title = f"Your turn against {_others(push)}"
    if push.kind == PushKind.REMINDER:
        title = f"Your time is nearly over: {title[0].lower()}{title[1:]}"
    return {
        "kind": push.kind,
        "title": title,
        "body": f"Due {_moment(due_at, push.wizard)}" if due_at else "",
        "address": reverse("duel", args=[push.duel_id]),
    }


def _due_at(push: Push) -> datetime | None:
    if push.duel_id is None:
        return None
    due = Seat.objects.filter(duel=push.duel_id, wizard=push.wizard_id)
    return due.values_list("due_at", flat=True).first()


def _moment(at: datetime, wizard: Wizard) -> str:
    """In the reader's time zone, whoever's request or worker it is."""
    with timezone.override(zone_of(wizard)):
        return moment_words(at)


def _others(push: Push) -> str:
    """The opponents: "Bram", "Bram and Cleo", "Bram and 6 others"."""
    seats = Seat.objects.filter(duel=push.duel_id).exclude(wizard=push.wizard_id)
    names = list(seats.values_list("wizard__name", flat=True))
    return listed(names) if len(names) <= NAMED else f"{names[0]} and {len(names) - 1} others"


def _topic(push: Push) -> str:
    """One for each duel. It tells the push service nothing, not even which duel."""
    named = f"{push.wizard_id} {push.duel_id or PushKind.TEST}"
    digest = salted_hmac("duels.push.topic", named, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:TOPIC_BYTES]).decode()
