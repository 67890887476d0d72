"""The key pair by which the site identifies itself to push services (VAPID, RFC 8292).

The private key is the setting VAPID_PRIVATE_KEY. Browsers receive the public key when they
subscribe, and push services accept only messages signed with the private one. A new pair makes all
subscriptions worthless.
"""

from datetime import datetime, timedelta
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02, VapidException

from duels.push.endpoints import decoded, encoded

KEY_BYTES: Final = 32
SIGNED_FOR: Final = timedelta(hours=12)  # at most a day, by section 2 of the RFC


def is_on() -> bool:
    """Return whether the settings for sending are complete."""
    return bool(settings.VAPID_PRIVATE_KEY and settings.VAPID_CONTACT)


def new_private_key() -> str:
    """Return a new private key in the form of the setting."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(KEY_BYTES, "big"))


def public_key() -> str:
    """Return the public half of the site's key in the form that browsers expect."""
    return _public_key(settings.VAPID_PRIVATE_KEY)


def is_private_key(text: str) -> bool:
    """Return whether this is a private key in the form of the setting."""
    try:
        if len(decoded(text)) != KEY_BYTES:
            return False
        _public_key(text)
    except ValueError:
        return False
    return True


def is_contact(text: str) -> bool:
    """Return whether a push service could use this contact: a `mailto:` or `https:` address."""
    try:
        Vapid02(ec.generate_private_key(ec.SECP256R1())).sign(
            {"sub": text, "aud": "https://push.example"}
        )
    except VapidException:
        return False
    return True


def authorization(endpoint: str, now: datetime) -> dict[str, str]:
    """Return the header with the sender's identity and a contact for complaints."""
    to = urlsplit(endpoint)
    claims = {
        "aud": f"{to.scheme}://{to.netloc}",
        "exp": int((now + SIGNED_FOR).timestamp()),
        "sub": settings.VAPID_CONTACT,
    }
    signed: dict[str, str] = _pair(settings.VAPID_PRIVATE_KEY).sign(claims)
    return signed


@cache
def _pair(private_key: str) -> Vapid02:
    return Vapid02.from_raw(private_key.encode())


@cache
def _public_key(private_key: str) -> str:
    point = _pair(private_key).public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return encoded(point)
