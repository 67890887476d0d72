"""Registry of callbacks that other apps run before an account is closed.

Apps register callbacks when they are loaded, so that commands do not depend on the apps' models.
"""

from datetime import datetime
from typing import Protocol

from duels.models import User


class ClosingCallback(Protocol):
    """A callback that runs in the transaction that closes the user's account."""

    def __call__(self, *, user: User, now: datetime) -> object: ...


_CALLBACKS: list[ClosingCallback] = []


def register_closing_callback(callback: ClosingCallback) -> None:
    """Register a callback to run before an account is closed. Registering it again has no
    effect."""
    if callback not in _CALLBACKS:
        _CALLBACKS.append(callback)


def run_closing_callbacks(*, user: User, now: datetime) -> None:
    """Call all registered callbacks."""
    for callback in _CALLBACKS:
        callback(user=user, now=now)
