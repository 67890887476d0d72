"""Views to open, read, add to, withdraw and appeal disputes and reports."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

import engine.words
from duels import errors
from duels.commands.submitting import FormResult
from duels.loaded.database_clock import site_now
from duels.models import Duel, Speech, Turn, Wizard
from duels.referees.cases import disputes, reports
from duels.referees.cases.appeals import open_appeal, withdraw_appeal
from duels.referees.cases.objections import object_to_referee
from duels.referees.cases.queries import cases_of_wizard, visible_case
from duels.referees.models import MAX_CASE_WORDS_LENGTH, Case
from duels.requests import access
from duels.requests.submitting import redirect_once
from duels.screens.disputes.context import TypedForm, case_context, dispute_context

DISPUTE_FIELDS = ("category", "rule", "words")


@require_http_methods(["GET", "HEAD", "POST"])
@access.duellist_only
def dispute(request: HttpRequest, wizard: Wizard, duel_id: int, ordinal: int) -> HttpResponse:
    """Ask what was wrong with a turn, and explain what happens next. On POST, open the dispute."""
    found = access.duel_or_404(duel_id, wizard)
    now = site_now()
    typed = {name: request.POST.get(name, "") for name in DISPUTE_FIELDS}

    def open_new_dispute(_: str) -> FormResult:
        _check_may_dispute(found, ordinal, wizard, now)
        case = disputes.open_dispute(
            duel_id=found.pk, wizard=wizard, ordinal=ordinal, now=now, **typed
        )
        done = f"{case.title} is open. Everyone in the duel has been notified."
        return FormResult(reverse("case", args=[case.pk]), done)

    try:
        if request.method == "POST":
            return redirect_once(request, open_new_dispute)
        _check_may_dispute(found, ordinal, wizard, now)
        return _dispute_form_response(request, found, ordinal, TypedForm())
    except errors.Refused as refused:
        if refused.field not in DISPUTE_FIELDS and refused.code != "already_sent":
            raise
        form = TypedForm.with_refusal(typed, refused)
        return _dispute_form_response(request, found, ordinal, form, access.refusal_status(refused))


def _check_may_dispute(duel: Duel, ordinal: int, wizard: Wizard, now: datetime) -> None:
    """Raise `Refused` if the wizard cannot dispute the turn, or Http404 if it does not exist."""
    disputes.check_may_dispute(duel, wizard, now)
    if not Turn.objects.filter(duel=duel, ordinal=ordinal).exists():
        raise Http404("There is no such turn.")


@require_safe
@access.duellist_only
def case(request: HttpRequest, wizard: Wizard, number: int) -> HttpResponse:
    """Show a dispute to the players of its duel, or a report to the player who made it."""
    return _case_page_response(request, case_or_404(number, wizard), wizard, TypedForm())


@require_safe
@access.duellist_only
def cases(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """List the wizard's own disputes and reports."""
    context = {"cases": cases_of_wizard(wizard)[:100]}
    return render(request, "duels/disputes/cases.html", context)


def _message_view(
    field: str, command: Callable[..., object], done: str
) -> Callable[..., HttpResponseBase]:
    """Return a view that runs a command on a case with the message from this field.

    If the command rejects the message, the view shows the page again with the message as typed.
    """

    @access.post_only
    @access.duellist_only
    def view(request: HttpRequest, wizard: Wizard, number: int) -> HttpResponse:
        found = case_or_404(number, wizard)
        words = request.POST.get(field, "")

        def run_command(_: str) -> FormResult:
            command(case_id=found.pk, wizard=wizard, words=words, now=site_now())
            return FormResult(reverse("case", args=[found.pk]), done)

        try:
            return redirect_once(request, run_command)
        except errors.Refused as refused:
            if not refused.field and refused.code != "already_sent":
                raise
            form = TypedForm({field: words}, {field: refused.text})
            return _case_page_response(request, found, wizard, form, access.refusal_status(refused))

    return view


case_add_statement = _message_view("words", disputes.add_statement, "Your message has been added.")
case_appeal = _message_view(
    "appeal_words",
    open_appeal,
    "You have appealed. Another referee will rule. Everyone in the duel has been notified.",
)
case_object_to_referee = _message_view(
    "objection", object_to_referee, "You have objected. Another referee will handle the case."
)


@access.post_only
@access.duellist_only
def case_withdraw(request: HttpRequest, wizard: Wizard, number: int) -> HttpResponse:
    """Withdraw a dispute, a report or an appeal."""
    found = case_or_404(number, wizard)
    command = disputes.withdraw_own_case if found.round == 1 else withdraw_appeal

    def withdraw_now(_: str) -> FormResult:
        command(case_id=found.pk, wizard=wizard, now=site_now())
        return FormResult(reverse("case", args=[found.pk]), "Withdrawn.")

    return redirect_once(request, withdraw_now)


