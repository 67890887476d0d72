"""The page of dry runs, with a form for changes to a turn and the result of these changes."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

import engine.orders
import engine.play
import engine.words
from duels.errors import Refused
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import Stage
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.evidence import dry_run
from duels.referees.desk.evidence.difference import EventNarrator, compare_outcomes
from duels.referees.desk.evidence.event_words import draw_result, draw_words, label_words
from duels.referees.desk.turn import narrated_steps, sealed_orders, turn_frame_context, turn_or_404

ORDERS_PREFIX, ANSWER_PREFIX, DRAW_PREFIX = "orders-", "answer-", "draw-"


def verdict_words(turn: OpenTurn) -> tuple[bool, str]:
    """Return whether resolving the turn again gives the stored result, and a sentence about it.

    Anyone may see this sentence, because it does not reveal sealed orders or events hidden by fog.
    """
    ruleset = turn.duel.ruleset
    try:
        again = dry_run.run_with_changes(turn)
    except Refused:
        return False, f"Under {ruleset}, this turn cannot be resolved again from its sealed orders."
    found = compare_outcomes(dry_run.stored_outcome(turn.row), again.outcome, again.start)
    if found.is_empty:
        return True, (
            f"Resolved again from its sealed orders under {ruleset}, this turn gives the stored "
            "result: the same events, the same draws and the same position."
        )
    return False, (
        f"Resolved again from its sealed orders under {ruleset}, this turn does not give the "
        "stored result."
    )


def _parse_changes(
    turn: OpenTurn, posted: Mapping[str, str]
) -> tuple[dry_run.DryRunChanges, list[Refused]]:
    """Return the submitted changes and their errors. Ignore orders that equal the sealed orders."""
    faults: list[Refused] = []
    orders: dict[str, engine.orders.Orders] = {}
    sealed = {each.code: each.text for each in sealed_orders(turn)}
    for wizard in engine.play.acting_wizards(turn.position):
        text = posted.get(f"{ORDERS_PREFIX}{wizard}", "").replace("\r\n", "\n").strip()
        if f"{ORDERS_PREFIX}{wizard}" not in posted or text == sealed.get(wizard, "").strip():
            continue
        try:
            fields = adjudication.orders_from_text(turn.position, wizard, text)
            orders[wizard] = engine.orders.from_fields(fields)
        except engine.words.UnreadableOrders as error:
            faults += [
                _field_fault(f"{ORDERS_PREFIX}{wizard}", f"Line {each.line}: {each.text}")
                for each in error.misreadings
            ]
        except engine.play.InvalidData as error:
            faults.append(_field_fault(f"{ORDERS_PREFIX}{wizard}", f"This {error.text}."))
    draws = _parse_draws(posted, faults)
    answers = {
        name.removeprefix(ANSWER_PREFIX): value
        for name, value in posted.items()
        if name.startswith(ANSWER_PREFIX) and value
    }
    return dry_run.DryRunChanges(orders, answers, draws, posted.get("reading", "")), faults


def _field_fault(field: str, text: str) -> Refused:
    return Refused("unreadable", text, field=field)


def _parse_draws(posted: Mapping[str, str], faults: list[Refused]) -> dict[str, int]:
    """Return the values in the fields of draws, by label. Empty fields change nothing."""
    draws: dict[str, int] = {}
    for name in posted:
        value = posted[name].strip()
        if not name.startswith(DRAW_PREFIX) or not value:
            continue
        if value.isascii() and value.isdigit() and len(value) < 4:
            draws[name.removeprefix(DRAW_PREFIX)] = int(value)
        else:
            faults.append(
                _field_fault("draws", f"“{value[:20]}” is not a valid draw. Enter 0 or more.")
            )
    return draws


def _form_context(
    turn: OpenTurn,
    posted: Mapping[str, str],
    changes: dry_run.DryRunChanges,
    faults: Sequence[Refused],
    result: dry_run.DryRun | None,
) -> dict[str, Any]:
    sealed = {each.code: each for each in sealed_orders(turn)}
    names = {seat.code: seat.wizard.name for seat in turn.seats}
    fields: list[dict[str, Any]] = []
    for wizard in engine.play.acting_wizards(turn.position):
        name, seal = f"{ORDERS_PREFIX}{wizard}", sealed.get(wizard)
        text = posted.get(name, seal.text if seal else "")
        fields.append(
            {
                "name": name,
                "wizard": names[wizard],
                "text": text,
                "rows": max(3, text.count("\n") + 1),
                "sealed": seal.source if seal else "nothing sealed",
                "faults": [each for each in faults if each.field == name],
            }
        )
    own = {field["name"] for field in fields}
    return {
        "orders_fields": fields,
        "draw_fields": _draw_fields(result, changes, names),
        "answer_fields": _answer_fields(result),
        "readings": [
            (reading, words, rule, reading == changes.reading)
            for reading, words, rule in dry_run.other_readings(turn.duel)
        ],
        "faults": [each for each in faults if each.field not in own],
    }


def _draw_fields(
    result: dry_run.DryRun | None, changes: dry_run.DryRunChanges, names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return fields for the draws in the result, then for changed draws that it does not contain.

    If the value of a field is empty, the draw keeps its result. `names` are the wizards' names.
    """
    chosen = dict(changes.draws)
    if result:
        names = EventNarrator(result.outcome, result.start).names
    rows: list[tuple[str, str, str, object]] = []
    for draw in result.outcome.draws if result else ():
        drawn = f"was {draw.value} (0 to {draw.sides - 1}): {draw_result(draw, names)}"
        rows.append((draw.label, draw_words(draw, names), drawn, chosen.pop(draw.label, "")))
    rows += [
        (label, label_words(label, names), "not drawn with these changes", value)
        for label, value in chosen.items()
    ]
    return [
        {"label": label, "words": words, "drawn": drawn, "value": value}
        for label, words, drawn, value in rows
    ]


