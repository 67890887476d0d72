"""The pages of acts: the list of all acts, and a page that plans and carries out one act."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_http_methods, require_safe

import engine.words
from duels.commands.submitting import FormResult
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import ActKind, Seat, Speech, Turn, Wizard
from duels.referees.acts import carrying_out
from duels.referees.acts.act_types import ActPlan, ActSpec, FieldType
from duels.referees.acts.carrying_out import ActRequest
from duels.referees.acts.entered_values import NAME_OF_DUEL
from duels.referees.acts.registry import SPEC_BY_ACT
from duels.referees.cases.case_acts import carry_out_in_case
from duels.referees.cases.eligibility import parties_of
from duels.referees.cases.handling import not_held_refusal
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.case import frame_context
from duels.referees.desk.evidence.evidence_access import EvidenceAccess
from duels.referees.desk.evidence.timeline import messages_with_orders
from duels.referees.desk.forms import ActForm, Choices, ConfirmForm
from duels.referees.log.act_log import referee_ref
from duels.referees.models import Case
from duels.requests.access import add_refusal
from duels.requests.submitting import redirect_once
from duels.wording.moments import moment_words

EXCERPT_LENGTH: Final = 60


def _is_possible_in_case(spec: ActSpec, case_file: CaseFile) -> bool:
    if case_file.case.duel_id is None and spec.kind == ActKind.REMOVE_WORDS:
        return hasattr(case_file.case, "reported_message")
    return "wizard" in spec.subjects or case_file.case.duel_id is not None


def involved_wizards(case_file: CaseFile) -> Sequence[Wizard]:
    """Return the wizards involved in the case, including its opener and replaced players."""
    return list(Wizard.objects.filter(pk__in=parties_of(case_file.case)).order_by("name"))


def field_choices(case: Case, opening: EvidenceAccess) -> dict[FieldType, Choices]:
    """Return the choices for select elements in an act's form, by field type."""
    duel = case.duel
    if duel is None:
        said = getattr(case, "reported_message", None)
        if said is None or said.removed_at is not None:
            return {FieldType.SPEECH: []}
        return {FieldType.SPEECH: [(str(said.pk), _excerpt(said.words))]}
    seats = list(Seat.objects.filter(duel=duel, place__isnull=False).select_related("wizard"))
    own = [(seat.code, seat.wizard.name) for seat in seats]
    turns = list(Turn.objects.filter(duel=duel).order_by("-ordinal"))
    said = Speech.objects.filter(duel=duel, removed_at=None)
    said = said.select_related("wizard").order_by("-pk")
    return {
        FieldType.SEAT: own,
        FieldType.RESULT: [*((code, f"{name} wins") for code, name in own), ("draw", "A draw")],
        FieldType.TURN: [
            (
                str(turn.ordinal),
                capfirst(engine.words.turn_name(duel.ruleset, turn.kind, turn.number)),
            )
            for turn in turns
        ],
        FieldType.SPEECH: [
            *([(NAME_OF_DUEL, f"Name of the duel: {duel.name}")] if duel.name else []),
            *(
                (
                    str(each.pk),
                    f"{each.wizard.name}, {moment_words(each.said_at)}: {_excerpt(each.words)}",
                )
                for each in said
            ),
            *_messages_with_orders(turns, dict(own), opening),
        ],
    }


def _messages_with_orders(
    turns: Sequence[Turn], names: Mapping[str, str], opening: EvidenceAccess
) -> Iterator[tuple[str, str]]:
    """Yield choices for the messages with orders that this referee may see and remove."""
    for turn in turns:
        for said in messages_with_orders(turn, opening):
            if said.wizard not in turn.silenced:
                words = f"{names[said.wizard]}, turn {turn.ordinal}: {_excerpt(said.words)}"
                yield f"turn {turn.ordinal} {said.wizard}", words


def _excerpt(words: str) -> str:
    return words if len(words) <= EXCERPT_LENGTH else f"{words[:EXCERPT_LENGTH]}…"


