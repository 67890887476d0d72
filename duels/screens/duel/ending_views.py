"""Views to end a duel early, pause it, give an opponent more time, or request a rematch."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

import engine.play
import engine.words
from duels.commands import challenges, deadlines, endings, time_keeping
from duels.loaded.database_clock import site_now
from duels.models import Duel, Turn, Wizard
from duels.requests.access import duel_or_404, duellist_only, post_only
from duels.requests.submitting import redirect_to_duel_once
from duels.screens.duel.order_views import number_in_field

DRAW_COMMANDS: Final[Mapping[str, Callable[..., Duel]]] = {
    "agree": partial(endings.offer_draw, agrees=True),
    "decline": endings.decline_draw,
    "withdraw": endings.withdraw_draw,
}
DRAW_MESSAGES: Final = {
    "decline": "You have declined the draw.",
    "withdraw": "You have withdrawn your draw offer.",
}
PAUSE_COMMANDS: Final[Mapping[str, Callable[..., Duel]]] = {
    "agree": partial(time_keeping.request_pause, agrees=True),
    "decline": time_keeping.decline_pause,
}


@require_http_methods(["GET", "HEAD", "POST"])
@duellist_only
def resign(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Ask the player to confirm that they want to resign. On POST, resign."""
    found = duel_or_404(duel_id, wizard)
    if request.method != "POST" or request.POST.get("sure") != "yes":
        markers = engine.play.RULESETS[found.ruleset].markers and not found.is_practice
        others = found.seats.exclude(wizard=wizard).values_list("wizard__name", flat=True)
        context = {
            "duel": found,
            "turn": Turn.objects.filter(duel=found).order_by("ordinal").last(),
            "markers": markers,
            "opponents": engine.words.and_list(others),
        }
        return render(request, "duels/duel/resign.html", context)
    numbers = _turn_numbers(request)
    done = "You have resigned."
    return _command_response(request, wizard, duel_id, endings.resign, done, part="", **numbers)


def _turn_numbers(request: HttpRequest) -> dict[str, int | None]:
    """Return the numbers that identify the turn shown on the page of this form."""
    ordinal = number_in_field(request, "turn")
    roll_backs = None if ordinal is None else number_in_field(request, "roll_backs", 0)
    return {"ordinal": ordinal, "roll_backs": roll_backs}


@post_only
@duellist_only
def draw(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Offer a draw, agree to one, decline one, or withdraw an offer."""
    button = request.POST.get("do", "")
    return _command_response(
        request,
        wizard,
        duel_id,
        DRAW_COMMANDS.get(button, endings.offer_draw),
        DRAW_MESSAGES.get(button, ""),
        part="live-ending" if button == "offer" else "",
        **_turn_numbers(request),
    )


@post_only
@duellist_only
def claim(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Remove all opponents who were absent for two turns in a row from the duel."""
    return _command_response(request, wizard, duel_id, deadlines.claim_duel)


@post_only
@duellist_only
def pause(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Ask to pause or resume the duel, agree to such a request, or decline it."""
    state = request.POST.get("state")
    return _command_response(
        request,
        wizard,
        duel_id,
        PAUSE_COMMANDS.get(request.POST.get("do", ""), time_keeping.request_pause),
        part="live-time",
        is_paused=None if state is None else state == "paused",
    )


@post_only
@duellist_only
def give_time(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    return _command_response(
        request,
        wizard,
        duel_id,
        time_keeping.give_time,
        part="live-time",
        opponent_code=request.POST.get("to", ""),
        seen_stamp=request.POST.get("seen"),
    )


@post_only
@duellist_only
def rematch(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    return _command_response(request, wizard, duel_id, challenges.request_rematch)


def _command_response(
    request: HttpRequest,
    wizard: Wizard,
    duel_id: int,
    command: Callable[..., Duel],
    message: str = "",
    part: str = "",
    **more: object,
) -> HttpResponse:
    """Run the command once for each form, and redirect to this part of the duel it returns."""
    found = duel_or_404(duel_id, wizard)
    run = partial(command, duel_id=found.pk, wizard=wizard, now=site_now(), **more)
    return redirect_to_duel_once(request, run, message, part=part)
