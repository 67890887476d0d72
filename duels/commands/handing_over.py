"""Callbacks that other apps register to act when a guest's duels become a player's.

Apps register them when they are loaded, because the commands do not know about their data.
"""

from typing import Protocol

from duels.models import Wizard


class GuestClaimCallback(Protocol):
    """A callback that runs in the transaction that moves a guest's duels to a player."""

    def __call__(self, *, guest: Wizard, wizard: Wizard) -> object: ...


_CALLBACKS: list[GuestClaimCallback] = []


def register_guest_claim_callback(callback: GuestClaimCallback) -> None:
    """Register a callback for when a guest's duels move to a player. Registering it again has no
    effect."""
    if callback not in _CALLBACKS:
        _CALLBACKS.append(callback)


def run_guest_claim_callbacks(*, guest: Wizard, wizard: Wizard) -> None:
    """Move other apps' data of the guest to the player."""
    for callback in _CALLBACKS:
        callback(guest=guest, wizard=wizard)
