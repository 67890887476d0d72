"""Cached answers to the polls of a duel.

If the answer to a poll has not changed, it comes from the cache, without reading the session, the
user or the database. For each seat, the cache contains the digest of the last answer and the
version of the duel that the answer shows. Every change to a duel gives it a new version after the
commit. If the new version is lost, the digest still expires after a few seconds, and the next poll
reads the database.

The ETag of an answer proves that a browser has received this answer, because it is an HMAC that
nobody else can create. The cache is optional: while it is down, every poll reads the database, and
nobody is shown as present.
"""

import logging
import random
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from duels.caching.volatile import cache
from duels.models import MAX_WIZARDS

logger = logging.getLogger(__name__)

DIGEST_SECONDS: Final = (6, 10)  # random, so that response times do not reveal when others poll
VERSION_SECONDS: Final = 120  # no digest is kept and no answer takes this long
PRESENCE_SECONDS: Final = 30  # longer than a page's pause between two polls
ON_SITE_SECONDS: Final = 60  # longer than any page's pause between two polls
AUDIENCE_SECONDS: Final = 100 * 24 * 3600  # lifetime of a duel's largest audience
MAX_WATCHED_DUELS: Final = 1_000  # maximum number of watched duels listed per minute
PRESENCE_INTERVAL_SECONDS: Final = 10  # minimum time between two records of a seat's presence
RETRY_AFTER_SECONDS: Final = 5  # time before a failed cache is tried again
WIZARDS_ON_SITE_KEY: Final = "people"
WATCHED_KEY: Final = "watched"
SEAT_CODES: Final = tuple(f"w{place}" for place in range(MAX_WIZARDS))

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class CachedPoll:
    """A duel's cached values, all read at the same time."""

    version: str  # "" if the duel has not changed for a while
    digest: str  # digest of the answer to the seat at this version, or ""
    seen_at: dict[str, float]  # when each seat's wizard last polled
    spectators: int = 0
    is_counted: bool = False  # whether this minute's count includes the polling spectator

    def other_viewers(self, seat: str) -> list[str]:
        """Return the seats of the other wizards who have the duel's page open."""
        return [code for code in self.seen_at if code != seat]


class _CacheBackoff:
    """The time until which this process does not retry a failed cache."""

    until = 0.0


def read_cached_poll(duel_id: int, seat: str, spectator: str = "") -> CachedPoll:
    """Return the cached values of this duel for a poll by this seat or spectator."""
    version_key, digest_key = _key("poll-version", duel_id), _key("poll-digest", duel_id, seat)
    here_keys = {_key("here", duel_id, code): code for code in SEAT_CODES}
    now, before = _count_keys(_key("spectators", duel_id))
    spectator_key = f"{now}:{spectator}"
    keys = [version_key, digest_key, *here_keys, now, before, spectator_key]
    nothing: dict[str, Any] = {}
    found = _query_cache(lambda: cache.get_many(keys), nothing)
    version = found.get(version_key, "")
    digest_version, digest = found.get(digest_key, ["", ""])
    return CachedPoll(
        version=version,
        digest=digest if digest_version == version else "",
        seen_at={code: found[key] for key, code in here_keys.items() if key in found},
        spectators=max(found.get(now, 0), found.get(before, 0)),
        is_counted=spectator_key in found,
    )


def store_digest(duel_id: int, seat: str, version: str, digest: str) -> None:
    """Store the digest of an answer to this seat.

    Callers must read `version` before they read the database. If the duel changes after that, the
    digest belongs to an old version and is not used.
    """
    value, seconds = [version, digest], random.randint(*DIGEST_SECONDS)
    _query_cache(lambda: cache.set(_key("poll-digest", duel_id, seat), value, seconds), None)


def mark_viewing_duel(duel_id: int, seat: str, cached: CachedPoll) -> None:
    """Record that this seat's wizard has the duel's page open."""
    now = time.time()
    if now - cached.seen_at.get(seat, 0) > PRESENCE_INTERVAL_SECONDS:
        _query_cache(lambda: cache.set(_key("here", duel_id, seat), now, PRESENCE_SECONDS), None)


# Spectators: everyone who has a duel's page open but is not in the duel


def spectator_mark(identity: str) -> str:
    """Return an anonymous mark that identifies a spectator, so that they are counted once."""
    return salted_hmac("duels.spectator", identity, algorithm="sha256").hexdigest()[:16]


def count_spectator(duel_id: int, spectator: str, cached: CachedPoll) -> int:
    """Count a spectator who has the page open, and return the number of spectators."""
    if cached.is_counted:
        return cached.spectators
    number = _query_cache(lambda: _count_spectator(duel_id, spectator), 0)
    return max(cached.spectators, number)


def _count_spectator(duel_id: int, spectator: str) -> int:
    number = _count_once(_key("spectators", duel_id), spectator)
    if number == 1:
        place = _count_once(WATCHED_KEY, str(duel_id))
        cache.set(f"{_count_keys(WATCHED_KEY)[0]}@{place}", duel_id, 2 * ON_SITE_SECONDS)
    if number > cache.get(_key("audience", duel_id), 0):
        cache.set(_key("audience", duel_id), number, AUDIENCE_SECONDS)
    return number


