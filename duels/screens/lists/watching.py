"""Context for the list of running public duels, with filters and several sort orders."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from duels.archive.public import duel_of_the_day
from duels.models import Wizard
from duels.queries.listing import ALL_DUELS, FigurePlace, load_duel_lists
from duels.ratings.public import WatchedDuel, watch_page
from duels.screens.lists import kinds
from duels.screens.lists.forms import WatchForm
from duels.screens.lists.lines import entries_with_figures


def watch_context(query: Mapping[str, str], viewer: Wizard | None, now: datetime) -> dict[str, Any]:
    """Return the context for a page of the list. The query string contains the fields of
    `WatchForm`, and the last duel of the page before (`after`)."""
    form = WatchForm(query)
    wanted, sort = form.wanted, form.sort_or_newest
    place = FigurePlace.parse(query.get("after", ""))
    duels, following = watch_page(sort, wanted, place, viewer)
    rows = [duel.row for duel in duels]
    lines = entries_with_figures(rows, map(_spectators_and_rating, duels), now)
    daily = duel_of_the_day(now)
    found = load_duel_lists(kinds.daily_list(daily), viewer)
    asked = {name: value for name, value in form.cleaned_data.items() if value}
    first = f"{reverse('duels')}?{urlencode({'show': 'watch', **asked})}"
    more = f"{first}&{urlencode({'after': following})}" if following else ""
    return {
        "list": kinds.ShownList(kinds.LIST_KINDS["watch"], lines, more),
        "form": form,
        "is_filtered": wanted != ALL_DUELS or sort != "newest",
        "unfiltered": kinds.list_address("watch"),
        "is_continued": place is not None,
        "first": first,
        "daily": kinds.daily_duel_to_show(daily, found, now),
    }


def _spectators_and_rating(duel: WatchedDuel) -> list[str]:
    figures = [f"{duel.spectators} watching"] if duel.spectators else []
    return figures if duel.rating is None else [*figures, f"rated {duel.rating} on average"]
