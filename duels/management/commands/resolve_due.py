"""Resolve every turn that is complete and send every mail that is due: what nudges have missed."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from duels import commands


class Command(BaseCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        swept = commands.sweep(now=timezone.now())
        # Called every minute, it speaks when there is something to say.
        if verbosity > 1 or swept != commands.Swept(0, 0, 0, 0, 0):
            self.stdout.write(str(swept))
