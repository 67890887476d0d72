"""How many mails a worker of the post sends, to a mail server on this machine."""

import time
from collections.abc import Iterator

from bench.played import unheard
from duels.budget import Budget
from duels.models import Wizard
from duels.post.models import Notice
from duels.post.public import deliver_due
from tests.cast import begin

DUELS = 100  # each begins with two mails
PATIENCE_SECONDS = 600

Figure = tuple[str, float, str]


def figures(black: Wizard, white: Wizard) -> Iterator[Figure]:
    """One round of the post, as long as it takes, of mails that tell of a duel's beginning."""
    Notice.objects.all().delete()
    with unheard():
        for _ in range(DUELS):
            begin(black, white)
    started = time.perf_counter()
    sent = deliver_due(budget=Budget(PATIENCE_SECONDS)).sent
    seconds = time.perf_counter() - started
    if sent != 2 * DUELS:
        raise RuntimeError(f"{sent} mails of {2 * DUELS} were sent.")
    yield "notices_per_second", sent / seconds, "1/s"
