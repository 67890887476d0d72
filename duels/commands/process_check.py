"""A check that compares a process's keys and clock with the site's, at the start and every hour.

A process with the wrong keys cannot read orders that other processes have sealed, and a process
with a wrong clock handles deadlines too early or too late. Neither may act for the site. The
database stores the fingerprints of the site's keys, and its clock is the site's clock.
"""

import hashlib
import logging
import socket
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, transaction

from duels.commands.alarms import end_alarm, raise_alarm
from duels.loaded import database_clock
from duels.models import AlarmKind, KeyPurpose, SiteKey
from duels.models.site import MAX_ABOUT_LENGTH

logger = logging.getLogger(__name__)

MAX_CLOCK_DIFFERENCE = timedelta(seconds=30)
RECHECK_SECONDS = 3600


class UnfitProcess(Exception):
    """Error in a process that must not act for the site, with the reason and the remedy."""


class _Process:
    """State of this process. Shells and tests have no name, and are not checked."""

    name = ""
    next_check = 0.0  # time of the next check, on the monotonic clock


def register_process(name: str) -> None:
    _Process.name = f"{name} on {socket.gethostname()}"[:MAX_ABOUT_LENGTH]
    _Process.next_check = 0.0


def recheck_process_hourly() -> None:
    """Check this process again if an hour has passed. Raise `UnfitProcess` if the check fails.

    If the database is unavailable, skip the check, because the process cannot then do any harm.
    """
    if not _Process.name or time.monotonic() < _Process.next_check:
        return
    try:
        check_process()
    except DatabaseError as error:
        logger.warning("Keys and clock could not be compared: %s", type(error).__name__)


def check_process() -> None:
    """Compare this process's keys and clock with the site's. Raise an alarm and `UnfitProcess`."""
    ahead = database_clock.measure_clock_difference()
    now = database_clock.site_now()
    faults = {AlarmKind.CLOCK: _clock_fault(ahead), AlarmKind.KEYS: _key_fault(now)}
    for kind, fault in faults.items():
        if fault:
            raise_alarm(kind, _Process.name, fault, now)
        else:
            end_alarm(kind, _Process.name, now)
    if any(faults.values()):
        raise UnfitProcess(" ".join(fault for fault in faults.values() if fault))
    _Process.next_check = time.monotonic() + RECHECK_SECONDS


def lacks_site_key(now: datetime) -> bool:
    """Return whether this process lacks a key that other processes encrypt with.

    If so, raise an alarm about the process. Turns that only this process cannot read are not marked
    as failed.
    """
    known = SiteKey.objects.filter(purpose=KeyPurpose.SEALS).first()
    if known is None or known.fingerprint in _own_key_fingerprints()[KeyPurpose.SEALS]:
        return False
    raise_alarm(AlarmKind.KEYS, _Process.name or "a process", _missing_key_text(known), now)
    return True


def missing_keys() -> list[str]:
    """Return a message about each of the site's keys that this process lacks."""
    own = _own_key_fingerprints()
    return [
        _missing_key_text(known)
        for known in SiteKey.objects.order_by("purpose")
        if known.fingerprint not in own[KeyPurpose(known.purpose)]
    ]


def accept_keys(*, now: datetime) -> None:
    """Replace the site's keys, which are lost, with this process's keys."""
    for purpose, own in _own_key_fingerprints().items():
        SiteKey.objects.update_or_create(
            purpose=purpose, defaults={"fingerprint": own[0], "earlier": [], "noted_at": now}
        )


def key_fingerprint(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _own_key_fingerprints() -> dict[KeyPurpose, list[str]]:
    """Return the fingerprints of this process's keys, newest first."""
    return {
        KeyPurpose.SEALS: [key_fingerprint(key) for key in settings.SEAL_KEYS],
        KeyPurpose.LINKS: [key_fingerprint(f"SECRET_KEY {settings.SECRET_KEY}")],
    }


def _clock_fault(ahead: timedelta) -> str:
    if abs(ahead) <= MAX_CLOCK_DIFFERENCE:
        return ""
    side = "ahead of" if ahead > timedelta(0) else "behind"
    return (
        f"The clock of this machine is {abs(ahead).total_seconds():.0f} seconds {side} the "
        "database’s clock. Correct it, for example with NTP, and start the process again."
    )


@transaction.atomic
def _key_fault(now: datetime) -> str:
    """Return a message if this process lacks one of the site's keys, otherwise "". If it has a
    newer key, record that as the site's key."""
    for purpose, own in _own_key_fingerprints().items():
        defaults = {"fingerprint": own[0], "noted_at": now}
        known, _ = SiteKey.objects.select_for_update().get_or_create(
            purpose=purpose, defaults=defaults
        )
        if known.fingerprint not in own:
            return _missing_key_text(known)
        if known.fingerprint != own[0] and own[0] not in known.earlier:
            known.earlier = [*known.earlier, known.fingerprint]
            known.fingerprint, known.noted_at = own[0], now
            known.save()
    return ""


def _missing_key_text(known_key: SiteKey) -> str:
    lost = "If the right key is lost, run `manage.py accept_keys` with the new one."
    if known_key.purpose == KeyPurpose.LINKS:
        return (
            "SECRET_KEY of this process differs from that of the other processes, so their links "
            "and sessions are not valid here. Set it to the value that they use, and start this "
            f"process again. {lost}"
        )
    return (
        f"SEAL_KEYS of this process does not contain the key {known_key.fingerprint[:8]} that "
        "the other processes encrypt with, so it cannot read sealed orders. Set it to the value "
        f"that they use, and start this process again. {lost}"
    )
