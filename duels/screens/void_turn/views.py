"""The view of a turn that a referee made void."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.forms import LARGEST_ORDINAL
from duels.queries import pages, voided
from duels.requests.access import duel_or_404, wizard_of
from duels.screens.void_turn.context import void_turn_context


@require_safe
def void_turn(request: HttpRequest, duel_id: int, roll_back: int, ordinal: int) -> HttpResponse:
    """Show a turn that a referee made void. Redirect to the page of a turn that counts."""
    viewer = wizard_of(request)
    found = duel_or_404(duel_id, viewer)
    if max(roll_back, ordinal) > LARGEST_ORDINAL:
        raise Http404("There is no such turn.")
    page = voided.void_turn_page(found, roll_back, ordinal, viewer)
    if page is not None:
        return render(request, "duels/void_turn/void_turn.html", void_turn_context(page))
    if pages.turn_page(found, ordinal, viewer) is None:
        raise Http404("There is no such turn.")
    return redirect("turn", found.pk, ordinal)
