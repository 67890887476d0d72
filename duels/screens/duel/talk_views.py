"""Views to send and read a duel's chat, and to mute other wizards."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine.words
from duels import errors
from duels.commands import speaking
from duels.commands.submitting import FormResult
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.queries import lists, pages, speeches
from duels.requests import access
from duels.requests.submitting import run_once
from duels.screens.duel.talk import RejectedSpeech, chat_on_page, message_runs
from duels.screens.duel.views import duel_response
from duels.sign_in import guests
from duels.typed_text import parse_number


@access.post_only
@access.duellist_only
def send_message(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Post a message for everyone who may see the duel. If rejected, show it again as typed."""
    found = access.duel_or_404(duel_id, wizard)
    words = request.POST.get("words", "")
    rejected, status = None, HTTPStatus.OK

    def post_message(_: str) -> FormResult:
        speaking.send_message(duel_id=found.pk, wizard=wizard, words=words, now=site_now())
        return FormResult(reverse("duel", args=[found.pk]) + "#talk")

    try:
        made, _ = run_once(request, post_message)
    except errors.Refused as refused:
        if refused.field != "words" and refused.code != "already_sent":
            raise
        rejected, status = RejectedSpeech(words, refused.text), access.refusal_status(refused)
    if request.headers.get("HX-Request") == "true":
        page = pages.duel_page(found, wizard)
        context = {"page": page, "talk": chat_on_page(page, wizard, rejected)}
        response = render(request, "duels/duel/talk.html", context, status=status)
        guests.extend_guest_stay(request, response, wizard)
        return response
    if rejected is not None:
        return duel_response(request, found, wizard, rejected=rejected, status=status)
    response = redirect(made.address)
    guests.extend_guest_stay(request, response, wizard)
    return response


@require_safe
def all_messages_page(request: HttpRequest, duel_id: int) -> HttpResponse:
    viewer = guests.wizard_of(request)
    found = access.duel_or_404(duel_id, viewer)
    if found.started_at is None:
        raise Http404("There are no messages here.")
    said = speeches.all_messages(found, viewer)
    seats = found.seats.select_related("wizard")
    context = {
        "duel": found,
        "title": engine.words.versus_text(seat.wizard.name for seat in seats),
        "runs": message_runs(said, found.ruleset),
        "can_mute": viewer is not None,
    }
    return render(request, "duels/duel/words.html", context)


@access.post_only
@access.duellist_only
def mute(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    """Hide another wizard's messages from this wizard."""
    other = access.author_or_404(slug, wizard)
    speaking.mute(wizard=wizard, other=other, now=site_now())
    messages.success(request, f"{other.name} is muted. They are not notified.")
    return _redirect_back(request, other)


@access.post_only
@access.duellist_only
def unmute(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    """Show another wizard's messages to this wizard again."""
    other = access.author_or_404(slug, wizard)
    speaking.unmute(wizard=wizard, other=other)
    messages.success(request, f"{other.name} is no longer muted.")
    return _redirect_back(request, other)


def _redirect_back(request: HttpRequest, other: Wizard) -> HttpResponse:
    """Redirect to the duel in which the button was pressed, otherwise to the wizard's page."""
    duel = lists.visible_duel(parse_number(request.POST.get("duel", "")), guests.wizard_of(request))
    if duel is not None:
        return redirect(reverse("duel", args=[duel.pk]) + "#talk")
    return redirect("home") if other.is_guest else redirect("wizard", other.slug)
