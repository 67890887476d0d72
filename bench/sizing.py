"""The needs of large sites, computed from measured figures (docs/SIZING.md).

    python -m bench.sizing

This command prints the measured figures, and a table of needs by number of active players.
"""

import contextlib
import io
import math
import time
from collections.abc import Iterator
from functools import partial
from statistics import median

from bench.output import Figure, print_figure
from bench.site import database_server, measured_site
from bench.sizes import USUAL_SIZE
from bench.timing import cpu_milliseconds

MEASURED_DUELS = 10_000  # number of duels in the database whose size is measured
NOTICE_COPIES = 100  # number of copies of each notice
MEASURED_REQUESTS = 50
PLAYER_COUNTS = (1_000, 1_000_000, 10_000_000)

# The activity of one player in a day. A turn needs two seals.
SEALS_A_DAY = 3
PAGES_PER_SEAL = 4  # home page, duel, sealing, duel again
POLLS_PER_SEAL = 30  # the page is open for two minutes
PEAK_HOUR_SHARE = 0.1  # share of a day's work in its busiest hour
PEAK_UTILIZATION = 0.6  # share of that hour when processors are busy


def figures(server: str) -> Iterator[Figure]:
    with measured_site(server):
        from bench import filling, post  # these modules import models

        yield from post.figures(USUAL_SIZE)
        with contextlib.redirect_stdout(io.StringIO()):
            filling.main(MEASURED_DUELS)
        yield from storage_figures()
        yield from request_figures()


def storage_figures() -> Iterator[Figure]:
    """Yield the bytes in the database, with indexes, and the time of the sweep's main query."""
    from duels.commands.sweeping import complete_turns
    from duels.models import OPEN_STAGES, Duel, Orders, Seat, Turn
    from duels.post.models import Notice

    turns, duels = Turn.with_voided.count(), Duel.objects.count()
    yield "bytes_per_turn", (_table_bytes(Turn) + _table_bytes(Orders)) / turns, "bytes"
    yield "bytes_per_duel", (_table_bytes(Duel) + _table_bytes(Seat)) / duels, "bytes"
    running = Turn.objects.filter(stage__in=OPEN_STAGES).count()
    started = time.perf_counter()
    assert not complete_turns().count()
    yield "sweep_us_per_running_duel", (time.perf_counter() - started) * 1e6 / running, "us"
    _copy_notices()
    yield "bytes_per_notice", _table_bytes(Notice) / Notice.objects.count(), "bytes"


def request_figures() -> Iterator[Figure]:
    """Yield the processor time of requests, and the bytes that an open page keeps in Redis."""
    import redis
    from django.conf import settings

    from bench.played import duel_at_turn
    from bench.web import duel_path, quiet_poll, signed_in_client
    from tests.cast import make_wizard

    one, other = make_wizard("Reader"), make_wizard("Rival")
    path = duel_path(duel_at_turn(20, one, other))
    client = signed_in_client(one)
    for name, request in (
        ("page", partial(client.get, path)),
        ("poll", quiet_poll(client, path)),
    ):
        request()
        yield (
            f"{name}_cpu_ms",
            median(cpu_milliseconds(request) for _ in range(MEASURED_REQUESTS)),
            "ms",
        )
    with redis.Redis.from_url(settings.CACHE_URL) as server:
        yield "redis_bytes_per_open_page", sum(map(server.memory_usage, server.keys())), "bytes"


def computed_needs(measured: dict[str, float], players: int) -> dict[str, str]:
    """Return what a site with this many active players needs."""
    turns = players * SEALS_A_DAY / 2
    requests, polls = players * SEALS_A_DAY * PAGES_PER_SEAL, players * SEALS_A_DAY * POLLS_PER_SEAL
    peak = PEAK_HOUR_SHARE / 3600
    web = requests * measured["page_cpu_ms"] + polls * measured["poll_cpu_ms"]
    cores = {
        "web": web * peak / 1_000 / PEAK_UTILIZATION,
        "turns": turns * measured["turn_ms"] * peak / 1_000 / PEAK_UTILIZATION,
        "post": turns * measured["post_ms_per_turn"] * peak / 1_000 / PEAK_UTILIZATION,
    }
    year = turns * 365 * (measured["bytes_per_turn"] + measured["bytes_per_duel"] / 20)
    notices = 90 * 2 * turns * measured["bytes_per_notice"]
    return {
        "active players": f"{players:,}",
        "turns a day": f"{turns:,.0f}",
        "turns a second in the busiest hour": _rounded(turns * peak),
        "emails a day": f"{2 * turns:,.0f}",
        "requests a second, without and with polls": (
            f"{_rounded(requests * peak)}; {_rounded((requests + polls) * peak)}"
        ),
        **{f"processors for {name}": f"{math.ceil(count):,}" for name, count in cores.items()},
        "database: growth in a year": f"{_rounded(year / 1e9)} GB",
        "database: emails of 90 days": f"{_rounded(notices / 1e9)} GB",
        "running duels": f"{turns:,.0f}",
        "seconds that the sweep takes to find complete turns": (
            f"{_rounded(turns * measured['sweep_us_per_running_duel'] / 1e6)}"
        ),
        "Redis": f"{_rounded(polls * peak * 4 * measured['redis_bytes_per_open_page'] / 1e6)} MB",
    }


def _rounded(value: float) -> str:
    """Return the number with two significant digits."""
    digits = 1 - math.floor(math.log10(value))
    return f"{round(value, digits):,.{max(digits, 0)}f}"


def _table_bytes(model: type) -> float:
    table = model._meta.db_table  # type: ignore[attr-defined]  # every model has it
    return float(_execute(f"SELECT pg_total_relation_size('{table}')")[0])


def _copy_notices() -> None:
    from duels.post.models import Notice

    names = [field.column for field in Notice._meta.concrete_fields if field.column != "id"]
    columns = ", ".join(f'"{name}"' for name in names)
    values = columns.replace('"key"', "key || n")
    _execute(
        f'INSERT INTO "{Notice._meta.db_table}" ({columns}) '
        f'SELECT {values} FROM "{Notice._meta.db_table}", generate_series(1, {NOTICE_COPIES}) AS n '
        "RETURNING 1"
    )


def _execute(statement: str) -> tuple[int, ...]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
        row: tuple[int, ...] = cursor.fetchone()
    return row


if __name__ == "__main__":
    with database_server() as server:
        measured = {}
        for name, value, unit in figures(server):
            measured[name] = value
            print_figure(name, value, unit)
    tables = [computed_needs(measured, players) for players in PLAYER_COUNTS]
    for name in tables[0]:
        print("|", name, "|", " | ".join(table[name] for table in tables), "|")
