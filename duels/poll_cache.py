"""What the polls of a duel were last told, kept in the cache: who asks again and would be told the
same is answered from it, without session, user or database.

For each seat there is the digest of what it was told, and the duel's version at which that was
read. Whatever changes a duel gives it a new version once it is committed. Should that get lost, a
digest is forgotten after some seconds all the same, and the database is asked.

Whoever holds the ETag of an answer was given that answer: it is an HMAC that nobody else can make.
The cache is a courtesy. Where it does not answer every poll asks the database, and nobody is here.
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

DIGEST_SECONDS: Final = (6, 10)  # at random between: no pattern tells what was asked anew, and why
VERSION_SECONDS: Final = 120  # longer than any digest, and any answer on its way, lasts
HERE_SECONDS: Final = 30  # longer than the pause between two polls of somebody who is here
ON_SITE_SECONDS: Final = 60  # longer than the pause of any page that somebody looks at
HERE_AGAIN_SECONDS: Final = 10  # so fresh a sign of presence is not written again
PATIENCE_SECONDS: Final = 5  # a cache that has failed is not waited for again so soon
SEATS: Final = tuple(f"w{place}" for place in range(LARGEST_DUEL))

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class CachedPoll:
    """What the cache has of a duel, read at one instant."""

    version: str  # "" where nothing has changed for a while
    digest: str  # of what the seat was told at this version; "" if that is not known
    seen_at: dict[str, float]  # by seat: when its wizard was last here

    def others_here(self, seat: str) -> list[str]:
        """Which other wizards of the duel have its page open."""
        return [code for code in self.seen_at if code != seat]


class _CacheBackoff:
    """Until when a cache that has failed is left alone by this process."""

    until = 0.0


def read(duel_id: int, seat: str) -> CachedPoll:
    """What is known of this duel, and of what this seat was last told."""
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
    """The seat was told this. `version`: as it was before the database was asked.

    Had the duel changed since, the digest would be of a version that is no more, and not be used.
    """
    value, seconds = [version, digest], random.randint(*DIGEST_SECONDS)
    _asked(lambda: cache.set(_digest_key(duel_id, seat), value, seconds), None)


def mark_here(duel_id: int, seat: str, cached: CachedPoll) -> None:
    """The wizard of this seat is at the page of the duel."""
    now = time.time()
    if now - cached.seen_at.get(seat, 0) > HERE_AGAIN_SECONDS:
        _asked(lambda: cache.set(_here_key(duel_id, seat), now, HERE_SECONDS), None)


def mark_on_site(wizard_id: int) -> None:
    """The wizard looks at some page of the site."""
    _asked(lambda: cache.set(_on_site_key(wizard_id), True, ON_SITE_SECONDS), None)


def is_on_site(wizard_id: int) -> bool:
    """Whether the wizard has looked at some page of the site just now."""
    return _asked(lambda: bool(cache.get(_on_site_key(wizard_id))), False)


def mark_changed_on_commit(duel_id: int) -> None:
    """When this transaction is committed, every poll of the duel asks the database again."""

    def give_new_version() -> None:
        version = secrets.token_hex(8)
        _asked(lambda: cache.set(_version_key(duel_id), version, VERSION_SECONDS), None)

    transaction.on_commit(give_new_version, robust=True)


def etag_of(duel_id: int, seat: str, digest: str, here: list[str], waiting: int) -> str:
    """The ETag of what a seat is told: nobody can make it who was not told just that."""
    told = f"{duel_id}.{seat}.{digest}.{','.join(here)}.{waiting}"
    signature = salted_hmac("duels.poll", told, algorithm="sha256").hexdigest()[:32]
    return f"{seat or '-'}.{waiting}.{signature}"


def _asked(ask: Callable[[], Answer], otherwise: Answer) -> Answer:
    """What the cache says; `otherwise` while it does not answer. It is not waited for each time."""
    if time.monotonic() < _CacheBackoff.until:
        return otherwise
    try:
        return ask()
    except RedisError as error:
        _CacheBackoff.until = time.monotonic() + PATIENCE_SECONDS
        logger.warning("The cache of polls does not answer: %s", type(error).__name__)
        return otherwise


def _version_key(duel_id: int) -> str:
    return f"poll-version:{duel_id}"


def _digest_key(duel_id: int, seat: str) -> str:
    return f"poll-digest:{duel_id}:{seat}"


def _here_key(duel_id: int, seat: str) -> str:
    return f"here:{duel_id}:{seat}"


def _on_site_key(wizard_id: int) -> str:
    return f"on-site:{wizard_id}"
