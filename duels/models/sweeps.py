"""Model for the times of the last sweep and the last outage."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models

# Sweeps run every minute. A longer gap counts as an outage.
LONGEST_SILENCE = timedelta(minutes=10)


class Outage(NamedTuple):
    """A period without sweeps, during which players may have been unable to reach the site."""

    since: datetime
    until: datetime


class LastSweep(models.Model):
    """The last sweep and the last outage. The first sweep creates the only row."""

    began_at = models.DateTimeField()
    outage_since = models.DateTimeField(null=True)
    outage_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"the sweep of {self.began_at}"

    @property
    def outage(self) -> Outage | None:
        """The last outage, however long ago, or None if there was none."""
        if self.outage_since is None or self.outage_until is None:
            return None
        return Outage(self.outage_since, self.outage_until)
