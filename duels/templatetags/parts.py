"""Parts of the duel page that are printed the same for the same value, so they are printed once.

A line of the history does not change when its turn has been played, and a page shows twenty; what
a turn has done stays as it is until the next one is played. Kept as text they cost a look-up.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from duels.turns import turn_words
from duels.views.beings import Being
from duels.views.coming import WizardProgress
from duels.views.grid import Grid, Line
from duels.views.order_sheet import OrderForm, SetPart
from duels.views.reports import told
from engine import TurnReport, View

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=512)
def history(
    grid: Grid, duel_id: int, older: int | None, open_ordinal: int, query: str = ""
) -> SafeString:
    """The history grid of a duel; `query` is what the addresses of its turns end with."""
    turns = reverse("turn", args=[duel_id, 1]).removesuffix("1/")
    context = {"grid": grid, "turns": turns, "older": older, "open_ordinal": open_ordinal}
    context["query"] = query
    return _printed("duels/parts/history.html", context)


@register.simple_tag
@lru_cache(maxsize=512)
def game_history(grid: Grid, turns: str) -> SafeString:
    """The history grid of a sample game, whose turns have addresses that begin with `turns`."""
    context = {"grid": grid, "turns": turns, "older": None, "open_ordinal": 0}
    return _printed("duels/parts/history.html", context)


@register.simple_tag
@lru_cache(maxsize=4096)
def history_line(line: Line, turns: str, open_ordinal: int, query: str = "") -> SafeString:
    """One line of the history grid."""
    context = {"line": line, "turns": turns, "open_ordinal": open_ordinal, "query": query}
    return _printed("duels/parts/history_line.html", context)


@register.simple_tag
def turn_now(view: View) -> str:
    """The turn that is being played, in words."""
    return turn_words(view.ruleset, view.turn, view.kind)


@register.simple_tag
@lru_cache(maxsize=512)
def hands(part: SetPart, ruleset: str) -> SafeString:
    """A gesture for each hand of one set."""
    return _printed("duels/parts/hands.html", {"part": part, "ruleset": ruleset})


@register.simple_tag
@lru_cache(maxsize=512)
def sheet_rest(form: OrderForm, ruleset: str) -> SafeString:
    """All of the order sheet that depends on the first set's gestures."""
    return _printed("duels/parts/sheet_rest.html", {"form": form, "ruleset": ruleset})


@register.simple_tag
@lru_cache(maxsize=512)
def report(
    reports: tuple[TurnReport, ...],
    ruleset: str,
    observer: str = "",
    read: int | None = None,
    turns: str = "",
    still_open: int = 0,
) -> SafeString:
    """What happened in these turns, each line with its rule; see `views.reports.told`."""
    story = told(reports, observer, read, turns, still_open)
    context = {"story": story, "ruleset": ruleset}
    return _printed("duels/parts/report.html", context)


@register.simple_tag(takes_context=True)
def standing(
    context: Mapping[str, Any],
    beings: tuple[Being, ...],
    progress: tuple[WizardProgress, ...],
    is_over: bool,
) -> SafeString:
    """Who stands, what is in force, and what each hand may become; wounds as the reader likes."""
    shows_left = getattr(context.get("reading"), "points", "damage") == "left"
    own = {
        "beings_list": beings_list(beings, shows_left),
        "progress": progress,
        "progress_list": progress_list(progress),
        "is_over": is_over,
        "shows_left": shows_left,
        "csrf_token": context.get("csrf_token"),
    }
    return _printed("duels/parts/standing.html", own)


@lru_cache(maxsize=512)
def beings_list(beings: tuple[Being, ...], shows_left: bool) -> SafeString:
    """Every being with what is in force on it."""
    return _printed("duels/parts/beings.html", {"beings": beings, "shows_left": shows_left})


@lru_cache(maxsize=512)
def progress_list(progress: tuple[WizardProgress, ...]) -> SafeString:
    """What each wizard's hands may become."""
    return _printed("duels/parts/progress.html", {"progress": progress})


def _printed(name: str, context: Mapping[str, Any]) -> SafeString:
    return mark_safe(render_to_string(name, context))
