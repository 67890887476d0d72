"""The duel of the day, for pages that list duels."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from duels.archive.public import DuelOfTheDay
from duels.queries.listing import DuelList, ListedDuels
from duels.screens.lists.lines import Entry, list_entries

DAILY = "daily"  # name of the list


@dataclass(frozen=True)
class ShownDailyDuel:
    """The list entry of the duel of the day, and the reason why it was chosen."""

    lines: tuple[Entry, ...]
    reason: str


def daily_list(daily: DuelOfTheDay | None) -> dict[str, DuelList]:
    """Return the duel of the day as a list by name, to load together with a page's other lists."""
    return {DAILY: daily.found} if daily else {}


def shown_daily_duel(
    daily: DuelOfTheDay | None, found: Mapping[str, ListedDuels], now: datetime
) -> ShownDailyDuel | None:
    """Return the duel of the day as shown on pages, from the loaded lists, or None if there is
    none."""
    if daily is None:
        return None
    return ShownDailyDuel(list_entries(found[DAILY].rows, now=now), daily.reason)
