"""What an open page knows, and what it asks for every few seconds: an unchanged answer is a 304.

Most polls are told that nothing is new. `PollMiddleware` says so from the cache, before session,
user and database come into it, to whoever holds the ETag of an answer that is still true.
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

from duels import poll_cache
from duels.pages.presence import compact
from duels.queries import presence
from duels.views.access import wizard_of

AWAY: Final = "away"  # in the query of a page at which nobody looks
COMPLETE: Final = "complete"  # in the query: how many duels wait is counted anew, too

_POLL = re.compile(r"/duels/([0-9]{1,18})/poll")
_ETAG = re.compile(r'(?:W/)?"((w[0-7]|-)\.([0-9]{1,6})\.[0-9a-f]{32})"')


@require_safe
def poll(request: HttpRequest, duel_id: int) -> HttpResponseBase:
    """What of a duel's page may have changed, how many duels wait for me, and who is here."""
    # Before the database is asked: a change that comes between leaves an older version behind.
    cached = poll_cache.read(duel_id, "")
    wizard = wizard_of(request)
    state = presence.presence_state(duel_id, wizard)
    if state is None:
        raise Http404("There is no such duel.")
    if wizard and AWAY not in request.GET:
        poll_cache.mark_on_site(wizard.pk)
    page = state.page.as_json()
    digest = hashlib.sha256(compact(page).encode()).hexdigest()
    poll_cache.keep_digest(duel_id, state.seat, cached.version, digest)
    value = page | {"waiting": state.waiting}
    here: list[str] = []
    if state.seat:
        if AWAY not in request.GET:
            poll_cache.mark_here(duel_id, state.seat, cached)
        value["here"] = here = cached.others_here(state.seat)
    etag = poll_cache.etag_of(duel_id, state.seat, digest, here, state.waiting)
    return conditional(request, value, etag)


@require_safe
def waiting(request: HttpRequest) -> HttpResponseBase:
    """How many duels wait for me, and whether a clock in one of my duels is another."""
    wizard = wizard_of(request)
    state = presence.waiting_state(wizard)
    if wizard and AWAY not in request.GET:
        poll_cache.mark_on_site(wizard.pk)
    return conditional(request, state, f"{state['waiting']}.{state['clocks']}")


def conditional(request: HttpRequest, value: dict[str, Any], etag: str) -> HttpResponseBase:
    """The value as JSON, or 304 where the asker has it already."""
    response = HttpResponse(compact(value), content_type="application/json", headers=_headers(etag))
    answer = get_conditional_response(request, etag=quote_etag(etag), response=response)
    assert isinstance(answer, HttpResponse)
    return answer


class PollMiddleware:
    """Tells polls that nothing is new. How it came to know that does not show in the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = _POLL.fullmatch(request.path_info)
        if path is None:
            return self.get_response(request)
        known = _ETAG.fullmatch(request.headers.get("If-None-Match", ""))
        if known and request.method == "GET" and COMPLETE not in request.GET:
            etag, place, number = known.groups()
            seat = place.removeprefix("-")
            if _is_unchanged(int(path[1]), seat, int(number), etag, AWAY in request.GET):
                return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=_headers(etag))
        response = self.get_response(request)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            headers = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        return response


def _is_unchanged(duel_id: int, seat: str, waiting: int, etag: str, is_away: bool) -> bool:
    """Whether the holder of this ETag would be told the same again, as far as the cache knows."""
    cached = poll_cache.read(duel_id, seat)
    here = cached.others_here(seat) if seat else []
    now = poll_cache.etag_of(duel_id, seat, cached.digest, here, waiting)
    if not cached.digest or not constant_time_compare(etag, now):
        return False
    if seat and not is_away:
        poll_cache.mark_here(duel_id, seat, cached)
    return True


def _headers(etag: str) -> dict[str, str]:
    return {"ETag": quote_etag(etag), "Cache-Control": "private, no-store"}
