"""Cached answers to the polls of a duel.

A repeated poll whose answer has not changed is answered from the cache, without session, user or
database. For each seat, the cache contains the digest of its last answer and the duel's version at
which it was read. Every change of a duel gives it a new version after the commit. If that is lost,
a digest still expires after some seconds, and the database is asked.

The ETag of an answer proves that its holder received that answer: it is an HMAC that no one else
can make. The cache is optional. While it does not answer, every poll asks the database, and nobody
is shown as present.
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

from duels.models import LARGEST_DUEL
from duels.volatile import cache

logger = logging.getLogger(__name__)

DIGEST_SECONDS: Final = (6, 10)  # random in between, so that timing reveals nothing about new reads
VERSION_SECONDS: Final = 120  # longer than any digest, and any answer in transit, lasts
HERE_SECONDS: Final = 30  # longer than the pause between two polls of someone who is here
ON_SITE_SECONDS: Final = 60  # longer than the polling pause of any page
HERE_AGAIN_SECONDS: Final = 10  # a more recent sign of presence is not written again
PATIENCE_SECONDS: Final = 5  # do not retry a failed cache immediately
SEATS: Final = tuple(f"w{place}" for place in range(LARGEST_DUEL))

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class CachedPoll:
    """The cached values of a duel, read at one instant."""

    version: str  # "" if nothing has changed for a while
    digest: str  # of the seat's answer at this version; "" if unknown
    seen_at: dict[str, float]  # by seat: when its wizard was last here

    def others_here(self, seat: str) -> list[str]:
        """Return the other wizards of the duel who have its page open."""
        return [code for code in self.seen_at if code != seat]


class _CacheBackoff:
    """The time until which this process does not try a failed cache again."""

    until = 0.0


def read(duel_id: int, seat: str) -> CachedPoll:
    """Return the cached values of this duel, with the last answer to this seat."""
    version_key, digest_key = _version_key(duel_id), _digest_key(duel_id, seat)
    here_keys = {_here_key(duel_id, code): code for code in SEATS}
    nothing: dict[str, Any] = {}
    found = _asked(lambda: cache.get_many([version_key, digest_key, *here_keys]), nothing)
    version = found.get(version_key, "")
    digest_version, digest = found.get(digest_key, ["", ""])
    return CachedPoll(
        version=version,
        digest=digest if digest_version == version else "",
        seen_at={code: found[key] for key, code in here_keys.items() if key in found},
    )


def keep_digest(duel_id: int, seat: str, version: str, digest: str) -> None:
    """Store the digest of an answer to the seat. Read `version` before querying the database.

    If the duel has changed since, the digest belongs to an old version and is not used.
    """
    value, seconds = [version, digest], random.randint(*DIGEST_SECONDS)
    _asked(lambda: cache.set(_digest_key(duel_id, seat), value, seconds), None)


def mark_here(duel_id: int, seat: str, cached: CachedPoll) -> None:
    """Record that the wizard of this seat has the page of the duel open."""
    now = time.time()
    if now - cached.seen_at.get(seat, 0) > HERE_AGAIN_SECONDS:
        _asked(lambda: cache.set(_here_key(duel_id, seat), now, HERE_SECONDS), None)


def mark_on_site(wizard_id: int) -> None:
    """Record that the wizard has some page of the site open."""
    _asked(lambda: cache.set(_on_site_key(wizard_id), True, ON_SITE_SECONDS), None)


def is_on_site(wizard_id: int) -> bool:
    """Return whether the wizard has just looked at some page of the site."""
    return _asked(lambda: bool(cache.get(_on_site_key(wizard_id))), False)


def mark_changed_on_commit(duel_id: int) -> None:
    """When this transaction is committed, make every poll of the duel ask the database again."""

    def give_new_version() -> None:
        version = secrets.token_hex(8)
        _asked(lambda: cache.set(_version_key(duel_id), version, VERSION_SECONDS), None)

    transaction.on_commit(give_new_version, robust=True)


def etag_of(duel_id: int, seat: str, digest: str, here: list[str], waiting: int) -> str:
    """Return the ETag of an answer to a seat. Only someone who received that answer can know it."""
    told = f"{duel_id}.{seat}.{digest}.{','.join(here)}.{waiting}"
    signature = salted_hmac("duels.poll", told, algorithm="sha256").hexdigest()[:32]
    return f"{seat or '-'}.{waiting}.{signature}"


def _asked(ask: Callable[[], Answer], otherwise: Answer) -> Answer:
    """Return the cache's answer, or `otherwise` while it fails, without waiting each time."""
    if time.monotonic() < _CacheBackoff.until:
        return otherwise
    try:
        return ask()
    except RedisError as error:
        _CacheBackoff.until = time.monotonic() + PATIENCE_SECONDS
        logger.warning("The polling cache does not respond: %s", type(error).__name__)
        return otherwise


def _version_key(duel_id: int) -> str:
    return f"poll-version:{duel_id}"


def _digest_key(duel_id: int, seat: str) -> str:
    return f"poll-digest:{duel_id}:{seat}"


def _here_key(duel_id: int, seat: str) -> str:
    return f"here:{duel_id}:{seat}"


def _on_site_key(wizard_id: int) -> str:
    return f"on-site:{wizard_id}"
