"""Settings of a site whose time is short: rounds twice a second, and five minutes for a turn are
four seconds. What rows and forms may name is as everywhere."""

from datetime import timedelta

from duels import clock
from spellcaster.settings import *  # noqa: F403  # every setting but those below

EACH_HALF_SECOND = {"schedule": 0.5, "options": {"expires": 5}}
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "duels.tasks.sweep", **EACH_HALF_SECOND},
    "post": {"task": "duels.post.tasks.deliver_due", **EACH_HALF_SECOND},
}


def quick_time(pace: clock.Pace) -> timedelta | None:
    """What each turn has."""
    return timedelta(seconds=pace.seconds) / 75 if pace.seconds else None


clock.Pace.turn_time = property(quick_time)  # type: ignore[assignment,method-assign]  # here alone
