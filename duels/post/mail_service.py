"""What is between the site and a mail service, where it sends by one: the headers that the service
takes, and what it tells of mails that came back. django-anymail speaks with the service itself.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, pre_send, tracking
from django.core.mail import EmailMessage
from django.dispatch import receiver
from django.utils import timezone

from duels.post import commands
from duels.post.models import SilencedFor

# Who finds one of these in a mail refuses the mail.
REFUSED_HEADERS: Final[Mapping[str, frozenset[str]]] = {
    "Mailjet": frozenset({"message-id"}),
    # But for the last, which it has a place for, its headers are for its largest accounts alone.
    "MailerSend": frozenset(
        {"message-id", "references", "auto-submitted", "list-unsubscribe", "list-unsubscribe-post"}
    ),
}
# By these a service is asked to leave what it would replace.
ADDED_HEADERS: Final[Mapping[str, Mapping[str, str]]] = {"Postmark": {"X-PM-KeepID": "true"}}

# Where the event of a service says whether a bounce is for ever, and the words for that. What is
# not named here calls a bounce only what is.
_FOR_EVER: Final[Mapping[str, tuple[str, frozenset[object]]]] = {
    "Amazon SES": ("bounce bounceType", frozenset({"Permanent"})),
    "Brevo": ("event", frozenset({"hard_bounce", "invalid_email"})),
    "MailerSend": ("data type", frozenset({"hard_bounced"})),
    "Mailjet": ("hard_bounce", frozenset({True})),
    "Mandrill": ("event", frozenset({"hard_bounce"})),
    "Postmark": ("Type", frozenset({"HardBounce", "BadEmailAddress"})),
    "Resend": ("data bounce type", frozenset({"Permanent"})),
    "SparkPost": ("msys * bounce_class", frozenset({"10", "30"})),
}
_OF_ADDRESS: Final = frozenset({RejectReason.BOUNCED, RejectReason.INVALID})
_STATUS = re.compile(r"\b([45])\.[0-9]{1,3}\.[0-9]{1,3}\b")


@receiver(pre_send)
def prepare_headers(message: EmailMessage, esp_name: str, **_: Any) -> None:
    """The mail has the headers that this service takes."""
    refused = REFUSED_HEADERS.get(esp_name, frozenset())
    taken = {
        name: text for name, text in message.extra_headers.items() if name.lower() not in refused
    }
    if "Message-ID" in taken:
        taken |= ADDED_HEADERS.get(esp_name, {})
    message.extra_headers = taken


@receiver(tracking)
def hear_of_mail(event: AnymailTrackingEvent, esp_name: str, **_: Any) -> None:
    """An address that the service says is none, or complains, is turned off."""
    cause = cause_of(event, esp_name)
    if cause is None or not event.recipient:
        return
    found = _STATUS.search(event.mta_response or "")
    now = timezone.now()
    commands.turn_off(
        address=event.recipient,
        cause=cause,
        answer=found[0] if found else "",
        happened_at=min(event.timestamp or now, now),
        now=now,
    )


def cause_of(event: AnymailTrackingEvent, esp_name: str) -> SilencedFor | None:
    """Why the address of this event is written to no more; None, where that does not follow."""
    if event.event_type == EventType.COMPLAINED:
        return SilencedFor.COMPLAINT
    if event.event_type == EventType.REJECTED and event.reject_reason == RejectReason.SPAM:
        return SilencedFor.COMPLAINT
    if event.event_type not in (EventType.BOUNCED, EventType.REJECTED):
        return None
    found = _STATUS.search(event.mta_response or "")
    if event.reject_reason not in _OF_ADDRESS or (found and found[1] == "4"):
        return None
    if event.event_type == EventType.BOUNCED and not _is_for_ever(event, esp_name):
        return None
    return SilencedFor.BOUNCE


def _is_for_ever(event: AnymailTrackingEvent, esp_name: str) -> bool:
    if esp_name not in _FOR_EVER:
        return True
    path, words = _FOR_EVER[esp_name]
    value: Any = event.esp_event
    for step in path.split():
        if not isinstance(value, Mapping):
            return False
        value = next(iter(value.values()), None) if step == "*" else value.get(step)
    return value in words
