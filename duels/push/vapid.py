"""The key pair by which the site identifies itself to push services (VAPID, RFC 8292).

The private key is the setting VAPID_PRIVATE_KEY; browsers are told the public one when they
subscribe, and push services take only what is signed with the other. A new pair makes all
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
    """Whether the site has what sending needs."""
    return bool(settings.VAPID_PRIVATE_KEY and settings.VAPID_CONTACT)


def new_private_key() -> str:
    """A private key, as it stands in the setting."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(KEY_BYTES, "big"))


def public_key() -> str:
    """The public half of the site's key, as browsers want it."""
    return _public_key(settings.VAPID_PRIVATE_KEY)


def is_private_key(text: str) -> bool:
    """Whether this is a private key as the setting has it."""
    try:
        if len(decoded(text)) != KEY_BYTES:
            return False
        _public_key(text)
    except ValueError:
        return False
    return True


def is_contact(text: str) -> bool:
    """Whether a push service could write there: `mailto:` an address, or a page by HTTPS."""
    try:
        Vapid02(ec.generate_private_key(ec.SECP256R1())).sign(
            {"sub": text, "aud": "https://push.example"}
        )
    except VapidException:
        return False
    return True


def authorization(endpoint: str, now: datetime) -> dict[str, str]:
    """The header that says who sends, and to whom they may be complained of."""
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
