"""The link, shown on every page, to the next duel in which the reader must act.

The link costs one query, only for players and guests, and only on pages that show it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from duels.models import User
from duels.queries import lists
from duels.sign_in import guests

MOST: Final = 99  # the highest count; above it the page says "99+"


@dataclass(frozen=True)
class NextDuel:
    """A duel that waits for the reader, and the number of such duels, not counting the current
    page's."""

    duel: int
    number: int

    @property
    def count(self) -> str:
        """The number of waiting duels, as text."""
        return f"{MOST}+" if self.number > MOST else str(self.number)


def next_duel(waiting: Sequence[int], current_duel_id: int | None) -> NextDuel | None:
    """Return the first waiting duel after the current one, or the first of all if there is none.

    >>> next_duel((4, 7, 9), 7)
    NextDuel(duel=9, number=2)
    >>> next_duel((4, 7, 9), 9)
    NextDuel(duel=4, number=2)
    """
    others = [duel for duel in waiting if duel != current_duel_id]
    if not others:
        return None
    behind = waiting[waiting.index(current_duel_id) + 1 :] if current_duel_id in waiting else ()
    return NextDuel(behind[0] if behind else others[0], len(others))


def next_duel_context(request: HttpRequest) -> dict[str, object]:
    """Context processor: add the next duel, looked up only by pages that show it."""
    return {"next_duel": SimpleLazyObject(lambda: _next_duel_of_reader(request))}


def _next_duel_of_reader(request: HttpRequest) -> NextDuel | None:
    user = getattr(request, "user", None)
    if user is None:  # request rejected before the user was known
        return None
    own = isinstance(user, User)
    wizard = getattr(user, "wizard", None) if own else guests.guest_of(request)
    if wizard is None:
        return None
    match = request.resolver_match
    here = match.kwargs.get("duel_id") if match else None
    return next_duel(lists.duels_awaiting(wizard, MOST), here)
