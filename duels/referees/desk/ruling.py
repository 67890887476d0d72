"""The page of a ruling, with the dry run of the disputed turn."""

import re
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from duels.commands.submitting import Created
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.loaded.loading import load_turn
from duels.models import Act, ActKind, Stage, Turn
from duels.referees.cases.rulings import role_names, rule
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.case import frame_context
from duels.referees.desk.dry_run import verdict_words
from duels.referees.desk.forms import RulingForm, add_refusal
from duels.referees.log.visible_acts import act_sentence
from duels.referees.models import Case, Ruling, Verdict
from duels.views.submitting import redirect_once

# Acts that can end a duel, or change its end.
ENDING_ACTS: Final = (ActKind.REMOVE, ActKind.DECLARE, ActKind.ANNUL)


def ruling_context(file: CaseFile, form: RulingForm) -> dict[str, Any]:
    """Return the context with the form, and with titles for wizards in place of their names."""
    comes_out, words = _dry_run(file.case)
    return frame_context(file, "ruling") | {
        "form": form,
        "roles": role_names(file.case).items(),
        "comes_out": comes_out,
        "verdict": words,
    }


def drafted_ruling(case: Case) -> str:
    """Return a public text for the act by which a referee ended the duel in this case, or "".

    It does not name anyone.
    """
    if case.duel is None or not case.duel.is_over:
        return ""
    ended_by = Act.objects.filter(duel=case.duel, case=case.pk, kind__in=ENDING_ACTS)
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


def with_evidence(words: str, case: Case) -> str:
    """Return the text of a ruling, followed by the result of the dry run of the disputed turn."""
    _, came_to = _dry_run(case)
    return f"{words}\n\n{came_to}" if came_to else words


def _dry_run(case: Case) -> tuple[bool, str]:
    """Return whether the disputed turn replays as stored, with a sentence ("" if it is not
    resolved)."""
    if case.duel_id is None or case.ordinal is None:
        return False, ""
    turns = Turn.objects.filter(duel=case.duel_id, ordinal=case.ordinal, stage=Stage.RESOLVED)
    row = turns.first()
    turn = load_turn(row.pk) if row is not None else None
    return verdict_words(turn) if turn is not None else (False, "")


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def ruling_view(request: HttpRequest, file: CaseFile) -> HttpResponse:
    """Show the form of a ruling; when it is valid, publish the ruling and end the case."""
    words = drafted_ruling(file.case)
    initial = {"rules": file.case.rule, "words": words}
    if words:
        initial["verdict"] = Verdict.OTHER
    form = RulingForm(request.POST or None, case=file.case, initial=initial)
    if request.method == "POST" and form.is_valid():

        def create(_: str) -> Created:
            made = _rule(file, form)
            address = reverse("desk_case", args=[file.case.pk])
            return Created(address, f"{made.title} has been published.")

        try:
            return redirect_once(request, create)
        except Refused as refused:
            add_refusal(form, refused)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "referees/ruling.html", ruling_context(file, form), status=status)


def _rule(file: CaseFile, form: RulingForm) -> Ruling:
    given = form.cleaned_data
    words = given["words"]
    if given.get("dry_run"):
        words = with_evidence(words, file.case)
    return rule(
        case_id=file.case.pk,
        user=file.referee,
        verdict=given["verdict"],
        words=words,
        private_words=given["private_words"],
        rules=given["rules"],
        settles=given["settles"],
        now=site_now(),
    )
