"""The key pair that identifies the site to push services (VAPID, RFC 8292).

The private key is in the setting VAPID_PRIVATE_KEY. Browsers receive the public key when they
subscribe, and push services accept only messages that are signed with the private key. A new key
pair invalidates all subscriptions.
"""

import re
from functools import cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from py_vapid import Vapid02

from duels.delivery.public_hosts import host_of, is_public_host
from duels.push.endpoints import decode_key, encode_key

KEY_BYTES: Final = 32
UNREACHABLE_SUFFIXES: Final = (".invalid", ".test")  # domains that never exist (RFC 2606)


def is_configured() -> bool:
    """Return whether the settings for sending notifications are complete."""
    return bool(settings.VAPID_PRIVATE_KEY and settings.VAPID_CONTACT)


def new_private_key() -> str:
    """Return a new private key in the format of the setting."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode_key(number.to_bytes(KEY_BYTES, "big"))


def public_key() -> str:
    """Return the site's public key in the format that browsers expect."""
    return _public_key(settings.VAPID_PRIVATE_KEY)


def is_private_key(text: str) -> bool:
    """Return whether this is a valid value for the setting VAPID_PRIVATE_KEY."""
    try:
        if len(decode_key(text)) != KEY_BYTES:
            return False
        _public_key(text)
    except ValueError:
        return False
    return True


def is_valid_contact(text: str) -> bool:
    """Return whether every push service accepts this `mailto:` or `https:` contact.

    Apple rejects all messages if the contact is written in another way (in capitals, in angle
    brackets or with a space), or if its host cannot be on the public Internet.
    """
    if not re.fullmatch(r"[!-~]+", text):
        return False
    if text.startswith("https://"):
        host = host_of(text)
    else:
        scheme, _, address = text.partition(":")
        host = (
            address.rpartition("@")[2] if scheme == "mailto" and _is_email_address(address) else ""
        )
    return is_public_host(host.lower()) and not host.lower().endswith(UNREACHABLE_SUFFIXES)


def _is_email_address(text: str) -> bool:
    if text.startswith("/"):
        return False
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


@cache
def _public_key(private_key: str) -> str:
    key = Vapid02.from_raw(private_key.encode()).public_key
    return encode_key(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
