"""Validation of the data that a browser sends when notifications are turned on.

The site sends requests to the address in this data, so the address must be safe: it must use HTTPS
on the usual port, and belong to a push service that browsers use. Services are recognised by their
host names, and the setting PUSH_SERVICES adds others. Names of hosts in private networks are never
accepted, even if the setting contains them.
"""

import base64
import binascii
import re
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from duels.delivery import public_hosts

MAX_ENDPOINT_LENGTH: Final = 1_000  # characters; real ones have about two hundred
POINT_BYTES: Final = 65  # an uncompressed point on P-256 (RFC 8291, section 2.1)
AUTH_BYTES: Final = 16

# The push services of Chrome and most other browsers, Firefox, Safari and Edge. `*.` means any
# subdomain.
KNOWN_SERVICES: Final = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)


class InvalidSubscription(ValueError):
    """Error for a subscription, with the faulty field and the reason as a sentence."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def check_endpoint(endpoint: str) -> None:
    """Raise `InvalidSubscription` if the site does not send to this address."""
    if len(endpoint) > MAX_ENDPOINT_LENGTH:
        raise InvalidSubscription(
            "endpoint", f"The push address is longer than {MAX_ENDPOINT_LENGTH} characters."
        )
    host = public_hosts.host_of(endpoint)
    if not host:
        raise InvalidSubscription(
            "endpoint", "A push address must begin with https:// and the name of a push service."
        )
    services = (*KNOWN_SERVICES, *(each.lower() for each in settings.PUSH_SERVICES))
    if not public_hosts.is_public_host(host) or not any(_matches(host, each) for each in services):
        raise InvalidSubscription(
            "endpoint", f"This site does not support the push service of your browser: {host}."
        )


def is_allowed(endpoint: str) -> bool:
    """Return whether the site sends to this address."""
    try:
        check_endpoint(endpoint)
    except InvalidSubscription:
        return False
    return True


def is_service_name(name: str) -> bool:
    """Return whether this is a public host, with or without `*.` before it."""
    return public_hosts.is_public_host(name.removeprefix("*."))


def parse_public_key(text: str) -> bytes:
    """Return the browser's key. Raise `InvalidSubscription` if it is not on the curve."""
    point = _decode_field("p256dh", text, POINT_BYTES)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise InvalidSubscription("p256dh", "The key is not a point on the P-256 curve.") from None
    return point


def parse_auth_secret(text: str) -> bytes:
    """Return the secret that the browser and the site share, as bytes."""
    return _decode_field("auth", text, AUTH_BYTES)


def encode_key(value: bytes) -> str:
    """Return this key in the format that browsers use, which is URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decode_key(text: str) -> bytes:
    """Return the bytes of a browser's key. Raise ValueError if it is invalid."""
    text = text.rstrip("=")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("not URL-safe base64")
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _decode_field(field: str, text: str, length: int) -> bytes:
    try:
        value = decode_key(text)
    except ValueError:
        value = b""
    if len(value) != length:
        raise InvalidSubscription(field, f"This must be {length} bytes in URL-safe base64.")
    return value


def _matches(host: str, service: str) -> bool:
    if service.startswith("*."):
        return host.endswith(service[1:])
    return host == service
