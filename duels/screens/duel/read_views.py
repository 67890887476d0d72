"""The view that stores how far a wizard has read in a duel."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from duels.commands import news
from duels.models import Wizard
from duels.requests.access import duel_or_404, duellist_only, post_only
from duels.typed_text import parse_number


@post_only
@duellist_only
def mark_read(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Store the last turn and message that the wizard has read. Scripts get a response without
    content."""
    found = duel_or_404(duel_id, wizard)
    news.mark_read(
        duel_id=found.pk,
        wizard=wizard,
        turn=parse_number(request.POST.get("turn", "")),
        speech=parse_number(request.POST.get("speech", "")),
    )
    if request.POST.get("quietly"):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("duel", found.pk)
