"""Where a mail comes back to that could not be delivered: the sender in its envelope, which holds a
token for its notice and the address it went to (a variable envelope return path).

The token can turn mails to that one address off, and nothing else. Nobody has it but who was sent
the mail and the servers on its way, so that nobody turns off anybody else's mails.
"""

import base64
import re
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

PREFIX = "bounce+"
MAC_BYTES = 16
DIGEST_BYTES = 5
_TOKEN = re.compile(r"([1-9][0-9]{0,18})-([a-z2-7]{8})-([a-z2-7]{26})")


class BounceHolder(NamedTuple):
    """Which notice came back, and a digest of the address it had been sent to."""

    notice_id: int
    digest: str

    def is_of(self, address: str) -> bool:
        """Whether this is the address that the mail had been sent to."""
        return constant_time_compare(self.digest, _digest(address))


def bounce_address(notice_id: int, address: str) -> str:
    """Where the mail of this notice to this address comes back to; empty where that is off."""
    if not settings.BOUNCE_DOMAIN:
        return ""
    holder = f"{notice_id}-{_digest(address)}"
    return f"{PREFIX}{holder}-{_mac(holder)}@{settings.BOUNCE_DOMAIN}"


def bounce_holder(address: str) -> BounceHolder | None:
    """What came back to this address; None where it is not one of this site's own making."""
    local, _, domain = address.strip().strip("<>").casefold().rpartition("@")
    if not settings.BOUNCE_DOMAIN or domain != settings.BOUNCE_DOMAIN.casefold():
        return None
    found = _TOKEN.fullmatch(local.removeprefix(PREFIX)) if local.startswith(PREFIX) else None
    if found is None or not constant_time_compare(found[3], _mac(f"{found[1]}-{found[2]}")):
        return None
    return BounceHolder(int(found[1]), found[2])


def _digest(address: str) -> str:
    return _base32("duels.post.bounce_address.digest", address.casefold(), DIGEST_BYTES)


def _mac(holder: str) -> str:
    return _base32("duels.post.bounce_address", holder, MAC_BYTES)


def _base32(salt: str, text: str, length: int) -> str:
    mac = salted_hmac(salt, text, algorithm="sha256").digest()
    return base64.b32encode(mac[:length]).decode().rstrip("=").lower()
