"""The view of the page for players of Warlocks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.lessons import from_warlocks as lesson


@require_safe
def guide_for_warlocks_players(request: HttpRequest) -> HttpResponse:
    """Explain this site to players who come from RavenBlack's Warlocks."""
    context = {"ruleset": lesson.RULESET, "readings": lesson.READINGS}
    return render(request, "duels/warlocks/from_warlocks.html", context)
