"""Resolve every turn that is complete: what nudges have missed. Without workers for it, the post's
round comes after that: see `deliver_post`."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from duels import commands


class Command(BaseCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        swept = commands.sweep(now=timezone.now())
        # Called every minute, it speaks when there is something to say.
        if verbosity > 1 or swept != commands.SweepResult(0, 0, 0):
            self.stdout.write(str(swept))
        if settings.CELERY_TASK_ALWAYS_EAGER:
            call_command("deliver_post", verbosity=verbosity, stdout=self.stdout)
