"""Send all emails, push notifications and webhook messages that are due.

Also requeue messages whose worker has died, delete old ones, and email alarms to the operators.
"""

from typing import Any

from duels.commands import alarms
from duels.delivery.outbox import RoundCounts
from duels.loaded.database_clock import database_now
from duels.post import public as post
from duels.push import public as push
from duels.webhooks import public as webhooks
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        delivered = post.deliver_due()
        # This runs every minute, so print a line only if something was done.
        if verbosity > 1 or delivered != RoundCounts(0, 0, 0):
            self.stdout.write(f"emails: {delivered}")
        alarms.email_alarms(now=database_now())
        shown = push.deliver_due()
        if (verbosity > 1 and push.is_configured()) or shown != RoundCounts(0, 0, 0):
            self.stdout.write(f"notifications: {shown}")
        posted = webhooks.deliver_due()
        if verbosity > 1 or posted != RoundCounts(0, 0, 0):
            self.stdout.write(f"webhooks: {posted}")
