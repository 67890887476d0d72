"""Pages that explain the site and the game, without data of duels."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from duels.lessons import from_warlocks
from duels.screens.about.by_hand import COMMANDS


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about/about.html", {"release": engine.RELEASE})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/about/terms.html")


@require_safe
def proof(request: HttpRequest) -> HttpResponse:
    """Explain how to check a duel by hand, and offer to check the reader's own record."""
    return render(request, "duels/proof/proof.html", {"commands": COMMANDS})


@require_safe
def guide_for_warlocks_players(request: HttpRequest) -> HttpResponse:
    """Explain this site to players who come from RavenBlack's Warlocks."""
    context = {"ruleset": from_warlocks.RULESET, "readings": from_warlocks.RULE_INTERPRETATIONS}
    return render(request, "duels/warlocks/from_warlocks.html", context)
