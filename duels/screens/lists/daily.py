"""The duel of the day, on pages that list duels."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from duels.archive.public import DuelOfTheDay
from duels.queries.listing import DuelList, ListedDuels
from duels.screens.lists.lines import Entry, list_entries

DAILY = "daily"  # the list's name


@dataclass(frozen=True)
class ShownDailyDuel:
    """The line of the duel of the day, and the reason for its choice."""

    lines: tuple[Entry, ...]
    reason: str


def daily_list(daily: DuelOfTheDay | None) -> dict[str, DuelList]:
    """Return the list to load with a page's other lists, by name."""
    return {DAILY: daily.found} if daily else {}


def shown_daily_duel(
    daily: DuelOfTheDay | None, found: Mapping[str, ListedDuels], now: datetime
) -> ShownDailyDuel | None:
    """Return the duel as pages show it, from the lists that were loaded."""
    if daily is None:
        return None
    return ShownDailyDuel(list_entries(found[DAILY].rows, now=now), daily.reason)
