"""Run a sweep, which resolves complete turns and does all other due work that lost tasks left
undone.

Also pair the wizards who are open to duels. Without workers, run `deliver_post` after it.
"""

from typing import Any

from django.conf import settings
from django.core.management import call_command

from duels.commands import sweeping
from duels.loaded.database_clock import database_now
from duels.matching import public as matching
from spellcaster.starting import ActingCommand


class Command(ActingCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        swept = sweeping.sweep(now=database_now())
        # This runs every minute, so it prints a line only if it did something.
        if verbosity > 1 or swept != sweeping.SweepResult(0, 0, 0):
            self.stdout.write(str(swept))
        matching.pair_wizards(now=database_now())
        if settings.CELERY_TASK_ALWAYS_EAGER:
            call_command("deliver_post", verbosity=verbosity, stdout=self.stdout)
