"""Views for the evidence of a case: timeline, turns, dry runs, and opening sealed orders."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Turn
from duels.referees.cases.case_acts import open_sealed
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.case import timeline_context, turn_query
from duels.referees.desk.dry_run import dry_run_context
from duels.referees.desk.forms import ReasonForm, add_refusal
from duels.referees.desk.turn import turn_context, turn_frame


@require_safe
@case_page
def timeline(request: HttpRequest, file: CaseFile) -> HttpResponse:
    """Show the timeline of the duel."""
    if file.duel is None:
        raise Http404("This case has no duel.")
    return render(
        request, "referees/timeline.html", timeline_context(file, request.GET.get("kind", ""))
    )


@require_safe
@case_page
def turn(request: HttpRequest, file: CaseFile, ordinal: int) -> HttpResponse:
    """Show what observers saw of a turn, and how it was resolved."""
    context = turn_context(file, _turn_or_404(request, file, ordinal), request.GET)
    return render(request, "referees/turn.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def dry_run(request: HttpRequest, file: CaseFile, ordinal: int) -> HttpResponse:
    """Show the turn resolved again. A POST contains changes for the dry run, but nothing is
    stored."""
    posted = {name: str(value) for name, value in request.POST.items()}
    found = _turn_or_404(request, file, ordinal)
    context = dry_run_context(file, found, posted if request.method == "POST" else None)
    has_faults = any(field.faults for field in context.get("orders_fields", ()))
    faulty = bool(context.get("faults")) or has_faults
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faulty and posted else HTTPStatus.OK
    return render(request, "referees/dry_run.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def open_turn(request: HttpRequest, file: CaseFile, ordinal: int) -> HttpResponse:
    """Ask for a reason, then open the turn's sealed orders to this referee. Promise 10"""
    found = _turn_or_404(request, file, ordinal)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            open_sealed(
                case_id=file.case.pk,
                referee=file.referee,
                ordinal=ordinal,
                voided_in=found.row.voided_in,
                reason=form.cleaned_data["reason"],
                now=site_now(),
            )
        except Refused as refused:
            add_refusal(form, refused)
        else:
            messages.success(request, "This turn is now open to you. The log says so.")
            page = reverse("desk_turn", args=[file.case.pk, ordinal])
            return redirect(page + turn_query(found.row))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    context = turn_frame(file, found, "turn") | {"form": form}
    return render(request, "referees/open.html", context, status=status)


def _turn_or_404(request: HttpRequest, file: CaseFile, ordinal: int) -> OpenTurn:
    """Return the turn with its seals. `void` in the query string is the number of the rollback that
    made it void."""
    void = request.GET.get("void", "0")
    number = int(void) if void.isascii() and void.isdigit() and len(void) < 6 else 0
    turns = Turn.with_voided.filter(duel=file.case.duel_id, voided_in=number)
    row = turns.filter(ordinal=min(ordinal, 2**31 - 1)).first()
    found = load_turn(row.pk) if row is not None and file.duel is not None else None
    if found is None:
        raise Http404("There is no such turn.")
    return found
