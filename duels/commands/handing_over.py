"""What is done when a guest's duels become a player's by those who know of things that the commands
do not: a room above them says so when it is loaded."""

from typing import Protocol

from duels.models import Wizard


class HandingOver(Protocol):
    """Called in the transaction in which the guest's duels have become the player's."""

    def __call__(self, *, guest: Wizard, wizard: Wizard) -> object: ...


_DONE: list[HandingOver] = []


def when_handed_over(done: HandingOver) -> None:
    """This is done for any guest who is kept, once however often it is said."""
    if done not in _DONE:
        _DONE.append(done)


def hand_over(*, guest: Wizard, wizard: Wizard) -> None:
    """What others know of the guest is the player's."""
    for done in _DONE:
        done(guest=guest, wizard=wizard)
