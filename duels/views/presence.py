"""What an open page knows, and what it asks for every few seconds: an unchanged answer is a 304.

That a wizard is here is kept in the cache for half a minute, and shown to the other wizards of the
duel only. Nothing else is kept of a poll.
"""

import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from duels.queries import DuelPage, presence
from duels.queries.presence import Felt
from duels.views.access import wizard_of

logger = logging.getLogger(__name__)

HERE_SECONDS = 30  # longer than the pause between two polls of somebody who is here
AWAY = "away"  # says a page at which nobody looks


def presence_of(felt: Felt, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a page needs that polls: the state it was made at, where its reader sits, and names."""
    return {
        "presence": {
            "felt": _compact(felt.pulse.as_json()),
            "seat": felt.mine,
            "names": _compact(dict(names or {})),
        }
    }


def presence_context(page: DuelPage, said: int) -> dict[str, Any]:
    """For the page of a duel; `said`: the last speech that it shows."""
    mine = page.me.code if page.me else ""
    felt = Felt(presence.pulse_of(page, said), mine, waiting=0)
    return presence_of(felt, {seat.code: seat.name for seat in page.seats})


@require_safe
def pulse(request: HttpRequest, duel_id: int) -> HttpResponseBase:
    """What of a duel's page may have changed, how many duels wait for me, and who is here."""
    felt = presence.pulse(duel_id, wizard_of(request))
    if felt is None:
        raise Http404("There is no such duel.")
    value = felt.pulse.as_json() | {"waiting": felt.waiting}
    if felt.mine:
        others = [seat.code for seat in felt.pulse.seats if seat.code != felt.mine]
        is_away = AWAY in request.GET
        value["here"] = who_is_here(duel_id, "" if is_away else felt.mine, others)
    return conditional(request, value)


@require_safe
def waiting(request: HttpRequest) -> HttpResponseBase:
    """How many duels wait for me."""
    wizard = wizard_of(request)
    return conditional(request, {"waiting": presence.waiting_for(wizard) if wizard else 0})


def who_is_here(duel_id: int, mine: str, others: list[str]) -> list[str]:
    """Which of the others have the page open; `mine` is here as well, from now on.

    It is a courtesy: while the cache is away, nobody is here.
    """
    try:
        if mine:
            cache.set(_place(duel_id, mine), True, HERE_SECONDS)
        found = cache.get_many([_place(duel_id, code) for code in others])
    except RedisError as error:
        logger.warning("Who is here is not known: %s", type(error).__name__)
        return []
    return [code for code in others if _place(duel_id, code) in found]


def conditional(request: HttpRequest, value: dict[str, Any]) -> HttpResponseBase:
    """The value as JSON, or 304 where the asker has it already."""
    response = HttpResponse(_compact(value), content_type="application/json")
    etag = quote_etag(hashlib.sha256(response.content).hexdigest()[:32])
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    answer = get_conditional_response(request, etag=etag, response=response)
    assert isinstance(answer, HttpResponse)
    return answer


def _compact(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _place(duel_id: int, code: str) -> str:
    return f"here:{duel_id}:{code}"
