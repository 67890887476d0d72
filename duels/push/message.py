"""Contents of push notifications: the turn that waits, the opponents and the deadline, or the
sender of a private message.

Notifications do not reveal what has happened in the duel, and do not depend on sealed orders. They
are encrypted for the browser (RFC 8291). The push service sees only when a message is sent, how
urgent it is, how long to keep it, and which earlier message it replaces.
"""

import base64
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from duels.accounts.preferences import time_zone_of
from duels.models import Seat, Wizard
from duels.push.models import Push, PushKind
from duels.wording.moments import moment_words
from engine.words import and_list

MAX_LIFETIME: Final = timedelta(days=3)  # time to keep a message for a device that is off
TEST_LIFETIME: Final = timedelta(minutes=5)
URGENT_WITHIN: Final = timedelta(hours=6)  # a notification is urgent if the deadline is this close
MAX_NAMES: Final = 2  # opponents named, as in email subjects
TOPIC_BYTES: Final = 24  # a topic has up to 32 characters (RFC 8030, section 5.4)


@dataclass(frozen=True)
class PushMessage:
    """An encoded message, and its options for the push service."""

    body: bytes
    kept_seconds: int
    urgency: str
    topic: str


def push_message_for(push: Push, now: datetime) -> PushMessage:
    """Return the message for this notification, based on the duel's current state."""
    due_at = _due_at(push)
    kept = TEST_LIFETIME if push.kind == PushKind.TEST else MAX_LIFETIME
    if due_at is not None:
        kept = max(min(kept, due_at - now), timedelta(0))
    is_urgent = push.kind != PushKind.TURN or (due_at is not None and due_at - now < URGENT_WITHIN)
    return PushMessage(
        body=json.dumps(_message_data(push, due_at), ensure_ascii=False).encode(),
        kept_seconds=int(kept.total_seconds()),
        urgency="high" if is_urgent else "normal",
        topic=_topic(push),
    )


def _message_data(push: Push, due_at: datetime | None) -> dict[str, Any]:
    """Return the data that `static/js/web_app/service_worker.js` displays."""
    if push.kind == PushKind.MESSAGE:
        path = reverse("threads")
        return {"kind": push.kind, "title": push.title, "body": "", "address": path}
    if push.duel_id is None:
        return {
            "kind": push.kind,
            "title": push.title,
            "body": "This is the test that you asked for in the settings.",
            "address": reverse("mail_settings"),
        }
    return {
        "kind": push.kind,
        "title": push.title.format(others=_opponent_names(push)),
        "body": f"Due {_moment_text(due_at, push.wizard)}" if due_at else "",
        "address": reverse("duel", args=[push.duel_id]),
    }


def _due_at(push: Push) -> datetime | None:
    if push.duel_id is None:
        return None
    due = Seat.objects.filter(duel=push.duel_id, wizard=push.wizard_id)
    return due.values_list("due_at", flat=True).first()


def _moment_text(at: datetime, wizard: Wizard) -> str:
    """Return a time as text in the reader's time zone, not in that of the worker."""
    with timezone.override(time_zone_of(wizard)):
        return moment_words(at)


def _opponent_names(push: Push) -> str:
    """Return the opponents' names, such as "Bram", "Bram and Cleo" or "Bram and 6 others"."""
    seats = Seat.objects.filter(duel=push.duel_id).exclude(wizard=push.wizard_id)
    names = list(seats.values_list("wizard__name", flat=True))
    return and_list(names) if len(names) <= MAX_NAMES else f"{names[0]} and {len(names) - 1} others"


def _topic(push: Push) -> str:
    """Return the topic of a notification, which does not reveal the duel to the push service."""
    named = f"{push.wizard_id} {push.duel_id or push.kind}"
    digest = salted_hmac("duels.push.topic", named, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:TOPIC_BYTES]).decode()
