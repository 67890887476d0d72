"""Re-encrypt all encrypted data with the newest of SEAL_KEYS, so that older keys can be removed.

The site can keep running. If the command is interrupted, run it again. `seal_keys` shows which keys
are still needed.
"""

from collections import Counter
from typing import Any

from django.core.management.base import CommandError

from duels.commands import key_renewal
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        renewed: Counter[str] = Counter()
        unreadable: Counter[str] = Counter()
        for words, changed, kept in key_renewal.renew_keys():
            renewed[words] += changed
            unreadable[words] += kept
        done = ", ".join(f"{words} {count}" for words, count in renewed.items() if count)
        if verbosity:
            self.stdout.write(f"re-encrypted: {done or 'nothing'}")
        lost = ", ".join(f"{words} {count}" for words, count in unreadable.items() if count)
        if lost:
            raise CommandError(f"No key in SEAL_KEYS can decrypt {lost}. They were not changed.")