@require_safe
@case_page
def acts_view(request: HttpRequest, case_file: CaseFile) -> HttpResponse:
    specs = [spec for spec in SPEC_BY_ACT.values() if _is_possible_in_case(spec, case_file)]
    return render(
        request, "referees/acts.html", frame_context(case_file, "acts") | {"specs": specs}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def act_view(request: HttpRequest, case_file: CaseFile, kind: str) -> HttpResponse:
    """Show the form of one act, show the changes that it would make, or carry it out.

    To carry it out, the referee enters a reason, and the form contains the stamp of the plan.
    """
    spec = SPEC_BY_ACT.get(ActKind(kind)) if kind in ActKind.values else None
    if spec is None or not _is_possible_in_case(spec, case_file):
        raise Http404("There is no such act in this case.")
    posted = request.POST if request.method == "POST" else None
    form = ActForm(spec, field_choices(case_file.case, case_file.opening), posted)
    subject = request.POST.get("subject", "")
    is_sure = request.POST.get("do") == "carry_out"
    confirm = ConfirmForm(posted if is_sure else None)
    plan: ActPlan | None = None
    asked: ActRequest | None = None
    fault = ""
    if form.is_valid():
        try:
            asked = _act_request(case_file, spec, form, subject)
            if is_sure and confirm.is_valid():
                return _carry_out_response(request, case_file, spec, confirm, asked)
            plan = carrying_out.plan_act(spec.kind, **asked)
        except Refused as refused:
            plan = _plan_if_possible(spec, asked) if asked else None
            if refused.field in confirm.fields and is_sure:
                add_refusal(confirm, refused)
            elif refused.field in form.fields:
                add_refusal(form, refused)
            else:
                fault = refused.text
    is_on_duel = "duel" in spec.subjects and case_file.duel is not None
    needs_wizard = not is_on_duel and spec.kind != ActKind.REMOVE_WORDS
    context = frame_context(case_file, "acts") | {
        "spec": spec,
        "form": form,
        "subjects": involved_wizards(case_file) if needs_wizard else (),
        "subject": subject,
        "plan": plan,
        "confirm": confirm,
        "fault": fault,
    }
    is_refused = bool(fault or form.errors or confirm.errors)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "referees/act.html", context, status=status)


def _plan_if_possible(spec: ActSpec, asked: ActRequest) -> ActPlan | None:
    try:
        return carrying_out.plan_act(spec.kind, **asked)
    except Refused:
        return None


def _carry_out_response(
    request: HttpRequest,
    case_file: CaseFile,
    spec: ActSpec,
    confirm: ConfirmForm,
    asked: ActRequest,
) -> HttpResponse:
    """Carry out the act once. Redirect to the case, or to a draft of the ruling if the act has
    ended its duel.
    """

    def carry_out(_: str) -> FormResult:
        carry_out_in_case(
            spec.kind,
            referee=case_file.referee,
            reason=confirm.cleaned_data["reason"],
            seen=request.POST.get("seen", ""),
            **asked,
        )
        number = case_file.case.pk
        if case_file.duel is not None and spec.can_end_duel:
            case_file.duel.refresh_from_db()
            if case_file.duel.is_over:
                text = f"Done: {spec.title}. Check the ruling that follows, and publish it."
                return FormResult(reverse("desk_ruling", args=[number]), text)
        return FormResult(reverse("desk_case", args=[number]), f"Done: {spec.title}.")

    return redirect_once(request, carry_out)


def _act_request(case_file: CaseFile, spec: ActSpec, form: ActForm, subject: str) -> ActRequest:
    """Return the act's arguments. Raise `Refused` if the referee does not hold the case."""
    if not case_file.is_held:
        raise not_held_refusal(case_file.case)
    asked = ActRequest(
        by=referee_ref(case_file.referee), now=site_now(), fields=form.typed, case=case_file.case.pk
    )
    if "duel" in spec.subjects and case_file.case.duel_id is not None:
        asked["duel_id"] = case_file.case.duel_id
        return asked
    if spec.kind == ActKind.REMOVE_WORDS:
        subject = str(case_file.case.about_id)
    found = next((each for each in involved_wizards(case_file) if str(each.pk) == subject), None)
    if found is None:
        raise Refused("no_subject", "Choose a wizard.", field="subject")
    asked["wizard_id"] = found.pk
    return asked
