"""Addresses for orders and answers by email, each with a token for a wizard, a turn and a round of
questions.

Round 0 is for orders; rounds of questions after the reveal are counted from 1. The token is not a
password: it allows sealing only in its own turn and round, and is worthless once the round is over.
"""

from typing import NamedTuple

from django.conf import settings

from duels.post.signed_addresses import make_signed_address, verified_content

REPLY_PURPOSE = "reply"


class ReplyRecipient(NamedTuple):
    """The wizard who replies, the turn, and the round of questions, which is 0 for orders."""

    wizard_id: int
    turn_id: int
    batch: int = 0  # addresses by release 0.1.0 have no round, and accept only orders


def make_reply_address(wizard_id: int, turn_id: int, batch: int = 0) -> str:
    """Return the address for this wizard's orders or answers, or "" if replies are turned off."""
    return make_signed_address(
        REPLY_PURPOSE, f"{wizard_id}-{turn_id}-{batch}", settings.REPLY_DOMAIN
    )


def parse_reply_address(address: str) -> ReplyRecipient | None:
    """Return the wizard, turn and round of this address, or None if the site did not create it."""
    content = verified_content(REPLY_PURPOSE, address, settings.REPLY_DOMAIN)
    return ReplyRecipient(*map(int, content.split("-"))) if content else None
