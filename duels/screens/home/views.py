"""The front page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.commands import profiles
from duels.loaded.database_clock import site_now
from duels.requests.access import player_of
from duels.screens.home.context import player_context, visitor_context
from duels.sign_in import guests


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show players their duels, and show visitors an introduction to the site."""
    wizard, now = player_of(request), site_now()
    if wizard is not None:
        profiles.note_visit(wizard, now)
        return render(request, "duels/home/home.html", player_context(wizard, now))
    if request.user.is_authenticated:
        return redirect("settings")
    guest = guests.guest_of(request)
    return render(request, "duels/home/visitor.html", visitor_context(guest, now))
