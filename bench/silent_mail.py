"""The time to play many turns while the mail server is silent, compared with sending no email.

The mail server accepts connections but never sends anything. Both cases use a Celery
worker for turns, Redis and PostgreSQL. All rounds continue the same duels, because a wizard can be
in only a limited number of duels at once.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from statistics import median

from bench.output import Figure
from bench.played import EMPTY_ORDERS, seal_turn, tasks_disabled
from bench.sizes import Size
from bench.timing import wait_until
from duels.models import Duel, Stage, Turn, Wizard
from duels.post.models import Notice
from tests import services
from tests.cast import begin, make_wizard, open_turn, seal

PATIENCE_SECONDS = 300


def figures(env: Mapping[str, str], size: Size) -> Iterator[Figure]:
    """Yield the ratio of the two times, which must be near 1: a turn never waits for an email."""
    first, last = make_wizard("First to seal"), make_wizard("Last to seal")
    with tasks_disabled():
        duels = [begin(first, last) for _ in range(size.silent_duels)]

    def median_seconds() -> float:
        Notice.objects.all().delete()
        seconds_for_turns(duels, first, last)  # not counted: a worker's first tasks load code
        return median(seconds_for_turns(duels, first, last) for _ in range(size.silent_rounds))

    with services.celery_workers(env, queues=("turns",)):
        without = median_seconds()
    with ExitStack() as stack:
        silence = ExitStack()
        port = silence.enter_context(services.silent_server())
        silent = {"EMAIL_URL": f"smtp://127.0.0.1:{port}", "EMAIL_TIMEOUT": "300"}
        stack.enter_context(services.celery_workers({**env, **silent}))
        stack.callback(silence.close)  # close this first; otherwise the workers wait for a reply
        beside = median_seconds()
    yield "turns_with_silent_mail_server_ratio", beside / without, "times"


def seconds_for_turns(duels: list[Duel], first: Wizard, last: Wizard) -> float:
    """Return the time it takes to play one turn of every duel.

    The time is measured from just before the first duel's last seal until every duel's turn is
    resolved.
    """
    with tasks_disabled():
        for duel in duels:
            seal(duel, first, EMPTY_ORDERS)
    turns = [open_turn(duel) for duel in duels]
    started = time.perf_counter()
    for turn in turns:
        seal_turn(turn, last, EMPTY_ORDERS)
    resolved = Turn.objects.filter(pk__in=[turn.pk for turn in turns], stage=Stage.RESOLVED)
    wait_until(lambda: resolved.count() == len(turns), PATIENCE_SECONDS)
    return time.perf_counter() - started
