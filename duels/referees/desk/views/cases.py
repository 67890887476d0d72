"""Views for the queue, a case, its holder, and notes."""

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from duels.commands.submitting import Created
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import User
from duels.referees.cases import handling
from duels.referees.desk.access import CaseFile, case_page, referee_only
from duels.referees.desk.forms import CloseForm, HandOverForm, NoteForm, ReasonForm, add_refusal
from duels.referees.desk.pages.case import case_context, log_context
from duels.referees.desk.pages.queue import queue_context
from duels.views.access import post_only, refusal
from duels.views.submitting import redirect_once

AnyForm = TypeVar("AnyForm", bound=forms.Form)


@require_safe
@referee_only
def queue(request: HttpRequest, referee: User) -> HttpResponse:
    """Show the queue of cases."""
    show, category = request.GET.get("show", "all"), request.GET.get("category", "")
    page_number = request.GET.get("page", "")
    context = queue_context(referee, site_now(), show, category, page_number)
    return render(request, "referees/queue.html", context)


@require_safe
@referee_only
def log(request: HttpRequest, referee: User) -> HttpResponse:
    """Show the log of acts, newest first."""
    return render(request, "referees/log.html", log_context(referee, request.GET.get("page", "")))


@require_safe
@case_page
def case(request: HttpRequest, file: CaseFile) -> HttpResponse:
    """Show a case."""
    return render(request, "referees/case.html", case_context(file, site_now()))


@post_only
@case_page
def claim(request: HttpRequest, file: CaseFile) -> HttpResponse:
    """Claim the case for this referee."""
    number = file.case.pk
    try:
        handling.claim(case_id=number, user=file.referee, now=site_now())
    except Refused as refused:
        return refusal(request, refused, back=f"/desk/cases/{number}/")
    messages.success(request, "You now hold this case.")
    return redirect("desk_case", number)


@post_only
@case_page
def give_back(request: HttpRequest, file: CaseFile) -> HttpResponseBase:
    """Return the case to the queue."""

    def do(form: ReasonForm) -> None:
        handling.give_back(
            case_id=file.case.pk,
            user=file.referee,
            reason=form.cleaned_data["reason"],
            now=site_now(),
        )

    form = ReasonForm(request.POST, prefix="give_back")
    return _run_command(request, file, "give_back", form, do, "The case is back in the queue.")


@post_only
@case_page
def hand_over(request: HttpRequest, file: CaseFile) -> HttpResponseBase:
    """Hand the case over to another referee."""

    def do(form: HandOverForm) -> None:
        to = form.chosen
        if to is None:
            raise Refused("no_such_referee_here", "This user is not a referee.", field="to")
        handling.hand_over(
            case_id=file.case.pk,
            user=file.referee,
            to=to,
            reason=form.cleaned_data["reason"],
            now=site_now(),
        )

    form = HandOverForm(request.POST, referee=file.referee, prefix="hand_over")
    return _run_command(request, file, "hand_over", form, do, "The case has been handed over.")


@post_only
@case_page
def note(request: HttpRequest, file: CaseFile) -> HttpResponseBase:
    """Add a note for other referees, or for the players as well."""

    def do(form: NoteForm) -> None:
        handling.note(
            case_id=file.case.pk,
            user=file.referee,
            words=form.cleaned_data["words"],
            for_players=form.cleaned_data["for_players"],
            now=site_now(),
        )

    form = NoteForm(request.POST, prefix="note")
    return _run_command(request, file, "note", form, do, "Note added.")


@post_only
@case_page
def close(request: HttpRequest, file: CaseFile) -> HttpResponseBase:
    """Close a report without a ruling."""

    def do(form: CloseForm) -> None:
        handling.close(
            case_id=file.case.pk,
            user=file.referee,
            words=form.cleaned_data["words"],
            now=site_now(),
        )

    form = CloseForm(request.POST, prefix="close")
    return _run_command(request, file, "close", form, do, "The report has been closed.")


def _run_command(
    request: HttpRequest,
    file: CaseFile,
    name: str,
    form: AnyForm,
    do: Callable[[AnyForm], None],
    done: str,
) -> HttpResponseBase:
    """Run a form's action. If it fails, show the errors next to the fields and keep the input."""
    if form.is_valid():

        def change(_: str) -> Created:
            do(form)
            return Created(reverse("desk_case", args=[file.case.pk]), done)

        try:
            return redirect_once(request, change)
        except Refused as refused:
            add_refusal(form, refused)
    context = case_context(file, site_now(), {name: form})
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "referees/case.html", context, status=status)
