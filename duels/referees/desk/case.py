"""The pages of a case and its timeline, the forms that handle a case, and the log of acts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

import engine.words
from duels.commands.submitting import FormResult
from duels.errors import Refused
from duels.loaded import adjudication
from duels.loaded.database_clock import site_now
from duels.models import Act, ActKind, Duel, DuelStatus, Turn, User
from duels.referees.cases import handling
from duels.referees.cases.handling import can_be_claimed
from duels.referees.cases.queries import notes_of
from duels.referees.desk.access import CaseFile, case_page, referee_only
from duels.referees.desk.evidence.timeline import ENTRY_KINDS, timeline
from duels.referees.desk.forms import CloseForm, HandOverForm, NoteForm, ReasonForm
from duels.referees.desk.queue import QueueTab, wizard_names_by_duel
from duels.referees.log.act_log import public_name
from duels.referees.models import Assignment, Case
from duels.requests.access import add_refusal, post_only
from duels.requests.submitting import redirect_once
from duels.screens.parts.outcomes import outcome_words
from duels.wording.moments import span_words

ACTS_PER_PAGE: Final = 50
CASE_FORMS: Final[Mapping[str, type[Form]]] = {
    "note": NoteForm,
    "hand_over": HandOverForm,
    "give_back": ReasonForm,
    "close": CloseForm,
}


@dataclass(frozen=True)
class TurnLink(QueueTab):
    """A link to the evidence about a turn of the case's duel."""

    is_disputed: bool


def tabs(case: Case, current_tab: str) -> tuple[QueueTab, ...]:
    """Return the tabs of a case. Reports about wizards' names have no tabs with evidence."""
    pages = {"case": ("Case", reverse("desk_case", args=[case.pk]))}
    if case.duel_id is not None:
        pages["timeline"] = ("Timeline", reverse("desk_timeline", args=[case.pk]))
        ordinal = case.ordinal or 1
        pages["turn"] = ("Turns", reverse("desk_turn", args=[case.pk, ordinal]))
        pages["dry-run"] = ("Dry run", reverse("desk_dry_run", args=[case.pk, ordinal]))
    pages["acts"] = ("Actions", reverse("desk_acts", args=[case.pk]))
    pages["ruling"] = ("Ruling", reverse("desk_ruling", args=[case.pk]))
    return tuple(
        QueueTab(words, address, name == current_tab) for name, (words, address) in pages.items()
    )


def frame_context(case_file: CaseFile, current_tab: str) -> dict[str, Any]:
    """Return the context that all pages of a case share."""
    case, names = case_file.case, wizard_names_by_duel([case_file.case])
    return {
        "file": case_file,
        "case": case,
        "tabs": tabs(case, current_tab),
        "duel_names": engine.words.versus_text(names[case.duel_id]) if case.duel_id else "",
        "holder": public_name(case.referee) if case.referee else "",
    }


