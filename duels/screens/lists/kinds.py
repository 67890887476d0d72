"""The lists of duels, with their titles, texts and the address of each list's own page."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse

from duels.archive.public import DuelOfTheDay
from duels.matching import public as matching
from duels.models import Wizard
from duels.queries import lists
from duels.queries.listing import ALL_DUELS, DuelList, ListedDuels, ListFilter
from duels.queries.lists import OwnCounts
from duels.screens.lists.lines import ListEntry, list_entries


@dataclass(frozen=True)
class ListKind:
    """A kind of list, with its title, and the text to show if the list is empty.

    After `empty` comes a link with the text `offer` to the page with the URL name `offer_page`.
    """

    code: str
    title: str
    all_words: str  # text of the link to the complete list
    empty: str
    is_own: bool = True  # whether these are the viewer's own duels
    offer: str = ""
    offer_page: str = "challenge_new"


@dataclass(frozen=True)
class ShownList:
    kind: ListKind
    lines: tuple[ListEntry, ...]
    more: str  # address of the remaining rows, or empty if all rows are shown

    def __bool__(self) -> bool:
        return bool(self.lines)


LIST_KINDS: Final = {
    kind.code: kind
    for kind in (
        ListKind(
            "waiting",
            "Your turn",
            "All duels where it is your turn",
            "It is not your turn in any duel against other wizards.",
        ),
        ListKind(
            "running",
            "Waiting for others",
            "All duels waiting for others",
            "You are not waiting for anyone.",
        ),
        ListKind(
            "practice",
            "Practice",
            "All your practice duels",
            "No practice duels. Old Quill looks at the clock.",
        ),
        ListKind(
            "challenges",
            "Your challenges",
            "All your challenges",
            "No challenges.",
            offer="Send one?",
        ),
        ListKind(
            "finished",
            "Finished",
            "All finished duels",
            "None yet. Finished duels stay here, so you can read them again.",
        ),
        ListKind(
            "open",
            "Open challenges",
            "All open challenges",
            "None to accept.",
            is_own=False,
            offer="Create one?",
        ),
        ListKind(
            "watch",
            "To watch",
            "All duels to watch",
            "No public duels right now.",
            is_own=False,
            offer="Read a finished one?",
            offer_page="archive",
        ),
        ListKind(
            "read",
            "To read",
            "All duels to read",
            "No public duel is over yet. Wizards take their time.",
            is_own=False,
            offer="Practise?",
            offer_page="practice",
        ),
    )
}
DAILY_LIST = "daily"  # name of the list with the duel of the day
DUELLIST_LISTS: Final = tuple(LIST_KINDS)  # players and guests
VISITOR_LISTS: Final = ("watch", "read", "open")
WIZARD_LISTS: Final = ("watch", "finished")


def duel_list(code: str, viewer: Wizard | None, now: datetime) -> DuelList:
    if viewer is not None and code in _OWN_QUERIES:
        return _OWN_QUERIES[code](viewer, now)
    return _PUBLIC_QUERIES[code](now)


def duel_list_of_wizard(code: str, wizard: Wizard, viewer: Wizard | None) -> DuelList:
    """Return the list of this kind for a wizard's page."""
    if code == "watch":
        return lists.running_public_list(wizard, viewer)
    return lists.finished_list(wizard, viewer)


def list_to_show(
    code: str,
    listed: ListedDuels,
    *,
    now: datetime | None = None,
    wizard: Wizard | None = None,
    address: str = "",
) -> ShownList:
    """Return the list on a page. If rows remain, link to `address` or the list's own page."""
    kind = LIST_KINDS[code]
    rows = [row for row in listed.rows if code != "open" or row.free_places]
    lines = list_entries(rows, now=now)
    return ShownList(kind, lines, (address or list_address(code, wizard)) if listed.next else "")


def daily_list(daily: DuelOfTheDay | None) -> dict[str, DuelList]:
    """Return the duel of the day as a list by name, to load together with a page's other lists."""
    return {DAILY_LIST: daily.found} if daily else {}


def daily_duel_to_show(
    daily: DuelOfTheDay | None, found: Mapping[str, ListedDuels], now: datetime
) -> dict[str, Any] | None:
    """Return the list entry of the duel of the day and the reason why it was chosen, if any."""
    if daily is None:
        return None
    return {"lines": list_entries(found[DAILY_LIST].rows, now=now), "reason": daily.reason}


def list_address(
    code: str,
    wizard: Wizard | None = None,
    after: object = "",
    wanted: ListFilter = ALL_DUELS,
) -> str:
    """Return the address of the list's page, from the top or from after the given place."""
    query = {"show": code, "wizard": wizard and wizard.slug, **asdict(wanted), "after": str(after)}
    return f"{reverse('duels')}?{urlencode({key: value for key, value in query.items() if value})}"


@dataclass(frozen=True)
class ListTab:
    """A link to the page of a list, with the number of its duels, or 0 if it is not shown."""

    kind: ListKind
    address: str
    number: int


def tab_groups(
    codes: Iterable[str], wizard: Wizard | None, counts: OwnCounts | None
) -> list[tuple[str, list[ListTab]]]:
    """Return the tabs of these kinds, in two groups: the reader's own and everyone's."""
    shown = [LIST_KINDS[code] for code in codes]
    groups: dict[str, list[ListTab]] = {"Yours": [], "Everyone’s": []}
    for kind in shown:
        whose = "Yours" if kind.is_own and wizard is None else "Everyone’s"
        number = getattr(counts, kind.code, 0)
        groups[whose].append(ListTab(kind, list_address(kind.code, wizard), number))
    return [(whose, kinds) for whose, kinds in groups.items() if kinds]


_PUBLIC_QUERIES: Final[Mapping[str, Callable[[datetime], DuelList]]] = {
    "open": lambda now: lists.open_challenge_list(None, now),
    "watch": lambda now: lists.running_public_list(),
    "read": lambda now: lists.finished_public_list(),
}
_OWN_QUERIES: Final[Mapping[str, Callable[[Wizard, datetime], DuelList]]] = {
    "waiting": lambda viewer, now: lists.waiting_list(viewer),
    "running": lambda viewer, now: lists.running_list(viewer),
    "practice": lambda viewer, now: lists.practice_list(viewer),
    "challenges": lists.challenge_list,
    "open": matching.open_challenge_list,
    "finished": lambda viewer, now: lists.finished_list(viewer, viewer),
}
