"""Views that list a wizard's news and mark it as read."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.models import Outcome, Seat, Wizard
from duels.post import public as post
from duels.post.kinds.over import Over
from duels.requests.access import player_only, post_only
from duels.screens.parts.notice_titles import notice_titles
from duels.screens.parts.outcomes import OWN_OUTCOME_WORDS


@require_safe
@player_only
def news(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """List the wizard's latest news, even if no emails about it were sent."""
    notices = list(post.newest_notices(wizard))
    titles = notice_titles(wizard, [(each.duel_id, each.turn_id) for each in notices])
    results = _own_results(wizard, notices)
    entries = [
        (notice, title, results.get(notice.pk, ""))
        for notice, title in zip(notices, titles, strict=True)
    ]
    context = {"entries": entries}
    return render(request, "duels/bell/news.html", context)


@post_only
@player_only
def mark_news_read(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    post.mark_all_read(wizard=wizard)
    return redirect("news")


def _own_results(wizard: Wizard, notices: Sequence[post.Notice]) -> dict[int, str]:
    """Return the wizard's results, such as ": you won", for the notices that a duel is over."""
    over = {notice.pk: notice.duel_id for notice in notices if notice.kind == Over.code}
    seats = Seat.objects.filter(wizard=wizard, duel__in=over.values()).exclude(outcome="")
    outcomes = {duel: Outcome(code) for duel, code in seats.values_list("duel", "outcome")}
    return {
        pk: f": {OWN_OUTCOME_WORDS[outcomes[duel]]}"
        for pk, duel in over.items()
        if duel in outcomes
    }
