"""Callbacks that other apps register to act before an account is closed.

Apps register them when they are loaded, because the commands do not know about their data.
"""

from datetime import datetime
from typing import Protocol

from duels.models import User


class ClosingCallback(Protocol):
    """A callback in the transaction that closes the user's account."""

    def __call__(self, *, user: User, now: datetime) -> object: ...


_CALLBACKS: list[ClosingCallback] = []


def register_closing_callback(callback: ClosingCallback) -> None:
    """Register a callback for closed accounts. Registering it again has no effect."""
    if callback not in _CALLBACKS:
        _CALLBACKS.append(callback)


def run_closing_callbacks(*, user: User, now: datetime) -> None:
    """Call all callbacks before the user is deleted."""
    for callback in _CALLBACKS:
        callback(user=user, now=now)
