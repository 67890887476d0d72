"""Addresses to which undeliverable emails return (variable envelope return path, VERP).

The envelope sender contains a token for the notice and the address it was sent to. The token can
turn off emails only to that address. Only the recipient and the servers on the way know it, so
nobody can turn off another person's emails.
"""

import base64
import re
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from duels.email_addresses import canonical_address

PREFIX = "bounce+"
MAC_BYTES = 16
DIGEST_BYTES = 5
_TOKEN = re.compile(r"([1-9][0-9]{0,18})-([a-z2-7]{8})-([a-z2-7]{26})")


class BounceHolder(NamedTuple):
    """A notice that bounced, with a digest of the address it was sent to."""

    notice_id: int
    digest: str

    def is_of(self, address: str) -> bool:
        """Return whether the email was sent to this address."""
        return constant_time_compare(self.digest, _digest(address))


def bounce_address(notice_id: int, address: str) -> str:
    """Return the bounce address for this notice to this address, or "" if bounces are off."""
    if not settings.BOUNCE_DOMAIN:
        return ""
    holder = f"{notice_id}-{_digest(address)}"
    return f"{PREFIX}{holder}-{_mac(holder)}@{settings.BOUNCE_DOMAIN}"


def bounce_holder(address: str) -> BounceHolder | None:
    """Return the notice that bounced to this address, or None if the site did not create the
    address."""
    local, _, domain = canonical_address(address).rpartition("@")
    if not settings.BOUNCE_DOMAIN or domain != canonical_address(settings.BOUNCE_DOMAIN):
        return None
    found = _TOKEN.fullmatch(local.removeprefix(PREFIX)) if local.startswith(PREFIX) else None
    if found is None or not constant_time_compare(found[3], _mac(f"{found[1]}-{found[2]}")):
        return None
    return BounceHolder(int(found[1]), found[2])


def _digest(address: str) -> str:
    return _base32("duels.post.bounce_address.digest", canonical_address(address), DIGEST_BYTES)


def _mac(holder: str) -> str:
    return _base32("duels.post.bounce_address", holder, MAC_BYTES)


def _base32(salt: str, text: str, length: int) -> str:
    mac = salted_hmac(salt, text, algorithm="sha256").digest()
    return base64.b32encode(mac[:length]).decode().rstrip("=").lower()
