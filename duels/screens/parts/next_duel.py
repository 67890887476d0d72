"""Context for the header of every page: the next duel in which the reader must act, and a bell.

The bell shows the number of unread notices. One query loads both, for players and guests only, and
only on pages that show the header.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from django.contrib.humanize.templatetags.humanize import apnumber
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from duels.post.public import mark_page_read
from duels.queries import lists
from duels.queries.lists import ChallengeAcceptance
from duels.requests.in_view import is_in_view
from duels.sign_in import guests

MAX_COUNT: Final = 99  # maximum count; the page shows larger ones as "99+"


@dataclass(frozen=True)
class NextDuel:
    """The next duel in which the reader must act, and how many such duels there are.

    The duel on the current page does not count.
    """

    duel: int
    number: int
    accepted: str = ""  # states who has just accepted the reader's challenge

    @property
    def count_text(self) -> str:
        return count_text(self.number)


def count_text(number: int) -> str:
    """Return a count for the header, such as "12" or "99+"."""
    return f"{MAX_COUNT}+" if number > MAX_COUNT else str(number)


def _acceptance_words(accepted: ChallengeAcceptance) -> str:
    if not accepted.others:
        return f"{accepted.name} has accepted your challenge"
    others = f"{apnumber(accepted.others)} other{'s' if accepted.others > 1 else ''}"
    return f"{accepted.name} and {others} have accepted your challenge"


def next_duel(waiting: Sequence[int], current_duel_id: int | None) -> NextDuel | None:
    """Return the first waiting duel after the current one. If there is none, start again from the
    first.

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


def header_context(request: HttpRequest) -> dict[str, object]:
    """Context processor: add the next duel and the number of unread notices, or "" for none.

    The query runs only on pages that show these values.
    """
    header = cache(lambda: _header_of_reader(request))
    return {
        "next_duel": SimpleLazyObject(lambda: header()[0]),
        "unread": SimpleLazyObject(lambda: header()[1]),
    }


def _header_of_reader(request: HttpRequest) -> tuple[NextDuel | None, str]:
    """Return the next duel and the number of unread notices. On GET, mark the notices about the
    current page as read, unless the page is hidden."""
    # A request can be rejected before Django identifies its user.
    wizard = guests.wizard_of(request) if hasattr(request, "user") else None
    if wizard is None:
        return None, ""
    path = request.path.replace("\0", "") if request.method == "GET" else ""
    found = lists.waiting_for_wizard(wizard, path, MAX_COUNT)
    if found.unread_here and is_in_view(request):
        mark_page_read(wizard=wizard, path=path)
    match = request.resolver_match
    here = match.kwargs.get("duel_id") if match else None
    following = next_duel(found.duels, here)
    for each in found.accepted:
        if following is not None and each.duel != here:
            following = replace(following, duel=each.duel, accepted=_acceptance_words(each))
    return following, count_text(found.unread) if found.unread else ""
