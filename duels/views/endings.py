"""Ending a duel before the rules do, and asking for another one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from duels import adjudication, commands
from duels.models import Wizard
from duels.views.access import changes_only, duel_or_404, duellist_only, player_only, refusal


@require_http_methods(["GET", "HEAD", "POST"])
@duellist_only
def resign(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Asks a second time; only the answer to that resigns."""
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


@changes_only
@player_only
def draw(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Offer a draw, agree to one, or decline it."""
    found = duel_or_404(duel_id, wizard)
    command = commands.decline_draw if request.POST.get("do") == "decline" else commands.offer_draw
    try:
        command(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", found.pk)


@changes_only
@player_only
def rematch(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """The same wizards once more."""
    found = duel_or_404(duel_id, wizard)
    try:
        asked = commands.rematch(duel_id=found.pk, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    return redirect("duel", asked.pk)