def case_context(
    case_file: CaseFile, now: datetime, forms: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the context of a case's main page. `forms` contains submitted forms with errors."""
    case, given = case_file.case, forms or {}
    context = frame_context(case_file, "case") | {
        "age": span_words((case.ended_at or now) - case.opened_at),
        "can_be_claimed": not case_file.is_held and can_be_claimed(case, now),
        "notes": notes_of(case, for_players=False),
        "assignments": list(Assignment.objects.filter(case=case)),
        "acts": list(Act.objects.filter(case=case.pk)),
        "appeals": list(case.appeals.select_related("wizard")),
        "rulings": list(case.rulings.order_by("pk")),
        "turns": turn_links(case),
    }
    if (duel := case.duel) is not None:
        seats = list(duel.seats.select_related("wizard").order_by("place"))
        names = {seat.code: seat.wizard.name for seat in seats}
        context |= {
            "seats": seats,
            "ruleset": engine.play.RULESETS[duel.ruleset],
            "rules_name": adjudication.ruleset_label(duel),
            "outcome": outcome_words(duel, names) if duel.is_over else "",
        }
    shown = ["note"]
    if case_file.is_held:
        shown += ["hand_over", "give_back"]
        shown += [] if case.is_dispute else ["close"]
    return context | {
        f"{name}_form": given.get(name) or case_form(name, case_file) for name in shown
    }


def case_form(name: str, case_file: CaseFile, posted: QueryDict | None = None) -> Form:
    """Return a form of the case's page, either empty or with the submitted values."""
    own: dict[str, Any] = {"referee": case_file.referee} if name == "hand_over" else {}
    return CASE_FORMS[name](posted, prefix=name, **own)


def turn_links(case: Case, current_turn: Turn | None = None) -> tuple[TurnLink, ...]:
    """Return links to all turns of the duel, including void ones."""
    if case.duel is None:
        return ()
    turns = Turn.with_voided.filter(duel=case.duel).order_by("voided_in", "ordinal")
    return tuple(
        TurnLink(
            turn_title(case.duel, turn),
            reverse("desk_turn", args=[case.pk, turn.ordinal]) + turn_query(turn),
            current_turn is not None and turn.pk == current_turn.pk,
            turn.ordinal == case.ordinal and not turn.voided_in,
        )
        for turn in turns.only("ordinal", "number", "kind", "voided_in")
    )


def turn_title(duel: Duel, turn: Turn) -> str:
    """Return the turn's name, including the rollback that made the turn void, if any."""
    words = capfirst(engine.words.turn_name(duel.ruleset, turn.kind, turn.number))
    return f"{words}, void since rollback {turn.voided_in}" if turn.voided_in else words


def turn_query(turn: Turn) -> str:
    """Return the query string that identifies a void turn, or "" for other turns."""
    return f"?void={turn.voided_in}" if turn.voided_in else ""


@require_safe
@referee_only
def log_view(request: HttpRequest, referee: User) -> HttpResponse:
    """Show the log of all acts, newest first.

    While a referee plays in a duel, the log does not show them which of its sealed orders other
    referees have opened. Promise 10
    """
    own = Duel.objects.filter(status=DuelStatus.RUNNING, seats__wizard__user=referee)
    acts = Act.objects.select_related("duel").order_by("-pk")
    acts = acts.exclude(kind=ActKind.OPEN_SEALED, duel__in=own.values("pk"))
    page = Paginator(acts, ACTS_PER_PAGE).get_page(request.GET.get("page", ""))
    return render(request, "referees/log.html", {"acts": list(page), "page": page})


@require_safe
@case_page
def case_view(request: HttpRequest, case_file: CaseFile) -> HttpResponse:
    return render(request, "referees/case.html", case_context(case_file, site_now()))


@post_only
@case_page
def claim_view(request: HttpRequest, case_file: CaseFile) -> HttpResponse:
    number = case_file.case.pk
    handling.claim_case(case_id=number, user=case_file.referee, now=site_now())
    messages.success(request, "You now hold this case.")
    return redirect("desk_case", number)


def _form_view(
    name: str, command: Callable[..., object], done: str
) -> Callable[..., HttpResponseBase]:
    """Return a view for a form of the case's page, whose fields are the arguments of a command.

    If the command fails, the page shows the errors next to the fields and keeps the input.
    """

    @post_only
    @case_page
    def view(request: HttpRequest, case_file: CaseFile) -> HttpResponseBase:
        form = case_form(name, case_file, request.POST)

        def run_command(_: str) -> FormResult:
            command(
                case_id=case_file.case.pk,
                user=case_file.referee,
                now=site_now(),
                **form.cleaned_data,
            )
            return FormResult(reverse("desk_case", args=[case_file.case.pk]), done)

        if form.is_valid():
            try:
                return redirect_once(request, run_command)
            except Refused as refused:
                add_refusal(form, refused)
        context = case_context(case_file, site_now(), {name: form})
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "referees/case.html", context, status=status)

    return view


give_back = _form_view("give_back", handling.give_back_case, "The case is back in the queue.")
hand_over = _form_view("hand_over", handling.hand_over_case, "The case has been handed over.")
note = _form_view("note", handling.add_note, "Note added.")
close = _form_view("close", handling.close_report, "The report has been closed.")


@require_safe
@case_page
def timeline_view(request: HttpRequest, case_file: CaseFile) -> HttpResponse:
    """Show the timeline of the case's duel, with all entries or with entries of one kind."""
    if case_file.duel is None:
        raise Http404("This case has no duel.")
    kind = request.GET.get("kind", "")
    kind = kind if kind in ENTRY_KINDS else ""
    entries = timeline(case_file.duel, case_file.opening)
    context = frame_context(case_file, "timeline") | {
        "entries": [each for each in entries if not kind or each.kind == kind],
        "kinds": [("", "Everything"), *ENTRY_KINDS.items()],
        "kind": kind,
    }
    return render(request, "referees/timeline.html", context)
