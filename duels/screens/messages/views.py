"""Views to list, read, send, accept, mute and report private messages."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from duels.commands.submitting import FormResult
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.messages import public as messages
from duels.models import Wizard
from duels.requests import access
from duels.requests.in_view import is_in_view
from duels.requests.submitting import redirect_once
from duels.screens.disputes.context import TypedForm
from duels.screens.disputes.views import report_response
from duels.typed_text import parse_number


@require_safe
@access.player_only
def threads(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    found = messages.threads_of(wizard, _before(request))
    shown = found[: messages.THREADS_PER_PAGE]
    rest = shown[-1].thread.newest if len(found) > len(shown) else None
    return render(request, "duels/messages/threads.html", {"threads": shown, "next": rest})


@require_http_methods(["GET", "HEAD", "POST"])
@access.player_only
def thread(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    """Show the messages with another wizard, and mark them as read. On POST, send one."""
    other, form, status = access.wizard_or_404(slug), TypedForm(), HTTPStatus.OK
    if request.method == "POST":
        words = request.POST.get("words", "")

        def send(_: str) -> FormResult:
            messages.send_message(author=wizard, reader=other, words=words, now=site_now())
            return FormResult(reverse("thread", args=[other.slug]) + "#newest")

        try:
            return redirect_once(request, send)
        except Refused as refused:
            form = TypedForm.with_refusal({"words": words}, refused)
            status = access.refusal_status(refused)
    elif other.slug != slug:  # a former name
        return redirect("thread", other.slug)
    context = _thread_context(wizard, other, _before(request), site_now(), form)
    part = context["part"]
    if part is not None and part.read_up_to < part.thread.newest and is_in_view(request):
        messages.mark_thread_read(part=part)
    return render(request, "duels/messages/thread.html", context, status=status)


def _thread_context(
    wizard: Wizard, other: Wizard, before: int | None, now: datetime, form: TypedForm
) -> dict[str, Any]:
    """Return the messages with another wizard, and whether this wizard can send more."""
    between, part = messages.wizard_relation(wizard, other), messages.participant(wizard, other)
    found = messages.messages_of(part.thread, before) if part else []
    said = found[: messages.MESSAGES_PER_PAGE]
    refused = messages.messaging_refusal(wizard, other, between, now)
    return {
        "other": other,
        "part": part,
        "said": said[::-1],
        "earlier": said[-1].pk if len(found) > len(said) else None,
        "is_request": part is not None and part.consent == messages.Consent.PENDING,
        "can_block": not between.blocks and other.pk != wizard.pk,
        "why_not": refused.text if refused else "",
        "form": form,
        "message_length": messages.MAX_MESSAGE_LENGTH,
        "wizard": wizard,
    }


def _change_view(change: Callable[..., None]) -> Callable[..., HttpResponseBase]:
    """Return a view that changes one of the wizard's settings for a thread."""

    @access.post_only
    @access.player_only
    def view(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
        other = access.wizard_or_404(slug)
        try:
            change(wizard=wizard, other=other)
        except Refused as refused:
            return access.refusal_response(request, refused, back=reverse("threads"))
        return redirect("thread", other.slug)

    return view


accept = _change_view(partial(messages.set_consent, consent=messages.Consent.ACCEPTED))
decline = _change_view(partial(messages.set_consent, consent=messages.Consent.DECLINED))
mute = _change_view(partial(messages.set_muted, is_muted=True))
unmute = _change_view(partial(messages.set_muted, is_muted=False))


@require_http_methods(["GET", "HEAD", "POST"])
@access.player_only
def report(request: HttpRequest, wizard: Wizard, slug: str, message_id: int) -> HttpResponse:
    """Ask what is wrong with a received message. On POST, report it with its context."""
    message = messages.message_to(wizard, message_id)
    if message is None or message.author != access.wizard_or_404(slug):
        raise Http404("There is no such message.")
    command = partial(messages.report_message, message_id=message_id)
    what, quoted = f"a message by {message.author.name}", messages.quoted_with_context(message)
    back = reverse("thread", args=[slug])
    return report_response(request, wizard, command, what, quoted, back)


def _before(request: HttpRequest) -> int | None:
    """Return the id of the message before which to start, or None for the newest."""
    return parse_number(request.GET.get("before", "")) or None
