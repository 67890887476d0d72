"""Print the figures that `tests/PROMISES.md` lists, as lines `name value unit`.

    python -m bench [smallest | usual | full]

The parts run one after another: the engine, simulated ratings, the site's pages, email, the time
from the last seal to the resolved turn, and two browser windows. The full size adds pages with
20,000 duels, an archive of 100,000 duels, a sweep of 50,000 duels and a growing number of players.
These parts take a few minutes. The smallest size, for the tests, runs every part as briefly as
possible. Missing programs are listed on standard error with their Debian packages, and the figures
that need them are left out.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack

from bench import archive, browser, crowd, deadlines, engine, load, ratings
from bench.output import Figure, print_figure
from bench.site import database_server, measured_site
from bench.sizes import SIZES, Size
from tests import services


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("size", nargs="?", choices=SIZES, default="usual")
    size = SIZES[parser.parse_args().size]
    for program, package in services.missing_programs().items():
        print(
            f"{program} is not installed; the Debian package {package} provides it. "
            "The figures that need it are not measured.",
            file=sys.stderr,
        )
    with database_server() as server:
        for figure in figures(size, server):
            print_figure(*figure)


def figures(size: Size, server: str) -> Iterator[Figure]:
    """Yield all figures, measured with this amount of work.

    `server` is the address of PostgreSQL, or "".
    """
    yield from engine.figures(size)
    yield from ratings.figures(size.rating_seasons)
    yield from site_figures(size, server)
    yield from browser.figures(size, server)
    if size.crowd and server:
        yield from crowd.figures(size.crowd, server)
    if size.archive and server:
        yield from archive.figures(size.archive, server)
    if size.deadlines and server:
        yield from deadlines.figures(size.deadlines, server)
    if size.load and not {"PostgreSQL", "Redis"} & services.missing_programs().keys():
        yield from load.figures(size.load)


def site_figures(size: Size, server: str) -> Iterator[Figure]:
    with ExitStack() as stack:
        site = stack.enter_context(measured_site(server))
        from bench import (
            counts,
            homes,
            instructions,
            played,
            post,
            silent_mail,
            web,
            weight,
            worker,
        )  # these modules import models, so Django must be set up first

        black, white = played.two_wizards()
        duels = {turn: played.duel_at_turn(turn, black, white) for turn in web.MEASURED_TURNS}
        yield from counts.figures(black, white, duels)
        yield from instructions.figures(black, duels[20], site.env)
        yield from web.figures(black, duels, size)
        yield from homes.figures(size)
        yield from weight.figures(black, duels[20], site.env)
        yield from post.figures(size)
        if site.has_worker:
            with services.celery_workers(site.env, include="bench.tasks"):
                yield from worker.figures(black, white, size)
            yield from silent_mail.figures(site.env, size)


if __name__ == "__main__":
    main()
