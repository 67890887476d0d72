"""When the clock was last looked at."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models

# Sweeps come every minute; nobody need miss a few to have been away.
LONGEST_SILENCE = timedelta(minutes=10)


class Outage(NamedTuple):
    """A time in which no sweep ran: the site stood still, and nobody may have reached it."""

    since: datetime
    until: datetime


class LastSweep(models.Model):
    """The last sweep, and the last outage. There is one row, from the first sweep on."""

    began_at = models.DateTimeField()
    outage_since = models.DateTimeField(null=True)
    outage_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"the sweep of {self.began_at}"

    @property
    def outage(self) -> Outage | None:
        """The last one, however long ago it was."""
        if self.outage_since is None or self.outage_until is None:
            return None
        return Outage(self.outage_since, self.outage_until)
