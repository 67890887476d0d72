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
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from duels.caching.volatile import cache
from duels.models import LARGEST_DUEL

logger = logging.getLogger(__name__)

DIGEST_SECONDS: Final = (6, 10)  # random, so that timing does not reveal when others poll
VERSION_SECONDS: Final = 120  # longer than digests last or answers take
HERE_SECONDS: Final = 30  # longer than a page's pause between two polls
ON_SITE_SECONDS: Final = 60  # longer than any page's pause between two polls
HERE_AGAIN_SECONDS: Final = 10  # minimum time between writing the same seat's presence
PATIENCE_SECONDS: Final = 5  # do not retry a failed cache immediately
SEATS: Final = tuple(f"w{place}" for place in range(LARGEST_DUEL))

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class CachedPoll:
    """A duel's cached values, all read at the same time."""

    version: str  # "" if the duel has not changed for a while
    digest: str  # digest of the answer to the seat at this version, or ""
    seen_at: dict[str, float]  # when each seat's wizard last polled

    def other_viewers(self, seat: str) -> list[str]:
        """Return the seats of the other wizards who have the duel's page open."""
        return [code for code in self.seen_at if code != seat]


class _CacheBackoff:
    """The time before which this process does not try a failed cache again."""

    until = 0.0


def read_cached_poll(duel_id: int, seat: str) -> CachedPoll:
    """Return the cached values of this duel for a poll by this seat."""
    version_key, digest_key = _version_key(duel_id), _digest_key(duel_id, seat)
    here_keys = {_viewers_key(duel_id, code): code for code in SEATS}
    nothing: dict[str, Any] = {}
    found = _ask_cache(lambda: cache.get_many([version_key, digest_key, *here_keys]), nothing)
    version = found.get(version_key, "")
    digest_version, digest = found.get(digest_key, ["", ""])
    return CachedPoll(
        version=version,
        digest=digest if digest_version == version else "",
        seen_at={code: found[key] for key, code in here_keys.items() if key in found},
    )


def store_digest(duel_id: int, seat: str, version: str, digest: str) -> None:
    """Store the digest of an answer to this seat. `version` must be read before the database.

    If the duel changes after that, the digest belongs to an old version and is not used.
    """
    value, seconds = [version, digest], random.randint(*DIGEST_SECONDS)
    _ask_cache(lambda: cache.set(_digest_key(duel_id, seat), value, seconds), None)


def mark_viewing_duel(duel_id: int, seat: str, cached: CachedPoll) -> None:
    """Record that this seat's wizard has the duel's page open."""
    now = time.time()
    if now - cached.seen_at.get(seat, 0) > HERE_AGAIN_SECONDS:
        _ask_cache(lambda: cache.set(_viewers_key(duel_id, seat), now, HERE_SECONDS), None)


def mark_wizard_on_site(wizard_id: int) -> None:
    """Record that the wizard has a page of the site open."""
    _ask_cache(lambda: _mark_on_site(wizard_id), None)


def _mark_on_site(wizard_id: int) -> None:
    cache.set(_on_site_key(wizard_id), True, ON_SITE_SECONDS)
    minute = _minute()
    if cache.add(f"{_on_site_key(wizard_id)}:{minute}", True, 2 * ON_SITE_SECONDS):
        cache.add(_people_key(minute), 0, 2 * ON_SITE_SECONDS)
        cache.incr(_people_key(minute))


def is_wizard_on_site(wizard_id: int) -> bool:
    """Return whether the wizard has had a page of the site open within the last minute."""
    return _ask_cache(lambda: bool(cache.get(_on_site_key(wizard_id))), False)


def others_on_site(wizard_id: int | None) -> int:
    """Return how many other wizards have had a page of the site open within the last minute."""
    minute = _minute()
    keys = [_people_key(minute), _people_key(minute - 1)]
    people = max(_ask_cache(lambda: cache.get_many(keys), dict[str, int]()).values(), default=0)
    is_counted = wizard_id is not None and people > 0 and is_wizard_on_site(wizard_id)
    return people - is_counted


def mark_duel_changed_on_commit(duel_id: int) -> None:
    """Make every poll of the duel read the database again once this transaction is committed."""

    def give_new_version() -> None:
        version = secrets.token_hex(8)
        _ask_cache(lambda: cache.set(_version_key(duel_id), version, VERSION_SECONDS), None)

    transaction.on_commit(give_new_version, robust=True)


def poll_etag(duel_id: int, seat: str, digest: str, viewers: list[str], waiting: int) -> str:
    """Return the ETag of an answer to a seat, which nobody can know without that answer."""
    told = f"{duel_id}.{seat}.{digest}.{','.join(viewers)}.{waiting}"
    signature = salted_hmac("duels.poll", told, algorithm="sha256").hexdigest()[:32]
    return f"{seat or '-'}.{waiting}.{signature}"


def _ask_cache(query: Callable[[], Answer], default: Answer) -> Answer:
    """Return the cache's answer, or `default` if it fails. Do not wait for a failed cache each
    time."""
    if time.monotonic() < _CacheBackoff.until:
        return default
    try:
        return query()
    except RedisError as error:
        _CacheBackoff.until = time.monotonic() + PATIENCE_SECONDS
        logger.warning("The polling cache does not respond: %s", type(error).__name__)
        return default


def _version_key(duel_id: int) -> str:
    return f"poll-version:{duel_id}"


def _digest_key(duel_id: int, seat: str) -> str:
    return f"poll-digest:{duel_id}:{seat}"


def _viewers_key(duel_id: int, seat: str) -> str:
    return f"here:{duel_id}:{seat}"


def _on_site_key(wizard_id: int) -> str:
    return f"on-site:{wizard_id}"


def _minute() -> int:
    return int(time.time() // ON_SITE_SECONDS)


def _people_key(minute: int) -> str:
    return f"people:{minute}"
