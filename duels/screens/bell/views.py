"""Views that list a wizard's news and mark it as read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.models import Wizard
from duels.post import public as post
from duels.requests.access import player_only, post_only
from duels.screens.parts.notice_titles import notice_titles


@require_safe
@player_only
def news(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """List the wizard's latest news, even if no emails about it were sent."""
    notices = list(post.newest_notices(wizard))
    titles = notice_titles(wizard, [(each.duel_id, each.turn_id) for each in notices])
    context = {"entries": list(zip(notices, titles, strict=True))}
    return render(request, "duels/bell/news.html", context)


@post_only
@player_only
def news_read(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    post.mark_all_read(wizard=wizard)
    return redirect("news")
