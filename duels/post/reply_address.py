"""Addresses for orders by email, with a token for a wizard and one turn.

The token can do what a seal for that turn can, and nothing more. It is not a password, does not
work for other turns, and is worthless once the turn has been played. It consists only of small
letters and digits, since email programs change capitals, and fits the 64 characters before an `@`.
"""

import base64
import re
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from duels.email_addresses import canonical_address

PREFIX = "reply+"
MAC_BYTES = 16
_TOKEN = re.compile(r"([1-9][0-9]{0,18})-([1-9][0-9]{0,18})-([a-z2-7]{26})")


class ReplyHolder(NamedTuple):
    """The wizard who answers, and the turn."""

    wizard_id: int
    turn_id: int


def reply_address(wizard_id: int, turn_id: int) -> str:
    """Return where this wizard's orders for the turn can be sent, or "" if replies are off."""
    if not settings.REPLY_DOMAIN:
        return ""
    holder = f"{wizard_id}-{turn_id}"
    return f"{PREFIX}{holder}-{_mac(holder)}@{settings.REPLY_DOMAIN}"


def reply_holder(address: str) -> ReplyHolder | None:
    """Return the holder of this address, or None if the site did not create it."""
    local, _, domain = canonical_address(address).rpartition("@")
    if not settings.REPLY_DOMAIN or domain != canonical_address(settings.REPLY_DOMAIN):
        return None
    found = _TOKEN.fullmatch(local.removeprefix(PREFIX)) if local.startswith(PREFIX) else None
    if found is None or not constant_time_compare(found[3], _mac(f"{found[1]}-{found[2]}")):
        return None
    return ReplyHolder(int(found[1]), int(found[2]))


def _mac(holder: str) -> str:
    mac = salted_hmac("duels.post.reply_address", holder, algorithm="sha256").digest()
    return base64.b32encode(mac[:MAC_BYTES]).decode().rstrip("=").lower()
