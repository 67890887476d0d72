"""Views for Atom feeds, which are the same for all readers, and for calendars."""

from collections.abc import Iterable

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import http_date
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from duels.feeds import public as feeds
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.requests.access import player_only, ruleset_or_404, wizard_or_404
from duels.screens.feeds import atom
from duels.screens.feeds.deadlines import deadlines_of


@require_safe
@conditional_page
def wizard_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the feed of a wizard's finished duels and open challenges."""
    wizard = wizard_or_404(slug)
    if wizard.slug != slug:  # a former name
        return redirect("wizard_feed", wizard.slug)
    page = reverse("wizard", args=[wizard.slug])
    return _feed_response(request, wizard.name, page, atom.wizard_entries(wizard, site_now()))


@require_safe
@conditional_page
def ladder_feed(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    title = f"Rated duels: {ruleset_or_404(ruleset_id).name}"
    page = reverse("ladder", args=[ruleset_id])
    return _feed_response(request, title, page, atom.ladder_entries(ruleset_id))


@require_safe
@conditional_page
def challenge_feed(request: HttpRequest) -> HttpResponse:
    page = f"{reverse('duels')}?show=open"
    return _feed_response(request, "Open challenges", page, atom.challenge_entries(site_now()))


@require_safe
@conditional_page
def ruling_feed(request: HttpRequest) -> HttpResponse:
    return _feed_response(request, "Rulings", reverse("rulings"), atom.ruling_entries())


def _feed_response(
    request: HttpRequest, title: str, page: str, entries: Iterable[atom.FeedEntry]
) -> HttpResponse:
    feed = atom.atom_feed(title, page, request.path, entries)
    response = HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
    response["Last-Modified"] = http_date(feed.latest_post_date().timestamp())
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def calendar_settings(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Show the address of the wizard's calendar. On POST, replace it or turn the calendar off."""
    if request.method == "POST":
        if request.POST.get("do") == "delete":
            feeds.delete_calendar_key(wizard=wizard)
            messages.success(request, "Your calendar is off.")
        else:
            had_key = feeds.calendar_key(wizard) is not None
            feeds.renew_calendar_key(wizard=wizard, now=site_now())
            words = "Your calendar has a new address." if had_key else "Your calendar is on."
            messages.success(request, words)
        return redirect("calendar_settings")
    key = feeds.calendar_key(wizard)
    address = settings.SITE_URL + reverse("calendar", args=[key.token]) if key else ""
    context = {
        "key": key,
        "address": address,
        "subscribe": f"webcal:{address.partition(':')[2]}",
    }
    return render(request, "duels/feeds/calendar.html", context)


@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Return the deadlines of the wizard whose calendar has this secret address."""
    wizard, now = feeds.wizard_by_calendar_token(token), site_now()
    if wizard is None:
        raise Http404("There is no such calendar.")
    text = feeds.calendar_text(f"Spellcaster: {wizard.name}", deadlines_of(wizard, now), now)
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")
