"""The duel of the day, for pages that list duels."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from duels.archive.public import DuelOfTheDay
from duels.queries.listing import DuelList, ListedDuels
from duels.screens.lists.lines import list_entries

DAILY = "daily"  # name of the list


def daily_list(daily: DuelOfTheDay | None) -> dict[str, DuelList]:
    """Return the duel of the day as a list by name, to load together with a page's other lists."""
    return {DAILY: daily.found} if daily else {}


def shown_daily_duel(
    daily: DuelOfTheDay | None, found: Mapping[str, ListedDuels], now: datetime
) -> dict[str, Any] | None:
    """Return the list entry of the duel of the day and the reason why it was chosen, if any."""
    if daily is None:
        return None
    return {"lines": list_entries(found[DAILY].rows, now=now), "reason": daily.reason}
