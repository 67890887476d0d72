"""The view of a turn that a referee made void."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

import engine.words
from duels.forms import MAX_ORDINAL
from duels.loaded import adjudication
from duels.queries import pages, void_turns
from duels.queries.rows import VoidTurnPage
from duels.requests.access import duel_or_404
from duels.screens.parts.history.table import history_grid
from duels.screens.spellbook.context import book_options_of
from duels.sign_in.guests import wizard_of
from duels.standing.state import state_of


@require_safe
def void_turn(request: HttpRequest, duel_id: int, roll_back: int, ordinal: int) -> HttpResponse:
    """Show a turn that a referee made void. Redirect to the page of a turn that counts."""
    viewer = wizard_of(request)
    found = duel_or_404(duel_id, viewer)
    if max(roll_back, ordinal) > MAX_ORDINAL:
        raise Http404("There is no such turn.")
    page = void_turns.void_turn_page(found, roll_back, ordinal, viewer)
    if page is not None:
        return render(request, "duels/void_turn/void_turn.html", _void_turn_context(page))
    if pages.turn_page(found, ordinal, viewer) is None:
        raise Http404("There is no such turn.")
    return redirect("turn", found.pk, ordinal)


def _void_turn_context(page: VoidTurnPage) -> dict[str, Any]:
    duel, turn, view = page.duel, page.turn, page.view
    words = engine.words.turn_name(duel.ruleset, turn.kind, turn.number)
    title = engine.words.versus_text(wizard.name for wizard in view.wizards)
    path = reverse("void_turn", args=[duel.pk, turn.voided_in, turn.ordinal])
    return {
        "page": page,
        "title": f"{capfirst(words)} (void) of {title}",
        "turn_words": capfirst(words),
        "duel_title": title,
        "ruleset_name": adjudication.ruleset_label(duel),
        "book_options": book_options_of(duel),
        "grid": history_grid(view),
        "turns_address": path.removesuffix(f"{turn.ordinal}/"),
        "state": state_of(view),
        "reports": (page.report,) if page.report else (),
    }
