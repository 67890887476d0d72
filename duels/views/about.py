"""Pages about the site itself."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from duels.lessons import from_warlocks as lesson
from duels.pages.by_hand import COMMANDS
from duels.pages.primer import primer_context


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about.html", {"release": engine.RELEASE})


@require_safe
def primer(request: HttpRequest) -> HttpResponse:
    """Show the two-minute introduction to the game."""
    return render(request, "duels/primer.html", primer_context())


@require_safe
def from_warlocks(request: HttpRequest) -> HttpResponse:
    """Show answers to questions of players who come from RavenBlack's Warlocks."""
    context = {"ruleset": lesson.RULESET, "readings": lesson.READINGS}
    return render(request, "duels/from_warlocks.html", context)


@require_safe
def proof(request: HttpRequest) -> HttpResponse:
    """Explain how to check a duel by hand, and offer to check the reader's own record."""
    return render(request, "duels/proof.html", {"commands": COMMANDS})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/terms.html")
