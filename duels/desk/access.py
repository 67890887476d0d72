"""Who may come to the desk, and how far into a case: referees with a second factor, and of them
those who have no part in it. For everybody else there is no such page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from duels.desk.evidence.opening import ALL_OPEN, NOTHING_OPENED, Opening, opening_of
from duels.errors import Refused
from duels.models import Duel, User
from duels.referee.public import Case, CaseStatus, case_of, is_referee, may_handle
from duels.second_factor import second_factor_required

P = ParamSpec("P")


@dataclass(frozen=True)
class CaseFile:
    """A case on the desk of one referee, who may handle it."""

    case: Case
    referee: User
    opening: Opening

    @property
    def duel(self) -> Duel | None:
        return self.case.duel

    @property
    def is_held(self) -> bool:
        """Whether this referee holds the case: only they act in it and look behind the fog."""
        return self.case.status == CaseStatus.CLAIMED and self.case.referee_id == self.referee.pk


def referee_only(
    view: Callable[Concatenate[HttpRequest, User, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Only for referees, with a wizard or without, who have shown a second factor. Others are told
    that there is no such page; visitors may sign in first. No cache keeps what is answered."""

    def passed(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        assert isinstance(request.user, User)
        return view(request, request.user, *args, **kwargs)

    with_factor = second_factor_required(passed)

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not isinstance(request.user, User) or not is_referee(request.user):
            raise Http404("There is no such page.")
        answer = with_factor(request, *args, **kwargs)
        answer.headers["Cache-Control"] = "private, no-store"
        return answer

    return login_required(guarded)


def case_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page of the case of this `number`, for a referee who may handle it. Who may not is told
    why, and sees nothing of it."""

    @wraps(view)
    def opened(request: HttpRequest, referee: User, number: int, **kwargs: Any) -> HttpResponseBase:
        case = case_of(number)
        if case is None:
            raise Http404("There is no such case.")
        refused = may_handle(referee, case, timezone.now())
        if refused is not None:
            return not_for_you(request, case, refused)
        return view(request, file_of(case, referee), **kwargs)

    return referee_only(opened)


def not_for_you(request: HttpRequest, case: Case, refused: Refused) -> HttpResponse:
    """Why a case is for another referee."""
    context = {"case": case, "text": refused.text, "code": refused.code}
    return render(request, "desk/not_for_you.html", context, status=HTTPStatus.FORBIDDEN)


def file_of(case: Case, referee: User) -> CaseFile:
    """The case, with what this referee has opened in it."""
    file = CaseFile(case, referee, NOTHING_OPENED)
    if case.duel is None:
        return file
    if case.duel.is_over:
        return CaseFile(case, referee, ALL_OPEN)
    return CaseFile(case, referee, opening_of(case, referee)) if file.is_held else file