def _answer_fields(result: dry_run.DryRun | None) -> list[dict[str, Any]]:
    """Return fields for the turn's questions, including those that have answers."""
    if result is None:
        return []
    start = engine.play.under_published_rules(result.start)
    view = engine.play.view(engine.play.History((), start), engine.play.ALL)
    asked: list[dict[str, Any]] = [
        {
            "name": f"{ANSWER_PREFIX}{question.id}",
            "words": engine.words.question_text(view, question),
            "options": [
                (option, engine.words.option_text(view, question, option))
                for option in question.options
            ],
            "value": question.default,
        }
        for question in result.questions
    ]
    return asked + [
        {
            "name": f"{ANSWER_PREFIX}{id}",
            "words": f"Answer to {id}",
            "options": [(answer, answer)],
            "value": answer,
        }
        for id, answer in result.answers.items()
    ]


def _outcome_context(turn: OpenTurn, result: dry_run.DryRun | None) -> dict[str, Any]:
    """Return the context for a result and its differences from the original result."""
    if result is None:
        return {"result": None}
    is_resolved = turn.row.stage == Stage.RESOLVED
    found = compare_outcomes(
        dry_run.stored_outcome(turn.row) if is_resolved else _outcome_of_sealed_orders(turn),
        result.outcome,
        result.start,
    )
    return {
        "result": result,
        "steps": narrated_steps(result),
        "difference": found,
        "compared_with": "the stored result" if is_resolved else "the result of the sealed orders",
        "is_different": not found.is_empty,
    }


def _outcome_of_sealed_orders(turn: OpenTurn) -> dry_run.TurnOutcome:
    """Return the outcome of the sealed orders, or an empty outcome if they cannot be resolved."""
    try:
        return dry_run.run_with_changes(turn).outcome
    except Refused:
        return dry_run.TurnOutcome(None, ())


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def dry_run_view(request: HttpRequest, case_file: CaseFile, ordinal: int) -> HttpResponse:
    """Show the result of resolving a turn again, with the changes in a POST. Nothing is stored."""
    posted = {name: str(value) for name, value in request.POST.items()}
    turn = turn_or_404(request, case_file, ordinal)
    has_sealed = case_file.opening.shows_sealed(turn.row)
    context = turn_frame_context(case_file, turn, "dry-run") | {"has_sealed": has_sealed}
    if turn.row.stage == Stage.RESOLVED:
        context["comes_out"], context["verdict"] = verdict_words(turn)
    faults: list[Refused] = []
    if has_sealed:
        changes, faults = _parse_changes(turn, posted)
        result = None
        if not faults:
            try:
                result = dry_run.run_with_changes(turn, changes)
            except Refused as refused:
                faults = [refused]
        context |= _form_context(turn, posted, changes, faults, result) | _outcome_context(
            turn, result
        )
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults and posted else HTTPStatus.OK
    return render(request, "referees/dry_run.html", context, status=status)
