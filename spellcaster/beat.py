"""The scheduler of Celery beat, which keeps working if its machine's clock is changed."""

import time
from typing import Any, Final

from celery.beat import Scheduler

from spellcaster import startup

MIN_JUMP_SECONDS: Final = 2.0


class CheckedScheduler(Scheduler):
    """Scheduler that does not store anything on disk, and exits if its process may no longer act.

    Celery schedules tasks by the times of their last calls. If the clock is set back, Celery would
    not call anything until the clock reaches those times again.
    """

    _offset: float | None = None  # clock minus monotonic clock

    def setup_schedule(self) -> None:
        self.update_from_dict(self.app.conf.beat_schedule)

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
