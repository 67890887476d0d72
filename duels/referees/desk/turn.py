"""The pages with a turn's evidence: two observers' views, the resolution and the sealed orders."""

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.views.decorators.http import require_http_methods, require_safe

import engine.orders
import engine.play
import engine.words
from duels.errors import MissingKey, Refused
from duels.loaded.database_clock import site_now
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Orders, Stage, Turn
from duels.referees.cases.case_acts import open_sealed_orders
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.case import frame_context, turn_links, turn_query, turn_title
from duels.referees.desk.evidence import sight
from duels.referees.desk.evidence.difference import EventNarrator
from duels.referees.desk.evidence.dry_run import DryRun, run_with_changes
from duels.referees.desk.forms import ReasonForm
from duels.referees.desk.pending_actions import pending_part
from duels.requests.access import add_refusal
from duels.screens.parts.history.table import history_grid
from duels.screens.parts.history.table_html import TurnLinks, history_html
from duels.screens.parts.progress_html import progress_html
from duels.standing.state import state_of
from duels.typed_text import parse_number
from engine.play import ALL, SPECTATOR

REGION_LABEL_PATTERN = re.compile(r'(?:<section [^>]*|role="region" )aria-label="')
PHASE_WORDS = {
    "leave": "Departures",
    "reveal_gestures": "The reveal",
    "reveal_rows": "The reveal",
}


@dataclass(frozen=True)
class NarratedStep:
    """A phase of a turn with its rule, and its events as pairs of a sentence and a rule."""

    phase: str
    rule: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SealedOrders:
    """A wizard's sealed orders as text, with the state of the seal."""

    name: str
    code: str
    text: str
    source: str


def turn_evidence_context(case_file: CaseFile, turn: OpenTurn, query: QueryDict) -> dict[str, Any]:
    """Return the context with the evidence about a turn that this referee may see."""
    assert case_file.duel is not None
    has_fogged = case_file.opening.shows_fogged(turn.row)
    has_sealed = case_file.opening.shows_sealed(turn.row)
    context = turn_frame_context(case_file, turn, "turn")
    context |= _side_by_side(case_file, turn, query, has_fogged)
    context |= {"has_fogged": has_fogged, "has_sealed": has_sealed}
    if has_sealed:
        context["orders"] = sealed_orders(turn)
        try:
            again = run_with_changes(turn)
            context |= {"steps": narrated_steps(again), "draws": again.outcome.draws}
        except Refused as refused:
            context["no_steps"] = refused.text
    return context


def turn_frame_context(case_file: CaseFile, turn: OpenTurn, current_tab: str) -> dict[str, Any]:
    """Return the context that all pages about one turn share."""
    row = turn.row
    return frame_context(case_file, current_tab) | {
        "turn": row,
        "turn_words": turn_title(turn.duel, row),
        "turn_query": turn_query(row),
        "turns": turn_links(case_file.case, row),
        "ruleset": turn.duel.ruleset,
        "is_resolved": row.stage == Stage.RESOLVED,
    }


def _side_by_side(
    case_file: CaseFile, turn: OpenTurn, query: QueryDict, has_fogged: bool
) -> dict[str, Any]:
    """Return two observers' views at the same moment, or only the spectator's view."""
    moments = sight.moments_of(turn.row, with_hidden=has_fogged)
    moment = next((each for each in moments if each.code == query.get("at")), moments[-1])
    observers = sight.observers_of(turn) if has_fogged else (SPECTATOR,)
    names = {seat.code: f"{seat.wizard.name}’s view" for seat in turn.seats}
    names |= {SPECTATOR: "A spectator’s view", ALL: "Full view"}
    first, second = query.get("first", ""), query.get("second", "")
    opener = next(
        (s.code for s in turn.seats if s.wizard_id == case_file.case.opened_by_id), SPECTATOR
    )
    first = first if first in observers else (opener if opener in observers else SPECTATOR)
    second = second if second in observers else (ALL if has_fogged else SPECTATOR)
    columns = [first] if first == second else [first, second]
    return {
        "moment": moment,
        "moments": moments,
        "observers": [(each, names[each]) for each in observers],
        "first": first,
        "second": second,
        "columns": [_observer_column(turn, each, moment, names[each]) for each in columns],
    }


