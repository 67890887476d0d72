"""Registry of callbacks that other apps run when a guest's duels are moved to a player.

Apps register callbacks when they are loaded, so that commands do not depend on the apps' models.
"""

from typing import Protocol

from duels.models import Wizard


class GuestClaimCallback(Protocol):
    """A callback that runs in the transaction that moves a guest's duels to a player."""

    def __call__(self, *, guest: Wizard, wizard: Wizard) -> object: ...


_CALLBACKS: list[GuestClaimCallback] = []


def register_guest_claim_callback(callback: GuestClaimCallback) -> None:
    """Register a callback to run when a guest's duels are moved. Registering it again has no
    effect."""
    if callback not in _CALLBACKS:
        _CALLBACKS.append(callback)


def run_guest_claim_callbacks(*, guest: Wizard, wizard: Wizard) -> None:
    """Call all registered callbacks, which move other apps' data about the guest to the player."""
    for callback in _CALLBACKS:
        callback(guest=guest, wizard=wizard)
