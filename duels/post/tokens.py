"""The token in a mail by which its reader says that they want no more of them, without signing in.

It names a wizard, and the duel that the mail was of. It can switch mails off and nothing else, and
never expires: mails are kept for years, and whoever clicks then means it.
"""

import re
from typing import NamedTuple

from django.core.signing import BadSignature, Signer


class Named(NamedTuple):
    """Whose mails, and of which duel this one was; None for the daily mail."""

    wizard_id: int
    duel_id: int | None


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
