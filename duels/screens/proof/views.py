"""The view of the page that explains how to check a duel."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.screens.proof.by_hand import COMMANDS


@require_safe
def proof(request: HttpRequest) -> HttpResponse:
    """Explain how to check a duel by hand, and offer to check the reader's own record."""
    return render(request, "duels/proof/proof.html", {"commands": COMMANDS})
