"""The view for a ruling."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from duels.commands.submitting import Created
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.referees.cases.rulings import rule
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.forms import RulingForm, add_refusal
from duels.referees.desk.ruling import drafted_ruling, ruling_context, with_evidence
from duels.referees.models import Ruling, Verdict
from duels.views.submitting import redirect_once


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def ruling(request: HttpRequest, file: CaseFile) -> HttpResponse:
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
