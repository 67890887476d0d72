"""Tags for parts of the duel page. Their output depends only on their arguments and can be cached.

A page shows twenty rows of the history, which do not change after their turn has been played. The
results of a turn stay the same until the next turn is played. A cached part costs one look-up.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

import engine.words
from duels.accounts.preferences import CHOICES
from duels.caching.caches import KeyedCache, named_cache
from duels.loaded.database_clock import site_now
from duels.queries.rows import KnownClock
from duels.screens.order_sheet.form_parts import OrderForm
from duels.screens.order_sheet.hands_html import hands_html, hint_html
from duels.screens.order_sheet.opponent_gestures import opponent_gestures_html
from duels.screens.parts.duellists_html import duellists_html, seals_html
from duels.screens.parts.history.table import Grid
from duels.screens.parts.history.table_html import TurnLinks, history_html, own_rows_html
from duels.screens.parts.moment_html import clock_html
from duels.screens.parts.progress_html import progress_html
from duels.screens.parts.reports import fit_to_screen, report_story
from duels.screens.parts.view_cache import SheetKey, ViewKey
from duels.standing.beings import Being, short_names
from duels.standing.state import DuelState
from engine.play import View
from engine.words import TurnReport

EFFECTS_IN_A_LINE: Final = 3

register = template.Library()
register.simple_tag(hands_html, name="hands")
register.simple_tag(hint_html, name="hint")
register.simple_tag(opponent_gestures_html)
register.simple_tag(duellists_html, name="duellists")
register.simple_tag(seals_html, name="seals")


@register.simple_tag
def clock(known: KnownClock) -> SafeString:
    """Return the time left on a clock, and the deadline."""
    return clock_html(known, site_now())


@register.simple_tag
def history(
    grid: Grid, turns: str, older: int | None = None, open_ordinal: int = 0, query: str = ""
) -> SafeString:
    """Return the history grid. The URLs of its turns begin with `turns` and end with `query`."""
    return history_html(grid, TurnLinks(turns, query, open_ordinal, grid.ruleset), older)


@register.simple_tag
def turn_now(view: View) -> str:
    return engine.words.turn_name(view.ruleset, view.kind, view.turn)


SHEET_REST_CACHE: KeyedCache[SheetKey, SafeString] = KeyedCache(
    "rest of the order sheet", size=512, key="the SheetKey"
)


@register.simple_tag
def sheet_rest(form: OrderForm, ruleset: str) -> SafeString:
    """Return the rest of the order sheet, which depends on the gestures of the first set."""
    context = {"form": form, "ruleset": ruleset}
    name = "duels/order_sheet/sheet_rest.html"
    return SHEET_REST_CACHE.get(form.key, lambda: render_to_string(name, context))


@register.filter
def effect_lines(beings: tuple[Being, ...]) -> int:
    """Return the number of lines that the effects on these beings need."""
    marks = [len(being.effects) + bool(being.bank) for being in beings]
    return sum(math.ceil(number / EFFECTS_IN_A_LINE) for number in marks)


@register.simple_tag
@named_cache(
    "reports", size=512, key="the reports as narrated for one observer, and which ones are new"
)
def report(
    reports: tuple[TurnReport, ...],
    ruleset: str,
    observer: str = "",
    read: int | None = None,
    turns: str = "",
    still_open: int = 0,
    beings: int = 0,
    effects: int = 0,
    points: str = "damage",
) -> SafeString:
    """Return the report of these turns as HTML, in which every line cites its rule.

    If the report must fit on one screen with the beings, `beings` is the number of beings, and
    `effects` is the number of lines that their effects need. `points` is the reader's preference
    for the display of wounds.
    """
    shows_left = points == "left"
    story = report_story(reports, observer, read, turns, still_open, shows_left=shows_left)
    if beings:
        story = fit_to_screen(story, beings, effects)
    context = {"story": story, "ruleset": ruleset}
    return render_to_string("duels/parts/report.html", context)


register.filter("own_rows", own_rows_html)


STATE_PART_CACHE: KeyedCache[tuple[ViewKey, bool, str], Mapping[str, SafeString]] = KeyedCache(
    "states of duels", size=512, key="the ViewKey, how wounds are counted, and the reader"
)


@register.simple_tag(takes_context=True)
def standing(
    context: Mapping[str, Any], part: str, state: DuelState, key: ViewKey | None = None
) -> SafeString:
    """Return one part of a duel's state as HTML.

    The parts are the "beings" with their effects, their "points" in one line for phones, and the
    spells in "progress". Damage is shown as the reader prefers. `key` is the view's key, if any.
    """
    shows_left = getattr(context.get("reading"), "points", "damage") == "left"
    me = getattr(context.get("page"), "me", None)
    you = me.code if me else ""
    parts = STATE_PART_CACHE.get(
        (key, shows_left, you) if key else None,
        lambda: _rendered_state_parts(state, you, shows_left=shows_left),
    )
    return parts[part]


def _rendered_state_parts(state: DuelState, you: str, *, shows_left: bool) -> dict[str, SafeString]:
    context = {"beings": state.beings, "shows_left": shows_left, "ruleset": state.ruleset}
    wounded = tuple(zip(state.beings, short_names(state.beings, you), strict=True))
    in_line = {"beings": wounded, "shows_left": shows_left}
    return {
        "beings": render_to_string("duels/parts/beings.html", context),
        "points": render_to_string("duels/parts/points.html", in_line),
        "progress": progress_html(state.progress, state.ruleset),
    }


@register.simple_tag
@named_cache("reading buttons", size=64, key="the current choices")
def reading_buttons(scheme: str, size: str) -> SafeString:
    """Return the buttons for colours and text size, with the current choices marked."""
    context = {"scheme": scheme, "size": size, "choices": CHOICES}
    return render_to_string("duels/parts/reading_buttons.html", context)
