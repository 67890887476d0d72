"""Choose the duel of the day if there is none yet and a recent duel is good enough.

Celery beat does this every night. Use this command on a site without Celery.
"""

from typing import Any

from duels.archive.commands import choose_daily_duel
from duels.loaded.database_clock import site_now
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        chosen = choose_daily_duel(site_now())
        if verbosity:
            self.stdout.write(chosen.reason if chosen else "No duel is good enough.")
