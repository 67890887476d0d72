"""Requests to push services (RFC 8030), with contents encrypted for the browser (RFC 8291).

Redirects are not followed, and the bodies of responses are not read. If a service does not answer,
no requests are sent to it for a while, so that queued notifications do not all wait for a timeout.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final

import requests
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.utils.http import parse_http_date_safe

from duels.caching import silence
from duels.delivery import public_hosts
from duels.push.message import PushMessage
from duels.push.models import PushSubscription

SILENCE_ERRORS: Final = (requests.ConnectionError, requests.Timeout, SoftTimeLimitExceeded)


@dataclass(frozen=True)
class PushResponse:
    """The push service's response, and how long to wait before the next request to it."""

    status: int
    retry_after: timedelta | None = None

    @property
    def is_accepted(self) -> bool:
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def is_gone(self) -> bool:
        """Whether the browser was reset or has cancelled the subscription."""
        return self.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)

    @property
    def is_temporary(self) -> bool:
        """Whether the same message may be accepted later."""
        passing = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
        return self.status in passing or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR


def send_push(subscription: PushSubscription, message: PushMessage, now: datetime) -> PushResponse:
    """Send this message and return the response. Raise an error if there is none."""
    from pywebpush import WebPushException, webpush  # takes 12 MB, which only senders need

    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    try:
        with _PushSession() as session:
            answer = webpush(
                {"endpoint": subscription.endpoint, "keys": keys},
                message.body,
                vapid_private_key=settings.VAPID_PRIVATE_KEY,
                vapid_claims={"sub": settings.VAPID_CONTACT},
                timeout=settings.PUSH_TIMEOUT,
                ttl=message.kept_seconds,
                headers={"Topic": message.topic, "Urgency": message.urgency},
                requests_session=session,
            )
    except WebPushException as error:  # any status above 202
        answer = error.response
    except SILENCE_ERRORS:
        silence.record_silence(public_hosts.host_of(subscription.endpoint), now)
        raise
    return PushResponse(answer.status_code, retry_after(answer.headers.get("Retry-After", ""), now))


class _PushSession(requests.Session):
    """A session that neither follows redirects nor reads bodies, which may be endless."""

    def __init__(self) -> None:
        super().__init__()
        self.hooks["response"] = [lambda response, **_: response.close()]

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


def retry_after(text: str, now: datetime) -> timedelta | None:
    """Return the delay from a Retry-After header, which contains seconds or a date."""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return timedelta(seconds=int(text))
    at = parse_http_date_safe(text)
    return None if at is None else timedelta(seconds=max(at - now.timestamp(), 0))
