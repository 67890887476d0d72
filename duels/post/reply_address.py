"""Where a wizard answers a mail with orders: an address that holds a token for them and one turn.

The token can do what a seal for that turn can, and nothing else: it is no password, it names no
other turn, and it is worth nothing once the turn has been played. It is written in small letters
and digits alone, since mail programs change capitals, and fits the 64 characters before an `@`.
"""

import base64
import re
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

PREFIX = "reply+"
MAC_BYTES = 16
_TOKEN = re.compile(r"([1-9][0-9]{0,18})-([1-9][0-9]{0,18})-([a-z2-7]{26})")


class ReplyHolder(NamedTuple):
    """Who answers, and for which turn."""

    wizard_id: int
    turn_id: int


def reply_address(wizard_id: int, turn_id: int) -> str:
    """Where this wizard's orders for the turn can be sent; empty where replies are off."""
    if not settings.REPLY_DOMAIN:
        return ""
    holder = f"{wizard_id}-{turn_id}"
    return f"{PREFIX}{holder}-{_mac(holder)}@{settings.REPLY_DOMAIN}"


def reply_holder(address: str) -> ReplyHolder | None:
    """Whose address it is; None where it is not one of this site's own making."""
    local, _, domain = address.strip().strip("<>").casefold().rpartition("@")
    if not settings.REPLY_DOMAIN or domain != settings.REPLY_DOMAIN.casefold():
        return None
    found = _TOKEN.fullmatch(local.removeprefix(PREFIX)) if local.startswith(PREFIX) else None
    if found is None or not constant_time_compare(found[3], _mac(f"{found[1]}-{found[2]}")):
        return None
    return ReplyHolder(int(found[1]), int(found[2]))


def _mac(holder: str) -> str:
    mac = salted_hmac("duels.post.reply_address", holder, algorithm="sha256").digest()
    return base64.b32encode(mac[:MAC_BYTES]).decode().rstrip("=").lower()
