"""Access to the desk and its cases.

Only referees who have used a second factor and are not involved in a case can see it. Other users
get a 404.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from duels.accounts.second_factor import ask_for_second_factor, has_second_factor
from duels.loaded.database_clock import site_now
from duels.models import Duel, User
from duels.referees.cases.eligibility import handling_refusal
from duels.referees.cases.queries import case_by_number
from duels.referees.desk.evidence import evidence_access
from duels.referees.log.act_log import is_referee
from duels.referees.models import Case, CaseStatus
from duels.requests.unsent import sign_in_required, store_form

P = ParamSpec("P")


@dataclass(frozen=True)
class CaseFile:
    """A case as shown to a referee who may handle it."""

    case: Case
    referee: User
    opening: evidence_access.EvidenceAccess

    @property
    def duel(self) -> Duel | None:
        return self.case.duel

    @property
    def is_held(self) -> bool:
        """Whether this referee holds the case. Only then can they act in it and open turns."""
        return self.case.status == CaseStatus.CLAIMED and self.case.referee_id == self.referee.pk


def referee_only(
    view: Callable[Concatenate[HttpRequest, User, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restrict a view to referees who have used a second factor. They do not need a wizard.

    Other users get a 404. Visitors are redirected to sign in, and referees without a second factor
    to enter one; the form they sent is kept. Responses are not cached.
    """

    @wraps(view)
    def view_for_referees(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if not isinstance(request.user, User) or not is_referee(request.user):
            raise Http404("There is no such page.")
        answer: HttpResponseBase
        if has_second_factor(request):
            answer = view(request, request.user, *args, **kwargs)
        else:
            answer = ask_for_second_factor(
                request, reverse("unsent") if store_form(request) else request.get_full_path()
            )
        answer.headers["Cache-Control"] = "private, no-store"
        return answer

    return sign_in_required(view_for_referees)


def case_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Restrict a view of a case, given by `number`, to referees who may handle the case.

    Other referees get a page that explains why they cannot see the case.
    """

    @wraps(view)
    def view_of_case(
        request: HttpRequest, referee: User, number: int, **kwargs: Any
    ) -> HttpResponseBase:
        case = case_by_number(number)
        if case is None:
            raise Http404("There is no such case.")
        refused = handling_refusal(referee, case, site_now())
        if refused is not None:
            context = {"case": case, "text": refused.text, "code": refused.code}
            page = "referees/referee_not_eligible.html"
            return render(request, page, context, status=HTTPStatus.FORBIDDEN)
        file = CaseFile(case, referee, evidence_access.NO_ACCESS)
        if case.duel is not None and case.duel.is_over:
            file = replace(file, opening=evidence_access.FULL_ACCESS)
        elif case.duel is not None and file.is_held:
            file = replace(file, opening=evidence_access.turns_opened_in_case(case, referee))
        return view(request, file, **kwargs)

    return referee_only(view_of_case)
