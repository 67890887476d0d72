"""The choice of duels whose messages a round compares: those that may have changed.

If there is a shared cache, a round reads only duels that have had a new version for polls since the
last round, and duels without a message. Versions can be lost, and neither a wizard's new name nor a
webhook that is turned on again causes one, so every ten minutes a round reads all duels. The first
round after a pause does so too.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from redis.exceptions import RedisError

from duels.caching import poll_cache
from duels.caching.volatile import cache

ROUNDS_KEY: Final = "webhook-rounds"
MAX_PAUSE_SECONDS: Final = poll_cache.VERSION_SECONDS - 10  # so that no version expires unread
READ_ALL_SECONDS: Final = 600


class WebhookDuel(NamedTuple):
    """The keys of a webhook and of one of its duels, and whether there is a message about it."""

    webhook: int
    service: str
    duel: int
    has_message: bool


def select_possibly_changed(
    pairs: Sequence[WebhookDuel], now: datetime
) -> tuple[Sequence[WebhookDuel], bool]:
    """Return the pairs whose message may be missing or outdated, and whether that is all pairs."""
    if not settings.CACHE_URL or _must_read_all(now):
        return pairs, True
    changed = poll_cache.recently_changed_duels({pair.duel for pair in pairs if pair.has_message})
    if changed is None:
        return pairs, True
    return [pair for pair in pairs if not pair.has_message or pair.duel in changed], False


def record_round(began_at: datetime, *, is_all: bool) -> None:
    """Record that a round has compared all selected pairs, or even all pairs (`is_all`)."""
    try:
        _, all_read_at = cache.get(ROUNDS_KEY, (0, 0))
        moment = began_at.timestamp()
        seconds = max(MAX_PAUSE_SECONDS, READ_ALL_SECONDS)
        cache.set(ROUNDS_KEY, (moment, moment if is_all else all_read_at), seconds)
    except RedisError:  # the next round reads all duels
        return


def _must_read_all(now: datetime) -> bool:
    try:
        last, all_read_at = map(float, cache.get(ROUNDS_KEY, (0, 0)))
    except RedisError:
        return True
    moment = now.timestamp()
    return moment - last > MAX_PAUSE_SECONDS or moment - all_read_at >= READ_ALL_SECONDS
