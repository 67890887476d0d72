"""The page where a referee writes a ruling, with a dry run of the disputed turn."""

import re
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from duels.commands.submitting import FormResult
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.loaded.loading import load_turn
from duels.models import Act, Stage, Turn
from duels.referees.acts.registry import SPEC_BY_ACT
from duels.referees.cases.rulings import role_names, rule_on_case
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.case import frame_context
from duels.referees.desk.dry_run_page import verdict_words
from duels.referees.desk.forms import RulingForm
from duels.referees.log.visible_acts import act_sentence
from duels.referees.models import Case, Verdict
from duels.requests.access import add_refusal
from duels.requests.submitting import redirect_once


def draft_of_ruling(case: Case) -> str:
    """Return an anonymous draft if an act in this case ended its duel, otherwise ""."""
    if case.duel is None or not case.duel.is_over:
        return ""
    kinds = [spec.kind for spec in SPEC_BY_ACT.values() if spec.can_end_duel]
    ended_by = Act.objects.filter(duel=case.duel, case=case.pk, kind__in=kinds)
    act = ended_by.select_related("duel").order_by("-ordinal").first()
    if act is None:
        return ""
    roles = role_names(case)
    seats = case.duel.seats.select_related("wizard")
    names = {seat.code: roles[seat.wizard.name] for seat in seats}
    reason = act.reason
    for name, role in roles.items():
        reason = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", role, reason)
    return f"{act_sentence(act, names)} The reason: {reason}"


def _dry_run_verdict(case: Case) -> tuple[bool, str]:
    """Return `verdict_words` of the disputed turn, with "" as text if the turn is not resolved."""
    if case.duel_id is None or case.ordinal is None:
        return False, ""
    turns = Turn.objects.filter(duel=case.duel_id, ordinal=case.ordinal, stage=Stage.RESOLVED)
    row = turns.first()
    turn = load_turn(row.pk) if row is not None else None
    return verdict_words(turn) if turn is not None else (False, "")


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def ruling_view(request: HttpRequest, case_file: CaseFile) -> HttpResponse:
    """Show the form of a ruling. If a valid form is submitted, publish the ruling."""
    case, words = case_file.case, draft_of_ruling(case_file.case)
    initial = {"rules": case.rule, "words": words} | ({"verdict": Verdict.OTHER} if words else {})
    form = RulingForm(request.POST or None, case=case, initial=initial)
    comes_out, comparison = _dry_run_verdict(case)

    def publish_ruling(_: str) -> FormResult:
        given = dict(form.cleaned_data)
        if given.pop("dry_run", False) and comparison:
            given["words"] += f"\n\n{comparison}"
        made = rule_on_case(case_id=case.pk, user=case_file.referee, now=site_now(), **given)
        address = reverse("desk_case", args=[case.pk])
        return FormResult(address, f"{made.title} has been published.")

    if request.method == "POST" and form.is_valid():
        try:
            return redirect_once(request, publish_ruling)
        except Refused as refused:
            add_refusal(form, refused)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    context = frame_context(case_file, "ruling") | {
        "form": form,
        "roles": role_names(case).items(),
        "comes_out": comes_out,
        "verdict": comparison,
    }
    return render(request, "referees/ruling.html", context, status=status)
