"""Times of the last sweep and the last outage."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models

# Sweeps run every minute. A few missing sweeps are not an outage.
LONGEST_SILENCE = timedelta(minutes=10)


class Outage(NamedTuple):
    """A period without sweeps, during which players may have been unable to reach the site."""

    since: datetime
    until: datetime


class LastSweep(models.Model):
    """The last sweep and the last outage, in one row that exists from the first sweep on."""

    began_at = models.DateTimeField()
    outage_since = models.DateTimeField(null=True)
    outage_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"the sweep of {self.began_at}"

    @property
    def outage(self) -> Outage | None:
        """The last outage, however long ago, or None."""
        if self.outage_since is None or self.outage_until is None:
            return None
        return Outage(self.outage_since, self.outage_until)
