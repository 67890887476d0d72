"""Views for the page of a duel, its read marks, and the downloads of a finished duel."""

from http import HTTPStatus

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.commands import read_marks
from duels.models import Duel, DuelStatus, Turn, Wizard
from duels.queries import pages, stories
from duels.queries.rows import DuelPage
from duels.requests.access import duel_or_404, duellist_only, loaded_duel_or_404, post_only
from duels.screens.challenge.views import challenge
from duels.screens.duel.screen import duel_screen
from duels.screens.duel.talk import RejectedSpeech
from duels.screens.order_sheet.context import SubmittedForm
from duels.sign_in.guests import wizard_of
from duels.typed_text import parse_number

SEAL_TAG_PREFIX = "sealed-"  # with a turn's ordinal, the tag of messages that confirm a seal for it


@require_safe
def duel(request: HttpRequest, duel_id: int) -> HttpResponse:
    """Show the page of a duel, or of its challenge if the duel has not begun."""
    viewer = wizard_of(request)
    loaded = loaded_duel_or_404(duel_id, viewer)
    if loaded.duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        return challenge(request, loaded.duel, viewer)
    page = pages.page_of_loaded_duel(loaded, viewer)
    return duel_response(request, loaded.duel, viewer, page=page)


def duel_response(
    request: HttpRequest,
    loaded_duel: Duel,
    viewer: Wizard | None,
    typed: SubmittedForm | None = None,
    status: int = HTTPStatus.OK,
    *,
    page: DuelPage | None = None,
    rejected: RejectedSpeech | None = None,
) -> HttpResponse:
    """Render the page of a duel that has begun, with everything that was typed into its forms."""
    page = page or pages.duel_page(loaded_duel, viewer)
    messages = [
        each for each in get_messages(request) if not _confirms_played_turn(each, page.duel)
    ]
    screen = duel_screen(page, viewer, typed, rejected=rejected, messages=messages)
    return render(request, "duels/duel/duel.html", vars(screen), status=status)


@post_only
@duellist_only
def mark_read(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Store the last turn and message that the wizard has read, for a form or a script."""
    found = duel_or_404(duel_id, wizard)
    read_marks.mark_read(
        duel_id=found.pk,
        wizard=wizard,
        turn=parse_number(request.POST.get("turn", "")),
        speech=parse_number(request.POST.get("speech", "")),
    )
    if request.POST.get("quietly"):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("duel", found.pk)


def _confirms_played_turn(message: Message, duel: Duel) -> bool:
    """Return whether the message confirms a seal for a turn that has been played.

    If the seal was the turn's last, the page shows the report, and the message would be redundant.
    """
    tag = message.extra_tags or ""
    if not tag.startswith(SEAL_TAG_PREFIX):
        return False
    turn = Turn.objects.filter(duel=duel, ordinal=int(tag.removeprefix(SEAL_TAG_PREFIX))).first()
    return turn is not None and not turn.is_open


@require_safe
def record(request: HttpRequest, duel_id: int) -> HttpResponse:
    """Download the record of a finished duel. Anyone can use it to check the duel."""
    found = duel_or_404(duel_id, wizard_of(request))
    name = f"spellcaster-{found.pk}.json"
    return JsonResponse(
        stories.record_of_finished_duel(found),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def transcript(request: HttpRequest, duel_id: int) -> HttpResponse:
    """Show the transcript of a finished duel as plain text."""
    found = duel_or_404(duel_id, wizard_of(request))
    return HttpResponse(
        stories.transcript(found),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="spellcaster-{found.pk}.txt"'},
    )
