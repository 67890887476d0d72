"""The load time of a home page with 1,000 duels, compared with one with ten such duels."""

from collections.abc import Iterator
from functools import partial
from statistics import median

from django.utils import timezone

from bench.counts import query_count
from bench.output import Figure
from bench.played import EMPTY_ORDERS, tasks_disabled
from bench.sizes import Size
from bench.web import fetch_milliseconds, fetch_page, signed_in_client
from duels.commands import endings
from duels.models import Duel, Wizard
from tests.cast import NOW, begin, challenge, make_wizard, seal
from tests.copies import make_copies

DUEL_COUNTS = (10, 1_000)
HOME_PATH = "/"


def figures(size: Size) -> Iterator[Figure]:
    """Yield the queries and median times of both home pages, and the ratio of the times."""
    rival = make_wizard("Rival of many")
    clients = {}
    for number in DUEL_COUNTS:
        player = make_wizard(f"Player of {number}")
        create_duels(player, rival, number)
        clients[number] = signed_in_client(player)
    for number, client in clients.items():
        fetch_page(client, HOME_PATH)  # a first request, after which the duel of the day is cached
        queries = query_count(partial(fetch_page, client, HOME_PATH))
        yield f"home_queries_{number}_duels", queries, "queries"
    taken: dict[int, list[float]] = {number: [] for number in DUEL_COUNTS}
    for _ in range(size.page_requests):
        for number, client in clients.items():
            taken[number].append(fetch_milliseconds(client, HOME_PATH))
    few, many = (median(each) for each in taken.values())
    yield "home_ms_10_duels", few, "ms"
    yield "home_ms_1000_duels", many, "ms"
    yield "home_ratio_1000_duels", many / few, "times"


def create_duels(player: Wizard, rival: Wizard, number: int) -> None:
    """Create duels of four kinds.

    Of every ten, two duels wait for the player and two for the rival, one is an open challenge, and
    five are over.
    """
    with tasks_disabled():
        waiting, running, over = (begin(player, rival) for _ in range(3))
        seal(running, player, EMPTY_ORDERS)
        endings.resign(duel_id=over.pk, wizard=rival, now=NOW)
        wanted = challenge(player, now=timezone.now())
    for duel, share in ((waiting, 2), (running, 2), (wanted, 1), (over, 5)):
        make_copies(Duel.objects.get(pk=duel.pk), number * share // 10 - 1)
