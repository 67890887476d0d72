"""Integration of email services: the headers that they accept, and their reports of bounces.

Requests to the service are made by django-anymail.
"""

from collections.abc import Mapping
from typing import Any, Final

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason, pre_send, tracking
from django.core.mail import EmailMessage
from django.dispatch import receiver

from duels.loaded.database_clock import site_now
from duels.post.bounce_codes import bounce_status
from duels.post.commands import bouncing
from duels.post.models import SilencedFor

# Headers that make a service reject an email.
REFUSED_HEADERS: Final[Mapping[str, frozenset[str]]] = {
    "Mailjet": frozenset({"message-id"}),
    # The service has a field of its own for the last header, but allows custom headers only in its
    # largest plans.
    "MailerSend": frozenset(
        {
            "message-id",
            "references",
            "auto-submitted",
            "list-unsubscribe",
            "list-unsubscribe-post",
            "x-auto-response-suppress",
            "x-ms-reactions",
        }
    ),
}
# Headers that ask a service to keep headers that it would otherwise replace.
ADDED_HEADERS: Final[Mapping[str, Mapping[str, str]]] = {"Postmark": {"X-PM-KeepID": "true"}}

# The field of each service's events that shows whether a bounce is permanent, and the values of
# this field for permanent bounces. Services that are not listed report only permanent bounces.
_PERMANENT_BOUNCES: Final[Mapping[str, tuple[str, frozenset[object]]]] = {
    "Amazon SES": ("bounce bounceType", frozenset({"Permanent"})),
    "Brevo": ("event", frozenset({"hard_bounce", "invalid_email"})),
    "MailerSend": ("data type", frozenset({"hard_bounced"})),
    "Mailjet": ("hard_bounce", frozenset({True})),
    "Mandrill": ("event", frozenset({"hard_bounce"})),
    "Postmark": ("Type", frozenset({"HardBounce", "BadEmailAddress"})),
    "Resend": ("data bounce type", frozenset({"Permanent"})),
    "SparkPost": ("msys * bounce_class", frozenset({"10", "30"})),
}
_BAD_ADDRESS_REASONS: Final = frozenset({RejectReason.BOUNCED, RejectReason.INVALID})


@receiver(pre_send)
def prepare_headers(message: EmailMessage, esp_name: str, **_: Any) -> None:
    """Remove headers that this service rejects, and add those that it needs."""
    refused = REFUSED_HEADERS.get(esp_name, frozenset())
    kept = {
        name: text for name, text in message.extra_headers.items() if name.lower() not in refused
    }
    if "Message-ID" in kept:
        kept |= ADDED_HEADERS.get(esp_name, {})
    message.extra_headers = kept


@receiver(tracking)
def process_tracking_event(event: AnymailTrackingEvent, esp_name: str, **_: Any) -> None:
    """Process a complaint, or a bounce that the service considers permanent."""
    cause = silencing_cause(event, esp_name)
    if cause is None or not event.recipient:
        return
    now = site_now()
    happened_at = min(event.timestamp or now, now)
    bouncing.process_reported_bounce(
        address=event.recipient,
        cause=cause,
        answer=bounce_status("", event.mta_response or ""),
        email=event.message_id or event.event_id or happened_at.isoformat(),
        happened_at=happened_at,
        now=now,
    )


def silencing_cause(event: AnymailTrackingEvent, esp_name: str) -> SilencedFor | None:
    """Return the cause for turning off the address that this event reports, or None."""
    is_rejected = event.event_type == EventType.REJECTED
    is_spam = is_rejected and event.reject_reason == RejectReason.SPAM
    if event.event_type == EventType.COMPLAINED or is_spam:
        return SilencedFor.COMPLAINT
    is_bounced = event.event_type == EventType.BOUNCED and _is_permanent(event, esp_name)
    if event.reject_reason in _BAD_ADDRESS_REASONS and (is_rejected or is_bounced):
        return SilencedFor.BOUNCE
    return None


def _is_permanent(event: AnymailTrackingEvent, esp_name: str) -> bool:
    if esp_name not in _PERMANENT_BOUNCES:
        return True
    path, words = _PERMANENT_BOUNCES[esp_name]
    value: Any = event.esp_event
    for step in path.split():
        if not isinstance(value, Mapping):
            return False
        value = next(iter(value.values()), None) if step == "*" else value.get(step)
    return value in words
