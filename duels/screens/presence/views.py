"""Views that open pages poll every few seconds. If nothing has changed, the response is a 304.

Most polls find nothing new. If a poll's ETag is still valid, `PollMiddleware` answers from the
cache, without reading the session, the user or the database.
"""

import hashlib
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.crypto import constant_time_compare
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from duels.caching import poll_cache
from duels.commands import profiles
from duels.loaded.database_clock import site_now
from duels.models import DuelStatus, Wizard
from duels.queries import presence
from duels.requests.rate_limits import network_address
from duels.screens.parts.people import players_online_words
from duels.screens.presence.context import compact_json
from duels.sign_in.guests import wizard_of

HIDDEN_PAGE_PARAMETER: Final = "away"  # query parameter from a page in a hidden tab
RECOUNT_PARAMETER: Final = "complete"  # query parameter that requests a new count of waiting duels

_POLL_PATH_PATTERN = re.compile(r"/duels/([0-9]{1,18})/poll")
_ETAG_PATTERN = re.compile(r'(?:W/)?"((w[0-7]|-[0-9a-f]*)\.([0-9]{1,6})\.[0-9a-f]{32})"')


@require_safe
def poll_duel(request: HttpRequest, duel_id: int) -> HttpResponseBase:
    """Return the state that a duel's page shows, with the number of duels waiting for the reader,
    the other wizards who have the page open, and the number of spectators."""
    wizard, is_here = wizard_of(request), HIDDEN_PAGE_PARAMETER not in request.GET
    spectator = poll_cache.spectator_mark(f"w{wizard.pk}" if wizard else network_address(request))
    # Read the version first: if the duel changes before the query, the version is already outdated.
    cached = poll_cache.read_cached_poll(duel_id, "", spectator)
    state = presence.presence_state(duel_id, wizard)
    if state is None:
        raise Http404("There is no such duel.")
    if wizard and is_here:
        _note_presence(wizard)
    page = state.page.as_json()
    digest = hashlib.sha256(compact_json(page).encode()).hexdigest()
    poll_cache.store_digest(duel_id, state.seat, cached.version, digest)
    value = page | {"waiting": state.waiting}
    here: list[str] = []
    if state.seat:
        if is_here:
            poll_cache.mark_viewing_duel(duel_id, state.seat, cached)
        value["here"] = here = cached.other_viewers(state.seat)
    if state.seat or state.page.status == DuelStatus.GATHERING:
        spectator = ""  # before the start, players do not have seats
    spectators = cached.spectators
    if is_here and spectator:
        spectators = poll_cache.count_spectator(duel_id, spectator, cached)
    value["spectators"] = spectators
    reader = state.seat or f"-{spectator}"
    etag = poll_cache.poll_etag(duel_id, reader, digest, here, state.waiting, spectators)
    return conditional_json_response(request, value, etag)


@require_safe
def poll_waiting_duels(request: HttpRequest) -> HttpResponseBase:
    """Return the number of duels waiting for this wizard, a hash of the clocks in their duels, and
    text on how many people have the site open."""
    wizard = wizard_of(request)
    state = presence.waiting_state(wizard)
    if wizard:
        if HIDDEN_PAGE_PARAMETER not in request.GET:
            _note_presence(wizard)
        state["people"] = players_online_words(wizard)
    etag = hashlib.sha256(compact_json(state).encode()).hexdigest()
    return conditional_json_response(request, state, etag)


def _note_presence(wizard: Wizard) -> None:
    poll_cache.mark_wizard_on_site(wizard.pk)
    profiles.note_visit(wizard, site_now())


def conditional_json_response(
    request: HttpRequest, value: dict[str, Any], etag: str
) -> HttpResponseBase:
    """Return the value as JSON, or a 304 if the browser already has it."""
    response = HttpResponse(
        compact_json(value), content_type="application/json", headers=_headers(etag)
    )
    answer = get_conditional_response(request, etag=quote_etag(etag), response=response)
    assert isinstance(answer, HttpResponse)
    return answer


class PollMiddleware:
    """Middleware that answers polls from the cache if nothing has changed. The response does not
    show whether it came from the cache.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = _POLL_PATH_PATTERN.fullmatch(request.path_info)
        if path is None:
            return self.get_response(request)
        known = _ETAG_PATTERN.fullmatch(request.headers.get("If-None-Match", ""))
        if known and request.method == "GET" and RECOUNT_PARAMETER not in request.GET:
            etag, reader, number = known.groups()
            if _is_unchanged(
                int(path[1]), reader, int(number), etag, HIDDEN_PAGE_PARAMETER in request.GET
            ):
                return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=_headers(etag))
        response = self.get_response(request)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            headers = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        return response


def _is_unchanged(duel_id: int, reader: str, waiting: int, etag: str, is_away: bool) -> bool:
    """Return whether the cache confirms that this ETag is still valid."""
    seat, spectator = ("", reader[1:]) if reader.startswith("-") else (reader, "")
    cached = poll_cache.read_cached_poll(duel_id, seat, spectator)
    here = cached.other_viewers(seat) if seat else []
    now = poll_cache.poll_etag(duel_id, reader, cached.digest, here, waiting, cached.spectators)
    if not cached.digest or not constant_time_compare(etag, now):
        return False
    if spectator and not is_away:
        poll_cache.count_spectator(duel_id, spectator, cached)
    if seat and not is_away:
        poll_cache.mark_viewing_duel(duel_id, seat, cached)
    return True


def _headers(etag: str) -> dict[str, str]:
    return {"ETag": quote_etag(etag), "Cache-Control": "private, no-store"}
