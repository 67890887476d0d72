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
from duels.models import Duel, Wizard
from duels.requests.access import duel_or_404, duellist_only, post_only
from duels.requests.submitting import duel_page_result, redirect_once
from duels.screens.duel.order_views import number_in_field

ABOUT_A_DRAW: Final[Mapping[str, Callable[..., Duel]]] = {
    "agree": partial(endings.offer_draw, agrees=True),
    "decline": endings.decline_draw,
    "withdraw": endings.withdraw_draw,
}
DRAW_MESSAGES: Final = {
    "agree": "",
    "decline": "Your opponent’s draw offer is declined.",
    "withdraw": "Your draw offer is withdrawn.",
}
ABOUT_A_PAUSE: Final[Mapping[str, Callable[..., Duel]]] = {
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
        context = {"duel": found, "markers": markers, "opponents": engine.words.and_list(others)}
        return render(request, "duels/duel/resign.html", context)
    command = partial(endings.resign, duel_id=found.pk, wizard=wizard, now=site_now())
    return _command_response(request, command, "You have resigned.")


@post_only
@duellist_only
def draw(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Offer a draw, agree to one, decline one, or withdraw an offer."""
    found = duel_or_404(duel_id, wizard)
    button = request.POST.get("do", "")
    command = partial(
        ABOUT_A_DRAW.get(button, endings.offer_draw),
        duel_id=found.pk,
        wizard=wizard,
        ordinal=number_in_field(request, "turn"),
        now=site_now(),
    )
    return _command_response(
        request, command, DRAW_MESSAGES.get(button, "Your draw offer is made.")
    )


@post_only
@duellist_only
def claim(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Remove all opponents who were absent for two turns in a row from the duel."""
    found = duel_or_404(duel_id, wizard)
    command = partial(deadlines.claim_duel, duel_id=found.pk, wizard=wizard, now=site_now())
    return _command_response(request, command)


@post_only
@duellist_only
def pause(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Ask to pause or resume the duel, agree to such a request, or decline it."""
    found = duel_or_404(duel_id, wizard)
    state = request.POST.get("state")
    command = partial(
        ABOUT_A_PAUSE.get(request.POST.get("do", ""), time_keeping.request_pause),
        duel_id=found.pk,
        wizard=wizard,
        is_paused=None if state is None else state == "paused",
        now=site_now(),
    )
    return _command_response(request, command)


@post_only
@duellist_only
def give_time(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Give an opponent more time."""
    found = duel_or_404(duel_id, wizard)
    command = partial(
        time_keeping.give_time,
        duel_id=found.pk,
        wizard=wizard,
        opponent_code=request.POST.get("to", ""),
        seen_stamp=request.POST.get("seen"),
        now=site_now(),
    )
    return _command_response(request, command)


@post_only
@duellist_only
def rematch(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Request a rematch with the same wizards."""
    found = duel_or_404(duel_id, wizard)
    command = partial(challenges.rematch, duel_id=found.pk, wizard=wizard, now=site_now())
    return _command_response(request, command)


def _command_response(
    request: HttpRequest, command: Callable[[], Duel], message: str = ""
) -> HttpResponse:
    """Run the command, unless the same form was sent before. Redirect to the duel that the command
    returns."""
    return redirect_once(request, lambda _: duel_page_result(command())._replace(message=message))
