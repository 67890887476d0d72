"""The schedule of Celery beat, which continues if the clock of its machine is set."""

import time
from typing import Any, Final

from celery.beat import Scheduler

from spellcaster import starting

LEAST_JUMP_SECONDS: Final = 2.0


class CheckedScheduler(Scheduler):
    """Scheduler that keeps nothing on disk, and ends if its process may no longer act.

    Celery calculates with the times of the last calls. After the clock was set back, it would not
    call anything until the clock reaches them.
    """

    _offset: float | None = None  # of the clock, compared with the monotonic one

    def setup_schedule(self) -> None:
        self.update_from_dict(self.app.conf.beat_schedule)

    def tick(self, *args: Any, **options: Any) -> Any:
        offset = time.time() - time.monotonic()
        if self._offset is not None and abs(offset - self._offset) >= LEAST_JUMP_SECONDS:
            self._begin_again()
        self._offset = offset
        if not starting.is_fit():
            raise SystemExit(1)
        return super().tick(*args, **options)

    def _begin_again(self) -> None:
        """Count all times from now."""
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now()
        self._heap = None
