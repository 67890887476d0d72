"""Pieces of work whose instructions are counted.

`bench.instructions` runs this script under valgrind.

    python bench/counted.py FILE

FILE contains JSON: the address of a duel's page, the key of a session that may read it, and the ids
of three duels in which `bench.post` can play a turn. Run it with the environment variables of the
measured site.
"""

import gc
import json
import random
import sys
from collections.abc import Callable
from functools import partial
from itertools import chain, islice
from pathlib import Path

import django

from bench import forks
from bench.engine import resolve_turns
from bench.planned import planned_duel
from bench.reference import do_reference_work

COUNTED_PAGES = 3
COUNTED_TURNS = 200
RULESETS = ("bartle-1", "spellcast-1", "warlocks-1")


def count_instructions(path: str) -> None:
    given = json.loads(Path(path).read_text())
    count_engine()
    django.setup()
    count_pages(given["session"], given["page"])
    count_turn_and_emails(*given["duels"])


def count_engine() -> None:
    """Count the instructions of the reference work, and of planned turns under each of RULESETS."""
    gc.disable()
    forks.run_in_counted_processes(
        "reference", lambda: [do_reference_work() for _ in range(COUNTED_TURNS)]
    )
    for ruleset in RULESETS:
        duels = (
            planned_duel(random.Random(seed), ruleset=ruleset) for seed in range(COUNTED_TURNS)
        )
        forks.run_in_counted_processes(
            ruleset, partial(resolve_turns, list(islice(chain.from_iterable(duels), COUNTED_TURNS)))
        )
    gc.enable()


def count_pages(session: str, page: str) -> None:
    """Count the instructions of the duel's page, with warm and empty caches, and of a bare page."""
    from django.db import connections
    from django.test import Client
    from django.test.utils import override_settings

    from bench.web import BARE_PAGE, fetch_page
    from duels.caching import caches

    client = Client()
    client.cookies["sessionid"] = session

    def fetch_with_empty_caches() -> None:
        caches.clear_all()
        fetch_page(client, page)

    with override_settings(ROOT_URLCONF="bench.urls"):
        pieces: dict[str, Callable[[], object]] = {
            "bare": partial(fetch_page, client, BARE_PAGE),
            "page": partial(fetch_page, client, page),
            "page cold": fetch_with_empty_caches,
        }
        for fetch in pieces.values():
            fetch()
        for name, fetch in pieces.items():
            connections.close_all()  # a connection cannot be shared with a forked process
            forks.run_in_counted_processes(name, partial(_fetch_pages, fetch), prepare=fetch)


def _fetch_pages(fetch: Callable[[], object]) -> None:
    for _ in range(COUNTED_PAGES):
        fetch()


def count_turn_and_emails(first: int, second: int, third: int) -> None:
    """Count the instructions of a turn, and of the delivery of its two emails."""
    from django.db import connection, connections

    from bench.post import deliver_emails_of_turn, play_sample_turn
    from duels.models import Duel

    for duel in Duel.objects.filter(pk__in=[first, second]):
        play_sample_turn(duel)
        if duel.pk == first:
            deliver_emails_of_turn(duel)  # load templates and modules before anything is counted
    connections.close_all()
    forks.run_in_counted_processes(
        "post", partial(deliver_emails_of_turn, Duel(pk=second)), prepare=connection.connect
    )
    forks.run_in_counted_processes(
        "turn", partial(play_sample_turn, Duel(pk=third)), prepare=connection.connect
    )


if __name__ == "__main__":
    count_instructions(sys.argv[1])
