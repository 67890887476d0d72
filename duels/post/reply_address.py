"""Addresses for orders and answers by email, with a token for a wizard, a turn and a round.

Round 0 is for orders; the rounds of questions after the reveal count from 1. The token only allows
sealing in that round. It is not a password, does not work for other rounds or turns, and is
worthless once the round is over. It consists only of small letters and digits, because email
programs change capitals, and fits into the 64 characters before an `@`.
"""

import base64
import re
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from duels.email_addresses import canonical_address

PREFIX = "reply+"
MAC_BYTES = 16
# Addresses from release 0.1.0 do not contain a round, and accept only orders.
_TOKEN = re.compile(
    r"([1-9][0-9]{0,18}-[1-9][0-9]{0,18}(?:-(?:0|[1-9][0-9]{0,3}))?)-([a-z2-7]{26})"
)


class ReplyHolder(NamedTuple):
    """The wizard who replies, the turn, and the round of questions, which is 0 for orders."""

    wizard_id: int
    turn_id: int
    batch: int = 0


def reply_address(wizard_id: int, turn_id: int, batch: int = 0) -> str:
    """Return the address for this wizard's orders or answers, or "" if replies are off."""
    if not settings.REPLY_DOMAIN:
        return ""
    holder = f"{wizard_id}-{turn_id}-{batch}"
    return f"{PREFIX}{holder}-{_mac(holder)}@{settings.REPLY_DOMAIN}"


def reply_holder(address: str) -> ReplyHolder | None:
    """Return the wizard, turn and round of this address, or None if the site did not create it."""
    local, _, domain = canonical_address(address).rpartition("@")
    if not settings.REPLY_DOMAIN or domain != canonical_address(settings.REPLY_DOMAIN):
        return None
    found = _TOKEN.fullmatch(local.removeprefix(PREFIX)) if local.startswith(PREFIX) else None
    if found is None or not constant_time_compare(found[2], _mac(found[1])):
        return None
    return ReplyHolder(*map(int, found[1].split("-")))


def _mac(holder: str) -> str:
    mac = salted_hmac("duels.post.reply_address", holder, algorithm="sha256").digest()
    return base64.b32encode(mac[:MAC_BYTES]).decode().rstrip("=").lower()
