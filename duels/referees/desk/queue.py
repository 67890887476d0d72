"""The page with the queue of cases, which shows their age and the referees who hold them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine.words
from duels.loaded.database_clock import site_now
from duels.models import Seat, User
from duels.referees.cases import queries
from duels.referees.cases.eligibility import eligible_cases
from duels.referees.desk.access import referee_only
from duels.referees.log.act_log import public_name
from duels.referees.models import Case, CaseCategory
from duels.wording.moments import span_words

CASES_PER_PAGE: Final = 50
# Filters for the list of cases: a label, and a query for this referee.
QUEUE_FILTERS: Final[Mapping[str, tuple[str, Callable[[User], QuerySet[Case]]]]] = {
    "waiting": ("Waiting", lambda referee: queries.unclaimed_cases()),
    "mine": ("Mine", queries.cases_held_by),
    "all": ("All open", lambda referee: queries.open_cases()),
    "ended": ("Ended", lambda referee: queries.ended_cases()),
}


@dataclass(frozen=True)
class QueueTab:
    """A link to another page of the desk."""

    words: str
    address: str
    is_here: bool


def queue_context(
    referee: User, now: datetime, shown_status: str, category: str, page_number: str = ""
) -> dict[str, Any]:
    """Return the context of the queue with these filters. Unknown filters are ignored.

    Cases that this referee may not handle are counted but not listed.
    """
    shown_status = shown_status if shown_status in QUEUE_FILTERS else "all"
    category = category if category in CaseCategory.values else ""
    found = QUEUE_FILTERS[shown_status][1](referee)
    if category:
        found = found.filter(category=category)
    eligible = eligible_cases(referee, found, now)
    page = Paginator(eligible, CASES_PER_PAGE).get_page(page_number)
    cases = list(page)
    names = wizard_names_by_duel(cases)
    return {
        "rows": [
            {
                "case": case,
                "age": span_words((case.ended_at or now) - case.opened_at),
                "about": case_subject(case, names),
                "held_by": public_name(case.referee) if case.referee else "",
            }
            for case in cases
        ],
        "for_others": found.count() - page.paginator.count,
        "page": page,
        "figures": queries.case_figures(now),
        "mine": queries.cases_held_by(referee).count(),
        "shows": [(code, label) for code, (label, _) in QUEUE_FILTERS.items()],
        "shown": shown_status,
        "categories": [("", "All categories"), *CaseCategory.choices],
        "category": category,
    }


def case_subject(case: Case, names: Mapping[int, Sequence[str]]) -> str:
    if case.is_dispute and case.duel_id is not None:
        return f"{engine.words.versus_text(names[case.duel_id])}, turn {case.ordinal}"
    if case.category == CaseCategory.NAME and case.duel_id is not None:
        return f"The name of duel {case.duel_id}"
    what = "The name of" if case.category == CaseCategory.NAME else "A message by"
    return f"{what} {case.about.name if case.about else 'someone'}"


def wizard_names_by_duel(cases: Iterable[Case]) -> dict[int, list[str]]:
    """Return the names of each duel's wizards in order of seat, by duel."""
    duels = {case.duel_id for case in cases if case.duel_id is not None}
    names: dict[int, list[str]] = {duel: [] for duel in duels}
    seats = Seat.objects.filter(duel__in=duels).select_related("wizard").order_by("place", "pk")
    for seat in seats:
        names[seat.duel_id].append(seat.wizard.name)
    return names


@require_safe
@referee_only
def queue_view(request: HttpRequest, referee: User) -> HttpResponse:
    show, category = request.GET.get("show", "all"), request.GET.get("category", "")
    page_number = request.GET.get("page", "")
    context = queue_context(referee, site_now(), show, category, page_number)
    return render(request, "referees/queue.html", context)
