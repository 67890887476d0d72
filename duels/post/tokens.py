"""The tokens in mails by which their readers say something without signing in: that they want no
more of them, or that a guest may have them sent there.

The first names a wizard, and the duel that the mail was of. It can switch mails off and nothing
else, and never expires: mails are kept for years, and whoever clicks then means it. The other one
names a guest and an address, and serves for three days.
"""

import re
from datetime import timedelta
from typing import Final, NamedTuple

from django.core import signing
from django.core.signing import BadSignature, Signer

CONFIRMED_WITHIN: Final = timedelta(days=3)
GUEST_ADDRESS: Final = "duels.post.guest_address"


class Named(NamedTuple):
    """Whose mails, and of which duel this one was; None for the daily mail."""

    wizard_id: int
    duel_id: int | None


class NamedAddress(NamedTuple):
    """Which guest wants mails at which address."""

    wizard_id: int
    address: str


def address_token(wizard_id: int, address: str) -> str:
    """For the mail that asks whether this guest's mails may come to this address."""
    return signing.dumps([wizard_id, address], salt=GUEST_ADDRESS)


def address_named_by(token: str) -> NamedAddress | None:
    """What the token names; None where it is not one of ours, or too old."""
    try:
        named = signing.loads(token, salt=GUEST_ADDRESS, max_age=CONFIRMED_WITHIN)
    except BadSignature:
        return None
    return NamedAddress(*named)


def token(wizard_id: int, duel_id: int | None = None) -> str:
    """For the mails of this wizard."""
    return _signer().sign(f"{wizard_id}-{duel_id or 0}")


def named_by(token: str) -> Named | None:
    """What the token names; None where it is not one of ours."""
    try:
        text = _signer().unsign(token)
    except BadSignature:
        return None
    found = re.fullmatch(r"([0-9]+)-([0-9]+)", text)
    assert found, "a token that was signed here"
    return Named(int(found[1]), int(found[2]) or None)


def _signer() -> Signer:
    return Signer(salt="duels.post.mail_off", sep=".")
