"""The duration of sweeps of a filled database, with few and with many due deadlines.

The script prints a line for each sweep: the number of due deadlines, and the sweep's duration in
milliseconds. `bench.deadlines` runs it in the environment of the database's site.
"""

import sys
import time
from datetime import timedelta

import django

PACE = str(24 * 3600)
EXCUSES = 1


def measure_sweeps(numbers: list[int]) -> None:
    django.setup()
    from django.utils import timezone

    from bench.played import tasks_disabled
    from duels.commands import sweeping
    from duels.models import Duel, Seat

    now = timezone.now()
    awaited = Seat.objects.filter(awaited=True, duel__status="running", duel__lesson="")
    Duel.objects.filter(status="running").update(pace=PACE)
    awaited.update(due_at=now + timedelta(days=1), excuses_left=EXCUSES)
    sweeping.sweep(now=now)  # warm-up, not counted
    for excuses_left, number in enumerate(numbers, EXCUSES):
        late = list(awaited.order_by("pk").values_list("pk", flat=True)[:number])
        # Use a new number of extensions each time, because players are notified only once for each
        # number.
        Seat.objects.filter(pk__in=late).update(due_at=now, excuses_left=excuses_left)
        started, acted = time.perf_counter(), 0
        with tasks_disabled():
            while acted < number or not number:
                excuses = sweeping.sweep(now=now).deadlines.excuses
                acted += excuses
                if not excuses:
                    break
        assert acted == number, f"{acted} of {number} deadlines were handled"
        print(number, (time.perf_counter() - started) * 1_000, flush=True)


if __name__ == "__main__":
    measure_sweeps([int(number) for number in sys.argv[1:]])
