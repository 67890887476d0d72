"""The view for pictures of the history grid, which link previews show.

Anyone who may see the duel may see its pictures, and these show only what a spectator may see. A
picture depends only on the moment it shows, so it is painted once and cached. Browsers that already
have the picture get a 304 before any expensive query.
"""

import logging
from base64 import b64decode, b64encode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.text import capfirst
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

import engine.words
from duels.caching.volatile import cache
from duels.loaded import adjudication
from duels.models import Duel, Visibility
from duels.pictures import painting
from duels.pictures.scene import Scene, scene_of
from duels.queries import lists
from duels.queries.pictures import PictureMoment, picture_content, picture_moment
from duels.requests.access import duel_or_404
from duels.screens.parts.headlines import headline
from duels.screens.parts.outcomes import outcome_words
from duels.screens.parts.sharing import picture_key, short_duellists_text
from duels.sign_in.guests import wizard_of

CACHE_SECONDS = 24 * 3600  # seconds for which a painted picture is cached
DAY, MINUTE, YEAR = 24 * 3600, 60, 365 * 24 * 3600

logger = logging.getLogger(__name__)


@require_safe
def picture(request: HttpRequest, duel_id: int, ordinal: int | None = None) -> HttpResponseBase:
    """Return a picture of the state after this turn, by default of the current state."""
    # For a public duel, do not read the session. Otherwise caches could not store the response.
    found = lists.visible_duel(duel_id, None) or duel_or_404(duel_id, wizard_of(request))
    at = picture_moment(found, ordinal)
    if at is None:
        raise Http404("There is no such picture.")
    key = picture_key(at)
    etag = f'"{key}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = HttpResponse(_picture_bytes(found, at, key), content_type="image/png")
    answer["ETag"] = etag
    is_named = request.GET.get("v") == key
    answer["Cache-Control"] = _cache_control(
        found, at, is_named=is_named, is_past=ordinal is not None
    )
    return answer


def _cache_control(duel: Duel, moment: PictureMoment, *, is_named: bool, is_past: bool) -> str:
    """Return the Cache-Control header.

    A picture never changes if its address contains the key of its contents. Caches must not store
    pictures of private duels.
    """
    if duel.visibility != Visibility.PUBLIC:
        return "private, no-store"
    if is_named:
        return f"public, max-age={YEAR}, immutable"
    return f"public, max-age={DAY if is_past and moment.is_open else MINUTE}"


def _picture_bytes(duel: Duel, moment: PictureMoment, key: str) -> bytes:
    """Return the picture from the cache, or paint it and cache it if possible."""
    name = f"picture:{key}"
    try:
        kept = cache.get(name)
        if isinstance(kept, str):
            return b64decode(kept)
    except RedisError as error:
        logger.warning("The picture cache does not respond: %s", error)
        return painting.paint_scene(scene(duel, moment))
    painted = painting.paint_scene(scene(duel, moment))
    cache.set(name, b64encode(painted).decode(), CACHE_SECONDS)
    return painted


def scene(duel: Duel, moment: PictureMoment) -> Scene:
    view, report = picture_content(duel, moment)
    rules = f"rules of {adjudication.ruleset_label(duel)}"
    codes = [wizard.id for wizard in view.wizards]
    outcome = (
        outcome_words(duel, dict(zip(codes, moment.names, strict=True))) if moment.is_end else ""
    )
    if report is None or not moment.ordinal:
        words = "Before turn 1"
    else:
        words = capfirst(engine.words.turn_name(duel.ruleset, report.kind, report.number))
    return scene_of(
        view,
        title=short_duellists_text(moment.names),
        place=f"{words} · {rules}",
        headline=headline(report, outcome),
    )
