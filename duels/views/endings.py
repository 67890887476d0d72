"""Views to end a duel early, request a rematch, pause a duel and give an opponent time."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from duels import adjudication, commands
from duels.models import Duel, Wizard
from duels.views.access import duel_or_404, duellist_only, post_only, refusal

ABOUT_A_DRAW: Final[Mapping[str, Callable[..., Duel]]] = {
    "agree": partial(commands.offer_draw, agrees=True),
    "decline": commands.decline_draw,
    "withdraw": commands.withdraw_draw,
}


@require_http_methods(["GET", "HEAD", "POST"])
@duellist_only
def resign(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Ask for confirmation, and resign only once it is given."""
    found = duel_or_404(duel_id, wizard)
    if request.method != "POST" or request.POST.get("sure") != "yes":
        markers = adjudication.rulesets()[found.ruleset].markers and not found.is_practice
        return render(request, "duels/resign.html", {"duel": found, "markers": markers})
    try:
        commands.resign(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    messages.success(request, "You have resigned.")
    return redirect("duel", found.pk)


@post_only
@duellist_only
def draw(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Offer a draw, agree to one, decline one, or withdraw your own offer."""
    found = duel_or_404(duel_id, wizard)
    command = ABOUT_A_DRAW.get(request.POST.get("do", ""), commands.offer_draw)
    try:
        command(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", found.pk)


@post_only
@duellist_only
def claim(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Remove from the duel all opponents who were absent for two turns in a row."""
    found = duel_or_404(duel_id, wizard)
    try:
        commands.claim(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", found.pk)


@post_only
@duellist_only
def pause(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Ask to pause or resume the duel, agree to either, or decline."""
    found = duel_or_404(duel_id, wizard)
    is_declined = request.POST.get("do") == "decline"
    command = commands.decline_pause if is_declined else commands.request_pause
    try:
        command(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", found.pk)


@post_only
@duellist_only
def time(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Give an opponent more time."""
    found = duel_or_404(duel_id, wizard)
    try:
        to, seen = request.POST.get("to", ""), request.POST.get("seen")
        commands.give_time(duel_id=found.pk, wizard=wizard, to=to, now=timezone.now(), seen=seen)
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", found.pk)


@post_only
@duellist_only
def rematch(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Challenge the same wizards again."""
    found = duel_or_404(duel_id, wizard)
    try:
        asked = commands.rematch(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", asked.pk)
