"""Views for acts: a form, then the changes and a request for a reason, then the act itself."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.referees.acts import carrying_out
from duels.referees.acts.carrying_out import ActRequest
from duels.referees.acts.shapes import ActPlan, ActSpec
from duels.referees.cases.case_acts import carry_out_in_case
from duels.referees.desk.access import CaseFile, case_page
from duels.referees.desk.acting import act_context, acts_context, choices_for, spec_of, wizards
from duels.referees.desk.forms import ActForm, ConfirmForm, add_refusal
from duels.referees.desk.ruling import ENDING_ACTS
from duels.referees.log.act_log import referee_ref


@require_safe
@case_page
def acts(request: HttpRequest, file: CaseFile) -> HttpResponse:
    """Show the list of acts."""
    return render(request, "referees/acts.html", acts_context(file))


@require_http_methods(["GET", "HEAD", "POST"])
@case_page
def act(request: HttpRequest, file: CaseFile, kind: str) -> HttpResponse:
    """Show the form of one act, plan the act, or carry it out."""
    spec = spec_of(kind, file)
    if spec is None:
        raise Http404("There is no such act in this case.")
    choices = dict(choices_for(file.duel, file.opening))
    if request.method != "POST":
        context = act_context(file, spec, ActForm(spec, choices))
        return render(request, "referees/act.html", context)
    form = ActForm(spec, choices, request.POST)
    return _posted(request, file, spec, form)


def _posted(request: HttpRequest, file: CaseFile, spec: ActSpec, form: ActForm) -> HttpResponse:
    """Show the changes of an act, or carry it out if it comes with a reason and the plan's
    stamp."""
    subject = request.POST.get("subject", "")
    is_sure = request.POST.get("do") == "carry_out"
    confirm = ConfirmForm(request.POST) if is_sure else ConfirmForm()
    plan: ActPlan | None = None
    fault = ""
    if form.is_valid():
        try:
            asked = _act_request(file, spec, form, subject)
            plan = carrying_out.plan(spec.kind, **asked)
            if is_sure and confirm.is_valid():
                carry_out_in_case(
                    spec.kind,
                    referee=file.referee,
                    reason=confirm.cleaned_data["reason"],
                    seen=request.POST.get("seen", ""),
                    **asked,
                )
                return _done_response(request, file, spec)
        except Refused as refused:
            if refused.field in confirm.fields and is_sure:
                add_refusal(confirm, refused)
            elif refused.field in form.fields:
                add_refusal(form, refused)
            else:
                fault = refused.text
    context = act_context(
        file, spec, form, subject=subject, plan=plan, confirm=confirm, fault=fault
    )
    is_refused = bool(fault or form.errors or (is_sure and confirm.errors))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "referees/act.html", context, status=status)


def _done_response(request: HttpRequest, file: CaseFile, spec: ActSpec) -> HttpResponse:
    """Redirect to the case or, if the act has ended the duel, to a draft of the ruling."""
    if file.duel is not None and spec.kind in ENDING_ACTS:
        file.duel.refresh_from_db()
        if file.duel.is_over:
            messages.success(
                request, f"Done: {spec.title}. Check the ruling that follows, and publish it."
            )
            return redirect("desk_ruling", file.case.pk)
    messages.success(request, f"Done: {spec.title}.")
    return redirect("desk_case", file.case.pk)


def _act_request(file: CaseFile, spec: ActSpec, form: ActForm, subject: str) -> ActRequest:
    """Return the act's arguments. Raise `Refused` without a held case."""
    if not file.is_held:
        raise Refused("not_held", f"You do not hold {file.case.title.lower()}. Claim it first.")
    asked = ActRequest(
        by=referee_ref(file.referee), now=site_now(), fields=form.typed, case=file.case.pk
    )
    if "duel" in spec.subjects and file.case.duel_id is not None:
        asked["duel_id"] = file.case.duel_id
        return asked
    found = next((each for each in wizards(file) if str(each.pk) == subject), None)
    if found is None:
        raise Refused("no_subject", "Choose a wizard.", field="subject")
    asked["wizard_id"] = found.pk
    return asked
