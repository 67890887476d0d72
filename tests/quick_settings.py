"""Settings of a site where time passes faster.

Periodic tasks run twice a second, and a turn of five minutes lasts four seconds. Rows and forms
accept the same values as on any site.
"""

from datetime import timedelta

from duels.clocks import clock
from spellcaster.settings import *  # noqa: F403  # every setting except those below

EACH_HALF_SECOND = {"schedule": 0.5, "options": {"expires": 5}}
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "duels.tasks.sweep", **EACH_HALF_SECOND},
    "post": {"task": "duels.post.tasks.deliver_due", **EACH_HALF_SECOND},
}


def quick_time(pace: clock.Pace) -> timedelta | None:
    """Return the time for each turn, or None if there is no deadline."""
    return timedelta(seconds=pace.seconds) / 75 if pace.seconds else None


clock.Pace.turn_time = property(quick_time)  # type: ignore[assignment,method-assign]  # only here
