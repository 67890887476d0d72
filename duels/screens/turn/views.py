"""Views of a duel's past turns, and redirects between them."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.accounts.preferences import preferences_of_reader
from duels.loaded.database_clock import site_now
from duels.models import MIN_WIZARDS
from duels.queries import pages, proofs
from duels.requests.access import duel_or_404
from duels.screens.disputes.context import is_disputable
from duels.screens.parts.addresses import view_address
from duels.screens.turn.context import TurnNavigation, address_as_known_then, turn_context
from duels.sign_in.guests import wizard_of
from duels.typed_text import parse_number


@require_safe
def turn(request: HttpRequest, duel_id: int, ordinal: int) -> HttpResponse:
    """Show one resolved turn, as it was known right after it was played."""
    viewer = wizard_of(request)
    found = duel_or_404(duel_id, viewer)
    page = pages.turn_page(found, ordinal, viewer, seen_by=request.GET.get("seen", ""))
    if page is None:
        raise Http404("This turn does not exist, or you cannot see it this way.")
    if "known" in request.GET:
        return redirect(address_as_known_then(page))
    is_player = viewer is not None and not viewer.is_guest and any(seat.you for seat in page.seats)
    shows_left = preferences_of_reader(request).points == "left"
    can_dispute = is_player and is_disputable(found, site_now())
    can_play_on = found.is_over and viewer is not None and len(page.seats) == MIN_WIZARDS
    more = {"can_dispute": can_dispute, "can_play_on": can_play_on}
    return render(request, "duels/turn/turn.html", turn_context(page, shows_left=shows_left) | more)


@require_safe
def turn_proof(request: HttpRequest, duel_id: int, ordinal: int) -> HttpResponse:
    """Return the commitments and salts with which anyone can check a resolved turn."""
    viewer = wizard_of(request)
    proof = proofs.published_salts(duel_or_404(duel_id, viewer), ordinal, viewer)
    if proof is None:
        raise Http404("There is no such turn.")
    return JsonResponse(proof, json_dumps_params={"indent": 1, "ensure_ascii": False})


@require_safe
def redirect_to_turn(request: HttpRequest, duel_id: int) -> HttpResponse:
    """Redirect to the turn chosen with the slider or, if there is none, to the duel."""
    found = duel_or_404(duel_id, wizard_of(request))
    ordinal = turn_entered(request)
    if ordinal is None:
        return redirect("duel", found.pk)
    seen = request.GET.get("seen", "")
    steps = TurnNavigation(
        ordinal, ordinal, view_address("turns", found.pk), seen=seen if seen.isalnum() else ""
    )
    return redirect(steps.address(ordinal))


def turn_entered(request: HttpRequest) -> int | None:
    """Return the turn entered in a form, or None if empty. Raise Http404 if invalid."""
    asked = request.GET.get("turn", "")
    if not asked:
        return None
    number = parse_number(asked, 5)
    if not number:
        raise Http404("There is no such turn.")
    return number
