"""Views for the queue, a case, its holder, and notes."""

from collections.abc import Callable
from http import HTTPStatus

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
from duels.referees.desk.case import case_context, case_form, log_context
from duels.referees.desk.forms import add_refusal
from duels.referees.desk.queue import queue_context
from duels.views.access import post_only, refusal
from duels.views.submitting import redirect_once

CaseView = Callable[..., HttpResponseBase]


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


def _form_view(name: str, command: Callable[..., object], done: str) -> CaseView:
    """Return a view for one of the case's forms, whose fields are the arguments of this command.

    If it fails, the page shows the errors next to the fields and keeps the input.
    """

    @post_only
    @case_page
    def view(request: HttpRequest, file: CaseFile) -> HttpResponseBase:
        form = case_form(name, file, request.POST)

        def change(_: str) -> Created:
            command(case_id=file.case.pk, user=file.referee, now=site_now(), **form.cleaned_data)
            return Created(reverse("desk_case", args=[file.case.pk]), done)

        if form.is_valid():
            try:
                return redirect_once(request, change)
            except Refused as refused:
                add_refusal(form, refused)
        context = case_context(file, site_now(), {name: form})
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "referees/case.html", context, status=status)

    return view


give_back = _form_view("give_back", handling.give_back, "The case is back in the queue.")
hand_over = _form_view("hand_over", handling.hand_over, "The case has been handed over.")
note = _form_view("note", handling.note, "Note added.")
close = _form_view("close", handling.close, "The report has been closed.")
