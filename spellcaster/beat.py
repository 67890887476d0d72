"""The scheduler of Celery beat, which keeps working if its machine's clock is changed."""

import time
from datetime import timedelta
from typing import Any, Final

from celery.beat import Scheduler
from celery.schedules import schedule

from spellcaster import startup

MIN_JUMP_SECONDS: Final = 2.0


class CheckedScheduler(Scheduler):
    """Scheduler that does not store anything on disk, and exits if its process may no longer act.

    It sends tasks that run every minute as soon as it starts. Otherwise a beat that is restarted
    more often than once a minute would never send them.

    Celery schedules tasks by the times of their last calls. If the clock is set back, Celery would
    not call anything until the clock reaches those times again.
    """

    _offset: float | None = None  # clock minus monotonic clock

    def setup_schedule(self) -> None:
        self.update_from_dict(self.app.conf.beat_schedule)
        for entry in self.schedule.values():
            if isinstance(entry.schedule, schedule):  # an interval, not a time of day
                interval = timedelta(seconds=entry.schedule.seconds)
                entry.last_run_at = entry.default_now() - interval

    def tick(self, *args: Any, **options: Any) -> Any:
        offset = time.time() - time.monotonic()
        if self._offset is not None and abs(offset - self._offset) >= MIN_JUMP_SECONDS:
            for entry in self.schedule.values():  # restart the schedule from the present time
                entry.last_run_at = entry.default_now()
            self._heap = None
        self._offset = offset
        if not startup.can_process_still_act():
            raise SystemExit(1)
        return super().tick(*args, **options)
