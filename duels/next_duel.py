"""The way from any page to the next duel that waits for the reader: of nothing but their own seats.

One statement, on pages of players and guests alone, and only where a page prints it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from duels import guests, queries
from duels.models import User

MOST: Final = 99  # that are counted; of more the page says "99+"


@dataclass(frozen=True)
class NextDuel:
    """A duel that waits for the reader, and how many do beside the one that they look at."""

    duel: int
    number: int

    @property
    def words(self) -> str:
        """How many wait."""
        if self.number > MOST:
            return f"{MOST}+ wait"
        return f"{self.number} wait{'s' if self.number == 1 else ''}"


def next_duel(waiting: Sequence[int], here: int | None) -> NextDuel | None:
    """The next of the duels that wait, behind the one looked at, and from the first again.

    >>> next_duel((4, 7, 9), 7)
    NextDuel(duel=9, number=2)
    >>> next_duel((4, 7, 9), 9)
    NextDuel(duel=4, number=2)
    """
    others = [duel for duel in waiting if duel != here]
    if not others:
        return None
    behind = waiting[waiting.index(here) + 1 :] if here in waiting else ()
    return NextDuel(behind[0] if behind else others[0], len(others))


def next_duel_context(request: HttpRequest) -> dict[str, object]:
    """A context processor: looked for where a page prints it."""
    return {"next_duel": SimpleLazyObject(lambda: _of_reader(request))}


def _of_reader(request: HttpRequest) -> NextDuel | None:
    user = getattr(request, "user", None)
    if user is None:  # refused before anybody has looked whose it is
        return None
    own = isinstance(user, User)
    wizard = getattr(user, "wizard", None) if own else guests.guest_of(request)
    if wizard is None:
        return None
    match = request.resolver_match
    here = match.kwargs.get("duel_id") if match else None
    return next_duel(queries.duels_awaiting(wizard, MOST), here)
