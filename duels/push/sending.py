"""One request to a push service (RFC 8030), encrypted for the browser (RFC 8291).

No redirect is followed and no answer's text is read. A service that does not answer is left alone
for a while, so that a full outbox does not wait for the same silence again and again.
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

from duels.push import endpoints, vapid
from duels.push.message import Message
from duels.push.models import PushSubscription
from duels.volatile import cache

LEFT_ALONE_FOR: Final = timedelta(minutes=1)
ENCODING: Final = "aes128gcm"
SILENT: Final = (requests.ConnectionError, requests.Timeout, SoftTimeLimitExceeded)


@dataclass(frozen=True)
class Answer:
    """What the push service has said; `retry_after`: how long it wants to be left alone."""

    status: int
    retry_after: timedelta | None = None

    @property
    def is_taken(self) -> bool:
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_gone(self) -> bool:
        """Nobody is there any more: the browser has been reset, or has switched it off."""
        return self.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)

    @property
    def may_pass(self) -> bool:
        """The same may be taken later."""
        passing = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
        return self.status in passing or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR


def send(subscription: PushSubscription, message: Message, now: datetime) -> Answer:
    """What the push service says to this message. Raises where it does not answer."""
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
            stream=True,  # the answer's text may be endless, and is of no use
        ) as answer:
            wanted = answer.headers.get("Retry-After", "")
            return Answer(answer.status_code, retry_after(wanted, now))
    except SILENT:
        _note_silence(subscription, now)
        raise


def encrypted(subscription: PushSubscription, body: bytes) -> bytes:
    """The message as only this browser can read it. Never twice the same."""
    text: bytes = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=endpoints.public_key(subscription.p256dh),
        auth_secret=endpoints.auth_secret(subscription.auth),
        version=ENCODING,
    )
    return text


def retry_after(text: str, now: datetime) -> timedelta | None:
    """What a Retry-After header asks for: seconds, or a date."""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return timedelta(seconds=int(text))
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(at - now, timedelta(0)) if at.tzinfo else None


def silent_until(subscription: PushSubscription, now: datetime) -> datetime | None:
    """Until when this push service is left alone; None if it may be asked now."""
    try:
        known: str | None = cache.get(_key(subscription))
    except RedisError:
        return None
    until = datetime.fromisoformat(known) if known else None
    return until if until and until > now else None


def _note_silence(subscription: PushSubscription, now: datetime) -> None:
    until = (now + LEFT_ALONE_FOR).isoformat()
    try:
        cache.set(_key(subscription), until, LEFT_ALONE_FOR.total_seconds())
    except RedisError:
        return  # the next message asks the service again


def _key(subscription: PushSubscription) -> str:
    return f"push-silent-until:{endpoints.host_of(subscription.endpoint)}"
