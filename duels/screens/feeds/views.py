"""Views of the Atom feeds, which are the same for all readers."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import http_date
from django.views.decorators.http import conditional_page, require_safe

from duels.loaded.database_clock import site_now
from duels.requests.access import ruleset_or_404, wizard_or_404
from duels.screens.feeds.atom import (
    FeedEntry,
    atom_feed,
    challenge_entries,
    ladder_entries,
    ruling_entries,
    wizard_entries,
)


@require_safe
@conditional_page
def wizard_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the feed of a wizard's finished duels and open challenges."""
    wizard = wizard_or_404(slug)
    page = reverse("wizard", args=[wizard.slug])
    return _feed_response(request, wizard.name, page, wizard_entries(wizard, site_now()))


@require_safe
@conditional_page
def ladder_feed(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """Return the feed of rated duels under a ruleset."""
    title = f"Rated duels: {ruleset_or_404(ruleset_id).name}"
    page = reverse("ladder", args=[ruleset_id])
    return _feed_response(request, title, page, ladder_entries(ruleset_id))


@require_safe
@conditional_page
def challenge_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed of open challenges."""
    page = f"{reverse('duels')}?show=open"
    return _feed_response(request, "Open challenges", page, challenge_entries(site_now()))


@require_safe
@conditional_page
def ruling_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed of published rulings."""
    return _feed_response(request, "Rulings", reverse("rulings"), ruling_entries())


def _feed_response(
    request: HttpRequest, title: str, page: str, entries: Iterable[FeedEntry]
) -> HttpResponse:
    feed = atom_feed(title, page, request.path, entries)
    response = HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
    response["Last-Modified"] = http_date(feed.latest_post_date().timestamp())
    return response
