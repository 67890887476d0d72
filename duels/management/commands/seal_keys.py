"""List the data and the running duels that still need each of SEAL_KEYS.

The keys themselves are not shown, only the first digits of their SHA-256.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from duels.commands import key_renewal, process_check

MAX_NAMED_DUELS = 20


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options: Any) -> None:
        uses = key_renewal.usage_by_key()
        for place, key in enumerate(settings.SEAL_KEYS):
            name = process_check.key_fingerprint(key)[:8]
            role = "the newest, encrypts" if place == 0 else "only decrypts"
            self.stdout.write(f"key {place + 1} ({name}, {role}): {_use_text(uses[place])}")
            if place and not uses[place].is_needed:
                self.stdout.write("  not needed any longer: you can remove it")
        lost = uses[key_renewal.NO_KEY]
        self.stdout.write(f"missing keys: {_use_text(lost)}")
        if any(use.is_needed for place, use in uses.items() if place):
            self.stdout.write("`manage.py renew_seals` re-encrypts everything with the newest key.")


def _use_text(use: key_renewal.KeyUsage) -> str:
    if not use.duels:
        return str(use)
    named = [str(duel_id) for duel_id in sorted(use.duels)[:MAX_NAMED_DUELS]]
    more = len(use.duels) - len(named)
    return f"{use}; running duels {', '.join(named)}{f' and {more} more' if more else ''}"
