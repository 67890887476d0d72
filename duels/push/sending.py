"""Requests to a push service (RFC 8030), encrypted for the browser (RFC 8291).

Redirects are not followed, and the response's body is not read. A service that does not answer is
not tried for a while, so that queued notifications do not all wait for the same timeout.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

import http_ece
import requests
from celery.exceptions import SoftTimeLimitExceeded
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from redis.exceptions import RedisError

from duels.caching.volatile import cache
from duels.push import endpoints, vapid
from duels.push.message import Message
from duels.push.models import PushSubscription

BACKOFF: Final = timedelta(minutes=1)
ENCODING: Final = "aes128gcm"
SILENT: Final = (requests.ConnectionError, requests.Timeout, SoftTimeLimitExceeded)


@dataclass(frozen=True)
class Answer:
    """The push service's response. `retry_after` is the time for which the service must not be
    tried."""

    status: int
    retry_after: timedelta | None = None

    @property
    def is_accepted(self) -> bool:
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_gone(self) -> bool:
        """Whether the subscription no longer exists, because the browser was reset or has ended
        it."""
        return self.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)

    @property
    def is_temporary(self) -> bool:
        """Whether the same message may be accepted later."""
        passing = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
        return self.status in passing or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR


def send(subscription: PushSubscription, message: Message, now: datetime) -> Answer:
    """Send this message and return the push service's response. Raise an error if it does not
    answer."""
    headers = vapid.authorization(subscription.endpoint, now) | {
        "Content-Encoding": ENCODING,
        "Content-Type": "application/octet-stream",
        "TTL": str(message.kept_seconds),
        "Topic": message.topic,
        "Urgency": message.urgency,
    }
    try:
        with requests.post(
            subscription.endpoint,
            data=encrypted(subscription, message.body),
            headers=headers,
            timeout=settings.PUSH_TIMEOUT,
            allow_redirects=False,
            stream=True,  # do not read the body, which may be endless
        ) as answer:
            wanted = answer.headers.get("Retry-After", "")
            return Answer(answer.status_code, retry_after(wanted, now))
    except SILENT:
        _note_silence(subscription, now)
        raise


def encrypted(subscription: PushSubscription, body: bytes) -> bytes:
    """Encrypt the message for this browser. The result differs each time."""
    text: bytes = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=endpoints.public_key(subscription.p256dh),
        auth_secret=endpoints.auth_secret(subscription.auth),
        version=ENCODING,
    )
    return text


def retry_after(text: str, now: datetime) -> timedelta | None:
    """Return the delay from a Retry-After header, which contains seconds or a date."""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return timedelta(seconds=int(text))
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(at - now, timedelta(0)) if at.tzinfo else None


def silent_until(subscription: PushSubscription, now: datetime) -> datetime | None:
    """Return the time until which this push service is not tried, or None if it can be tried."""
    try:
        known: str | None = cache.get(_key(subscription))
    except RedisError:
        return None
    until = datetime.fromisoformat(known) if known else None
    return until if until and until > now else None


def _note_silence(subscription: PushSubscription, now: datetime) -> None:
    until = (now + BACKOFF).isoformat()
    try:
        cache.set(_key(subscription), until, BACKOFF.total_seconds())
    except RedisError:
        return  # the next message tries the service again


def _key(subscription: PushSubscription) -> str:
    return f"push-silent-until:{endpoints.host_of(subscription.endpoint)}"
