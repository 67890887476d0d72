"""Callbacks of other apps for when a guest's duels become a player's.

Apps register them when they are loaded, because the commands do not know about their data.
"""

from typing import Protocol

from duels.models import Wizard


class HandingOver(Protocol):
    """A callback in the transaction that moves the guest's duels to the player."""

    def __call__(self, *, guest: Wizard, wizard: Wizard) -> object: ...


_DONE: list[HandingOver] = []


def when_handed_over(done: HandingOver) -> None:
    """Register a callback for guests who are kept. Registering it again has no effect."""
    if done not in _DONE:
        _DONE.append(done)


def hand_over(*, guest: Wizard, wizard: Wizard) -> None:
    """Move other apps' data of the guest to the player."""
    for done in _DONE:
        done(guest=guest, wizard=wizard)
