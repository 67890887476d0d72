"""Public views of the referees' rulings and of how disputes are settled."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.loaded.database_clock import site_now
from duels.referees.cases.queries import ruling_by_number
from duels.screens.rulings.context import referees_context, ruling_context, rulings_context


@require_safe
def rulings(request: HttpRequest) -> HttpResponse:
    """List all rulings, newest first, or only those that cite a rule."""
    context = rulings_context(request.GET.get("rule", ""), request.GET.get("page", "1"))
    return render(request, "duels/rulings/rulings.html", context)


@require_safe
def ruling(request: HttpRequest, number: int) -> HttpResponse:
    found = ruling_by_number(number)
    if found is None:
        raise Http404("There is no such ruling.")
    return render(request, "duels/rulings/ruling.html", ruling_context(found))


@require_safe
def referees(request: HttpRequest) -> HttpResponse:
    """Explain how disputes are settled, how many are open, and how long they take."""
    return render(request, "duels/rulings/referees.html", referees_context(site_now()))
