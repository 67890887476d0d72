"""The cost of email: the two emails about one turn, and a worker's emails per second."""

import time
from collections.abc import Iterator
from functools import partial
from statistics import median

from bench.output import Figure
from bench.played import duel_at_turn, play_turn, tasks_disabled
from bench.sizes import Size
from bench.timing import cpu_milliseconds
from duels.clocks.budget import Budget
from duels.demonstration import SAMPLE_DUEL
from duels.models import Duel, Seat, Wizard
from duels.post import tasks
from duels.post.models import Notice
from duels.post.public import deliver_due
from tests.cast import begin, make_wizard

FIRST_PLAYED_TURN = 20
TURN_ORDERS = SAMPLE_DUEL[FIRST_PLAYED_TURN - 1]
PATIENCE_SECONDS = 600


def figures(size: Size) -> Iterator[Figure]:
    """Yield all benchmark results for email."""
    pair = make_wizard("Sender"), make_wizard("Receiver")  # neither of them has a page open
    turns: list[float] = []
    posts: list[float] = []
    for _ in range(size.post_duels):
        duel = duel_at_turn(FIRST_PLAYED_TURN, *pair)
        turns.append(cpu_milliseconds(partial(play_sample_turn, duel)))
        posts.append(cpu_milliseconds(partial(deliver_emails_of_turn, duel)))
    yield "turn_ms", median(turns), "ms"
    yield "post_ms_per_turn", median(posts), "ms"
    yield "notices_per_second", _emails_per_second(pair, size.email_duels), "1/s"


def play_sample_turn(duel: Duel) -> None:
    """Seal and resolve this turn of the sample duel; its two emails stay queued."""
    Notice.objects.filter(duel=duel).delete()
    seats = Seat.objects.filter(duel=duel).select_related("wizard").order_by("place")
    with tasks_disabled():
        play_turn(duel, *zip([seat.wizard for seat in seats], TURN_ORDERS, strict=True))


def deliver_emails_of_turn(duel: Duel) -> None:
    """Deliver the two emails about the turn in one task, as the site does after a commit."""
    queued = list(Notice.objects.filter(duel=duel).values_list("pk", flat=True))
    tasks.deliver_notices(queued)
    sent = Notice.objects.filter(pk__in=queued, status="sent").count()
    if sent != 2:
        raise RuntimeError(f"{sent} of 2 emails were sent for a turn of duel {duel.pk}.")


def _emails_per_second(players: tuple[Wizard, Wizard], duels: int) -> float:
    """Start this many duels, deliver their emails in one round, and return the rate."""
    Notice.objects.all().delete()
    with tasks_disabled():
        for _ in range(duels):
            begin(*players)
    started = time.perf_counter()
    sent = deliver_due(budget=Budget(PATIENCE_SECONDS)).sent
    seconds = time.perf_counter() - started
    if sent != 2 * duels:
        raise RuntimeError(f"{sent} of {2 * duels} emails were sent.")
    return sent / seconds
