"""Send every mail and notification that is due, queue again what a dead worker held, delete what is
old, tell the operators of alarms."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from duels import commands
from duels.outbox import Round
from duels.post import public as post
from duels.push import public as push


class Command(BaseCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        delivered = post.deliver_due()
        # Called every minute, it speaks when there is something to say.
        if verbosity > 1 or delivered != Round(0, 0, 0):
            self.stdout.write(f"mails {delivered}")
        commands.tell_operators(now=timezone.now())
        shown = push.deliver_due()
        if (verbosity > 1 and push.is_on()) or shown != Round(0, 0, 0):
            self.stdout.write(f"notifications {shown}")
