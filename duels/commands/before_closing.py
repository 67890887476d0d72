"""Callbacks of other apps before an account is closed.

Apps register them when they are loaded, because the commands do not know about their data.
"""

from datetime import datetime
from typing import Protocol

from duels.models import User


class BeforeClosing(Protocol):
    """A callback in the transaction that closes the user's account."""

    def __call__(self, *, user: User, now: datetime) -> object: ...


_BEFORE: list[BeforeClosing] = []


def before_closing(done: BeforeClosing) -> None:
    """Register a callback for closed accounts. Registering it again has no effect."""
    if done not in _BEFORE:
        _BEFORE.append(done)


def prepare_closing(*, user: User, now: datetime) -> None:
    """Call all callbacks before the user is deleted."""
    for done in _BEFORE:
        done(user=user, now=now)
