"""The scheduler of Celery beat, which keeps working if its machine's clock is changed."""

import time
from datetime import timedelta
from typing import Any, Final

from celery.beat import Scheduler

from spellcaster import startup

MIN_CLOCK_JUMP_SECONDS: Final = 2.0
LONGEST_INTERVAL: Final = timedelta(hours=1)  # no task runs less often


class CheckedScheduler(Scheduler):
    """Scheduler that does not store anything on disk, and exits if its process may no longer act.

    It sends every task as soon as it starts. Otherwise a beat that is restarted more often than
    once a minute would never send any, and a beat that was down at the time of an hourly task would
    send it an hour late. Tasks do nothing if no work is due.

    It also sends every task if its machine's clock is changed. If the clock is set back, Celery
    itself sends nothing until the clock has caught up with the times of its last calls.
    """

    _offset: float | None = None  # clock minus monotonic clock

    def setup_schedule(self) -> None:
        self.update_from_dict(self.app.conf.beat_schedule)
        self._make_all_due()

    def tick(self, *args: Any, **options: Any) -> Any:
        offset = time.time() - time.monotonic()
        if self._offset is not None and abs(offset - self._offset) >= MIN_CLOCK_JUMP_SECONDS:
            self._make_all_due()
        self._offset = offset
        if not startup.can_process_still_act():
            raise SystemExit(1)
        return super().tick(*args, **options)

    def _make_all_due(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now() - LONGEST_INTERVAL
        self._heap = None
