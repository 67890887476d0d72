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
    """The game in two minutes."""
    return render(request, "duels/primer.html", primer_context())


@require_safe
def from_warlocks(request: HttpRequest) -> HttpResponse:
    """What players of RavenBlack's Warlocks ask who come to this site."""
    context = {"ruleset": lesson.RULESET, "readings": lesson.READINGS}
    return render(request, "duels/from_warlocks.html", context)


@require_safe
def proof(request: HttpRequest) -> HttpResponse:
    """How to check a duel by hand, and the check of a record that the reader has."""
    return render(request, "duels/proof.html", {"commands": COMMANDS})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "duels/terms.html")
