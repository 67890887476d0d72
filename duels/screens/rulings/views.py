"""Public views of the referees' rulings and of how disputes are settled."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.loaded.database_clock import site_now
from duels.referees.cases.queries import case_figures, other_ruling, ruling_by_number
from duels.screens.rulings.context import days_words, ruling_line, rulings_context


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
    context = ruling_line(found) | {"other": other_ruling(found)}
    return render(request, "duels/rulings/ruling.html", context)


@require_safe
def referees(request: HttpRequest) -> HttpResponse:
    """Explain how disputes are settled, how many are open, and how long they take."""
    figures = case_figures(site_now())
    context = {"figures": figures, "days_words": days_words(figures.median_days)}
    return render(request, "duels/rulings/referees.html", context)