def _observer_column(
    turn: OpenTurn, observer: str, moment: sight.TurnMoment, name: str
) -> dict[str, Any]:
    """Return the context for a column with one observer's view at this moment."""
    story = sight.view_of_observer(turn, observer, moment)
    state = state_of(story.view)
    history = history_html(history_grid(story.view), TurnLinks("", "", 0), None)
    return {
        "name": name,
        "observer": observer,
        "history": _with_observer_in_labels(history, name),
        "beings": state.beings,
        "progress": _with_observer_in_labels(progress_html(state.progress, state.ruleset), name),
        "reports": story.reports,
        "pending": pending_part(turn.duel, sight.pending_actions(turn, observer, moment), moment),
    }


def _with_observer_in_labels(html: SafeString, observer_name: str) -> SafeString:
    """Add the observer's name to the labels of regions, because the page has each region twice."""
    return mark_safe(
        REGION_LABEL_PATTERN.sub(lambda found: f"{found[0]}{escape(observer_name)}: ", html)
    )


def sealed_orders(turn: OpenTurn) -> tuple[SealedOrders, ...]:
    """Return each wizard's sealed orders for the turn, as text."""
    return tuple(
        SealedOrders(
            name=seal.seat.wizard.name,
            code=seal.seat.code,
            text=_seal_text(turn, seal),
            source=seal.get_source_display() if seal.is_sealed else "unsealed",
        )
        for seal in turn.seals
        if seal.stage == Stage.ORDERS
    )


def _seal_text(turn: OpenTurn, seal: Orders) -> str:
    """Return sealed orders as text, or "" if their key is missing."""
    try:
        orders = engine.orders.from_fields(turn.sealed_fields(seal))
    except MissingKey:
        return ""
    return engine.words.write_orders(orders, turn.start, seal.seat.code)


def narrated_steps(run: DryRun) -> tuple[NarratedStep, ...]:
    """Return the phases that have events, with these events as sentences."""
    narrator = EventNarrator(run.outcome, run.start)
    return tuple(
        NarratedStep(
            PHASE_WORDS.get(step.phase, capfirst(step.phase.replace("_", " "))),
            step.rule,
            tuple(line for event in step.events for line in narrator.sentences(event)),
        )
        for step in run.steps
        if step.events
    )


@require_safe
@case_page
def turn_view(request: HttpRequest, case_file: CaseFile, ordinal: int) -> HttpResponse:
    """Show what two observers saw of a turn, and how it was resolved."""
    context = turn_evidence_context(
        case_file, turn_or_404(request, case_file, ordinal), request.GET
    )
    return render(request, "referees/turn.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def open_view(request: HttpRequest, case_file: CaseFile, ordinal: int) -> HttpResponse:
    """Ask for a reason, then open the turn's sealed orders to this referee. Promise 10"""
    found = turn_or_404(request, case_file, ordinal)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            open_sealed_orders(
                case_id=case_file.case.pk,
                referee=case_file.referee,
                ordinal=ordinal,
                voided_in=found.row.voided_in,
                reason=form.cleaned_data["reason"],
                now=site_now(),
            )
        except Refused as refused:
            add_refusal(form, refused)
        else:
            messages.success(request, "This turn is now open to you. This has been logged.")
            page = reverse("desk_turn", args=[case_file.case.pk, ordinal])
            return redirect(page + turn_query(found.row))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    context = turn_frame_context(case_file, found, "turn") | {"form": form}
    return render(request, "referees/open.html", context, status=status)


def turn_or_404(request: HttpRequest, case_file: CaseFile, ordinal: int) -> OpenTurn:
    """Return the turn with its seals, or raise Http404.

    For a void turn, `void` in the query string is the number of the rollback that made it void.
    """
    number = parse_number(request.GET.get("void", ""), 5)
    turns = Turn.with_voided.filter(duel=case_file.case.duel_id, voided_in=number)
    row = turns.filter(ordinal=min(ordinal, 2**31 - 1)).first()
    found = load_turn(row.pk) if row is not None and case_file.duel is not None else None
    if found is None:
        raise Http404("There is no such turn.")
    return found