@require_http_methods(["GET", "HEAD", "POST"])
@access.duellist_only
def message_report(
    request: HttpRequest, wizard: Wizard, duel_id: int, speech_id: int
) -> HttpResponse:
    """Ask what is wrong with a message. On POST, report it."""
    found = access.duel_or_404(duel_id, wizard)
    shown = Speech.objects.filter(duel=found, removed_at=None)
    speech = shown.filter(pk=speech_id).select_related("wizard").first()
    if speech is None:
        raise Http404("There is no such message.")
    command = partial(reports.report_message, speech_id=speech_id)
    what = f"a message by {speech.wizard.name}"
    return report_response(request, wizard, command, what, speech.words, f"/duels/{found.pk}/")


@require_http_methods(["GET", "HEAD", "POST"])
@access.duellist_only
def turn_message_report(
    request: HttpRequest, wizard: Wizard, duel_id: int, ordinal: int, seat: str
) -> HttpResponse:
    """Ask what is wrong with a message that was sent with a turn's orders. On POST, report it."""
    found = access.duel_or_404(duel_id, wizard)
    said = None
    if found.started_at is not None:
        said = reports.message_with_turn(found, ordinal, seat, wizard)
    if said is None:
        raise Http404("There is no such message.")
    command = partial(reports.report_message_with_turn, duel=found, ordinal=ordinal, seat=seat)
    what = f"a message by {said.speaker.name}"
    return report_response(request, wizard, command, what, said.words, f"/duels/{found.pk}/")


@require_http_methods(["GET", "HEAD", "POST"])
@access.duellist_only
def name_report(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    """Ask what is wrong with a wizard's name. On POST, report it."""
    other = access.wizard_or_404(slug)
    command, back = partial(reports.report_name, about=other), f"/wizards/{other.slug}/"
    return report_response(request, wizard, command, "a name", reports.public_words(other), back)


@require_http_methods(["GET", "HEAD", "POST"])
@access.duellist_only
def duel_name_report(
    request: HttpRequest, wizard: Wizard, duel_id: int, which: str
) -> HttpResponse:
    """Ask what is wrong with a name in a duel. On POST, report it. `which` is "duel" for the duel's
    own name, or a wizard's code, such as "w0".

    Guests do not have a page of their own, so this is the only place to report their names.
    """
    found = access.duel_or_404(duel_id, wizard)
    seats = found.seats.select_related("wizard").filter(place__isnull=False)
    other = next((seat.wizard for seat in seats if seat.code == which), None)
    if other is None and not (which == "duel" and found.name):
        raise Http404("There is no such name.")
    command: partial[Case] = (
        partial(reports.report_name, about=other)
        if other
        else partial(reports.report_name_of_duel, duel=found)
    )
    quoted = other.name if other else found.name
    return report_response(request, wizard, command, "a name", quoted, f"/duels/{found.pk}/")


def case_or_404(number: int, wizard: Wizard) -> Case:
    """Return the case, or raise Http404 if this wizard is not involved in it."""
    found = visible_case(number, wizard)
    if found is None:
        raise Http404("There is no such case.")
    return found


def report_response(
    request: HttpRequest,
    wizard: Wizard,
    command: Callable[..., Case],
    what: str,
    quoted: str,
    back: str,
) -> HttpResponse:
    """Show the form for a report of the quoted text. On POST, run the command with the reason."""
    form, status = TypedForm(), HTTPStatus.OK
    words = request.POST.get("words", "")

    def create_report(_: str) -> FormResult:
        made = command(wizard=wizard, words=words, now=site_now())
        done = f"{made.title} has been sent to the referees. Thank you."
        return FormResult(reverse("case", args=[made.pk]), done)

    if request.method == "POST":
        try:
            return redirect_once(request, create_report)
        except errors.Refused as refused:
            if not refused.field and refused.code != "already_sent":
                raise
            form = TypedForm.with_refusal({"words": words}, refused)
            status = access.refusal_status(refused)
    context = {
        "what": what,
        "quoted": quoted,
        "form": form,
        "words_length": MAX_CASE_WORDS_LENGTH,
        "back": back,
    }
    return render(request, "duels/disputes/report.html", context, status=status)


def _dispute_form_response(
    request: HttpRequest,
    found: Duel,
    ordinal: int,
    form: TypedForm,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    seats = found.seats.select_related("wizard")
    title = engine.words.versus_text(seat.wizard.name for seat in seats)
    context = dispute_context(found, ordinal, title, form)
    return render(request, "duels/disputes/dispute.html", context, status=status)


def _case_page_response(
    request: HttpRequest,
    found: Case,
    wizard: Wizard,
    form: TypedForm,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    context = case_context(found, wizard, site_now(), form)
    return render(request, "duels/disputes/case.html", context, status=status)
