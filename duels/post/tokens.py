"""Two kinds of tokens in emails, which allow readers to do something without signing in.

The first kind turns emails off, and contains a wizard and the email's duel. It cannot do anything
else, and never expires, because a reader who uses it years later still does not want emails. The
second kind contains a guest and an address. It confirms that the guest may get emails there, and is
valid for three days.
"""

import re
from datetime import timedelta
from typing import Final, NamedTuple

from django.core import signing
from django.core.signing import BadSignature, Signer

TOKEN_LIFETIME: Final = timedelta(days=3)
GUEST_ADDRESS_SALT: Final = "duels.post.guest_address"


class UnsubscribeToken(NamedTuple):
    """The wizard who receives the email, and the email's duel (None for a daily email)."""

    wizard_id: int
    duel_id: int | None


class AddressToken(NamedTuple):
    """A guest, and the address that they have entered."""

    wizard_id: int
    address: str


def address_token(wizard_id: int, address: str) -> str:
    """Return the token for the email that asks to confirm a guest's address."""
    return signing.dumps([wizard_id, address], salt=GUEST_ADDRESS_SALT)


def read_address_token(token: str) -> AddressToken | None:
    """Return the guest and address in the token, or None if it is invalid or has expired."""
    try:
        named = signing.loads(token, salt=GUEST_ADDRESS_SALT, max_age=TOKEN_LIFETIME)
    except BadSignature:
        return None
    return AddressToken(*named)


def unsubscribe_token(wizard_id: int, duel_id: int | None = None) -> str:
    """Return the token that turns off emails to this wizard."""
    return _signer().sign(f"{wizard_id}-{duel_id or 0}")


def read_unsubscribe_token(token: str) -> UnsubscribeToken | None:
    """Return the wizard and duel in the token, or None if it is invalid."""
    try:
        text = _signer().unsign(token)
    except BadSignature:
        return None
    found = re.fullmatch(r"([0-9]+)-([0-9]+)", text)
    assert found, "only the site can sign a token"
    return UnsubscribeToken(int(found[1]), int(found[2]) or None)


def _signer() -> Signer:
    return Signer(salt="duels.post.mail_off", sep=".")
