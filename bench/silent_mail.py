"""How long a hundred turns take beside a mail server that accepts connections and never answers,
and how long without any post. Both have a Celery worker for the turns, with Redis and PostgreSQL.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from statistics import median

from bench.played import QUIET, unheard
from bench.worker import seal_turn
from duels.models import Stage, Turn, Wizard
from duels.post.models import Notice
from tests import services
from tests.cast import begin, open_turn, seal

TURNS = 100
ROUNDS = 3
BEFORE = 10  # not counted: a worker's first tasks load what they need
PATIENCE_SECONDS = 300
BETWEEN_LOOKS = 0.01

Figure = tuple[str, float, str]


def figures(black: Wizard, white: Wizard, env: Mapping[str, str]) -> Iterator[Figure]:
    """The ratio of the two times; nothing that a turn waits for may depend on the post."""
    with services.celery_workers(env, queues=("turns",)):
        without = median_seconds(black, white)
    with ExitStack() as stack:
        silence = ExitStack()
        port = silence.enter_context(services.silent_server())
        silent = {"EMAIL_URL": f"smtp://127.0.0.1:{port}", "EMAIL_TIMEOUT": "300"}
        stack.enter_context(services.celery_workers({**env, **silent}))
        stack.callback(silence.close)  # before the workers end: they would wait for an answer
        beside = median_seconds(black, white)
    yield "turns_with_silent_mail_server_ratio", beside / without, "times"


def median_seconds(black: Wizard, white: Wizard) -> float:
    Notice.objects.all().delete()
    seal_the_rest(half_sealed(black, white, BEFORE), white)
    return median(seconds(black, white) for _ in range(ROUNDS))


def seconds(black: Wizard, white: Wizard) -> float:
    """From just before the first last seal until all turns are resolved."""
    turns = half_sealed(black, white, TURNS)
    started = time.perf_counter()
    seal_the_rest(turns, white)
    return time.perf_counter() - started


def half_sealed(black: Wizard, white: Wizard, number: int) -> list[Turn]:
    with unheard():
        duels = [begin(black, white) for _ in range(number)]
        for duel in duels:
            seal(duel, black, QUIET)
    return [open_turn(duel) for duel in duels]


def seal_the_rest(turns: list[Turn], white: Wizard) -> None:
    for turn in turns:
        seal_turn(turn, white, QUIET)
    unresolved = Turn.objects.filter(pk__in=[turn.pk for turn in turns]).exclude(
        stage=Stage.RESOLVED
    )
    give_up = time.monotonic() + PATIENCE_SECONDS
    while unresolved.exists():
        if time.monotonic() > give_up:
            raise RuntimeError("Turns wait for the mail server.")
        time.sleep(BETWEEN_LOOKS)
