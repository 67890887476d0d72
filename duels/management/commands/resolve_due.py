"""Run a sweep, which resolves complete turns and does all other work that is due.

Afterwards, pair wizards who are open to duels. On a site without workers, also run `deliver_post`.
"""

from typing import Any

from django.conf import settings
from django.core.management import call_command

from duels.commands import sweeping
from duels.loaded.database_clock import database_now
from duels.matching import public as matching
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        swept = sweeping.sweep(now=database_now())
        # This runs every minute, so print a line only if something was done.
        if verbosity > 1 or swept != sweeping.SweepResult(0, 0, 0):
            self.stdout.write(str(swept))
        matching.pair_wizards(now=database_now())
        if settings.CELERY_TASK_ALWAYS_EAGER:
            call_command("deliver_post", verbosity=verbosity, stdout=self.stdout)
