"""Views of the ladders."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine.play
from duels.loaded.database_clock import site_now
from duels.queries.lists import rules_of_last_duel
from duels.ratings.public import ORDER_OF_LADDER, LadderPlace, ladder_page
from duels.screens.parts.rating_words import rating_words
from duels.sign_in.guests import wizard_of

LADDER_TITLES = {"rating": "Ratings", "month": "This month", "reliability": "Most reliable"}


@require_safe
def first_ladder(request: HttpRequest) -> HttpResponse:
    """Redirect to the ladder of the reader's last ruleset, or else to the first ladder."""
    last = rules_of_last_duel(wizard_of(request)).get("ruleset")
    return redirect("ladder", last or next(iter(engine.play.RULESETS)))


@require_safe
def ladder(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """Show a ladder of a ruleset, fifty wizards at a time.

    The query string can contain the figure to sort by (`by`), and the place in the list after which
    the page starts (`after`).
    """
    ruleset, by = engine.play.RULESETS.get(ruleset_id), request.GET.get("by", "rating")
    if ruleset is None or by not in ORDER_OF_LADDER:
        raise Http404("There is no such ladder.")
    place = LadderPlace.parse(request.GET.get("after", ""))
    now = site_now()
    page = ladder_page(ruleset_id, by, place, now)
    unranked = [(row, rating_words(row.rating_at(now))) for row in page.unranked]
    context = {
        "ruleset": ruleset,
        "rulesets": engine.play.RULESETS.values(),
        "by": by,
        "titles": LADDER_TITLES,
        "rows": [
            (position, row, rating_words(row.rating_at(now)))
            for position, row in enumerate(page.rows, page.first_position)
        ],
        "unranked": unranked,
        "is_continued": place is not None,
        "next": urlencode({"by": by, "after": page.next}) if page.next else "",
        "here": reverse("ladder", args=[ruleset_id]),
    }
    return render(request, "duels/ladders/ladder.html", context)