def spectator_counts(duel_ids: Iterable[int]) -> dict[int, int]:
    """Return the numbers of spectators of these duels, without duels that have none."""
    keys = {duel: _count_keys(_key("spectators", duel)) for duel in duel_ids}
    every = [key for each in keys.values() for key in each]
    found = _query_cache(lambda: cache.get_many(every), dict[str, int]())
    counts = {duel: max(found.get(key, 0) for key in each) for duel, each in keys.items()}
    return {duel: number for duel, number in counts.items() if number}


def watched_duels() -> dict[int, int]:
    """Return the number of spectators of every duel that has spectators."""
    keys = _count_keys(WATCHED_KEY)
    numbers = _query_cache(lambda: cache.get_many(keys), dict[str, int]())
    places = [
        f"{key}@{place + 1}"
        for key, number in numbers.items()
        for place in range(min(number, MAX_WATCHED_DUELS))
    ]
    return spectator_counts(_query_cache(lambda: set(cache.get_many(places).values()), set[int]()))


def largest_audience(duel_id: int) -> int:
    """Return the largest number of spectators that the duel has had at the same time."""
    return _query_cache(lambda: int(cache.get(_key("audience", duel_id), 0)), 0)


def mark_wizard_on_site(wizard_id: int) -> None:
    """Record that the wizard has a page on the site open."""

    def mark() -> None:
        cache.set(_key("on-site", wizard_id), True, ON_SITE_SECONDS)
        _count_once(WIZARDS_ON_SITE_KEY, str(wizard_id))

    _query_cache(mark, None)


def is_wizard_on_site(wizard_id: int) -> bool:
    """Return whether the wizard has had a page on the site open within the last minute."""
    return _query_cache(lambda: bool(cache.get(_key("on-site", wizard_id))), False)


def others_on_site(wizard_id: int | None) -> int:
    """Return how many other wizards have had a page on the site open within the last minute."""
    minutes = {key: f"{key}:{wizard_id}" for key in _count_keys(WIZARDS_ON_SITE_KEY)}
    keys = [*minutes, *minutes.values()]
    found = _query_cache(lambda: cache.get_many(keys), dict[str, int]())
    return max(found.get(key, 0) - (own in found) for key, own in minutes.items())


def forget_wizard_on_site(wizard_id: int) -> None:
    """Stop counting a wizard who no longer exists, such as a guest who has signed up."""

    def forget() -> None:
        cache.delete(_key("on-site", wizard_id))
        for key in _count_keys(WIZARDS_ON_SITE_KEY):
            if cache.delete(f"{key}:{wizard_id}"):
                cache.decr(key)

    _query_cache(forget, None)


def mark_duel_changed_on_commit(duel_id: int) -> None:
    """Make every poll of the duel read the database again once this transaction is committed."""

    def give_new_version() -> None:
        version = secrets.token_hex(8)
        _query_cache(
            lambda: cache.set(_key("poll-version", duel_id), version, VERSION_SECONDS), None
        )

    transaction.on_commit(give_new_version, robust=True)


def recently_changed_duels(duel_ids: Iterable[int]) -> set[int] | None:
    """Return which of these duels have changed within `VERSION_SECONDS`, or None without a cache.

    A change is missing if its process died, or if the cache failed, just after the commit.
    """
    keys = {_key("poll-version", duel): duel for duel in duel_ids}
    found = _query_cache(lambda: cache.get_many(keys), None)
    return None if found is None else {keys[key] for key in found}


def poll_etag(
    duel_id: int, reader: str, digest: str, viewers: list[str], waiting: int, spectators: int
) -> str:
    """Return the ETag of a response, which only browsers that received the response can know.

    `reader` is a seat, or "-" followed by the spectator's mark, if any.
    """
    told = f"{duel_id}.{reader}.{digest}.{','.join(viewers)}.{waiting}.{spectators}"
    signature = salted_hmac("duels.poll", told, algorithm="sha256").hexdigest()[:32]
    return f"{reader}.{waiting}.{signature}"


def _query_cache(query: Callable[[], Answer], default: Answer) -> Answer:
    """Query the cache. Return `default` if the cache fails, or failed a few seconds ago."""
    if time.monotonic() < _CacheBackoff.until:
        return default
    try:
        return query()
    except RedisError as error:
        _CacheBackoff.until = time.monotonic() + RETRY_AFTER_SECONDS
        logger.warning("The polling cache does not respond: %s", type(error).__name__)
        return default


def _key(kind: str, *ids: object) -> str:
    return ":".join(map(str, (kind, *ids)))


def _count_once(key: str, member: str) -> int:
    """Add a member to this minute's count. Return the new count, or 0 if they are already in it."""
    now, _ = _count_keys(key)
    if not cache.add(f"{now}:{member}", True, 2 * ON_SITE_SECONDS):
        return 0
    cache.add(now, 0, 2 * ON_SITE_SECONDS)
    return cache.incr(now)


def _count_keys(key: str) -> tuple[str, str]:
    """Return the cache keys of the counts for this minute and the previous one."""
    minute = int(time.time() // ON_SITE_SECONDS)
    return f"{key}:{minute}", f"{key}:{minute - 1}"
