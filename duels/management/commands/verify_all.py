"""Verify all records of finished duels, replay all turns of running duels, and decrypt all seals.

Run this after restoring a backup. It lists all faults, and exits with code 1 if there are any.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from duels.commands import verification


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options: Any) -> None:
        done = verification.verify_all()
        for fault in done.faults:
            self.stdout.write(fault)
        if done.faults:
            raise CommandError(str(done))
        self.stdout.write(str(done))
