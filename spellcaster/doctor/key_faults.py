"""Checks of the keys that encrypt stored data, and of those that sign links and notifications."""

from collections.abc import Iterator

from django.apps import apps

from duels.commands import key_renewal, process_check
from duels.push import public as push
from spellcaster.doctor.problems import Problem


def seal_key_faults() -> Iterator[Problem]:
    for text in process_check.missing_keys():
        yield Problem(text, "Give this process the environment of the other processes.")
    uses = key_renewal.usage_by_key()
    lost = uses.pop(key_renewal.NO_KEY)
    if lost.is_needed:
        duels = f"; {len(lost.duels)} running duels need it" if lost.duels else ""
        yield Problem(
            f"SEAL_KEYS lacks a key that encrypts stored data ({lost}{duels}).",
            "Put the key back into SEAL_KEYS, after the newest one, and restart all processes. "
            "`manage.py seal_keys` lists the duels.",
        )
    for place, use in uses.items():
        if place and not use.is_needed:
            yield Problem(
                f"Key {place + 1} of SEAL_KEYS does not encrypt any data now.",
                "Remove it from SEAL_KEYS, and restart all processes.",
            )


def push_key_faults() -> Iterator[Problem]:
    """Yield a problem if the key for notifications is missing. `checks.py` finds invalid keys."""
    if push.is_configured():
        return
    if devices := apps.get_model("push", "PushSubscription")._default_manager.count():
        yield Problem(
            f"{devices} devices have turned on notifications, but VAPID_PRIVATE_KEY and "
            "VAPID_CONTACT are not set, so they do not get any.",
            "Set both to their earlier values, and restart all processes. If the key is lost, "
            "`manage.py make_push_keys` makes a new one. Players must then turn on notifications "
            "again.",
        )
