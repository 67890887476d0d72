"""Every figure that has a target in `docs/PROMISES.md`, as lines `name value unit`: the engine's,
then the site's pages, then the way from the last seal to the resolved turn, and from one window to
the other.

With `FULL=1` also what pages cost at 20,000 duels, and what a sweep costs at 50,000, which takes
some minutes.

What cannot be measured here is named on standard error, with the Debian package that is missing.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack

from bench import browser, crowd, deadlines, engine
from bench.site import measured_site
from tests import services

Figure = tuple[str, float, str]


def main() -> None:
    for figure in engine.figures():
        say(*figure)
    for figure in site_figures():
        say(*figure)
    for figure in browser.figures():
        say(*figure)
    if os.environ.get("FULL") == "1":
        for figure in (*crowd.figures(), *deadlines.figures()):
            say(*figure)


def site_figures() -> Iterator[Figure]:
    with ExitStack() as stack:
        site = stack.enter_context(measured_site())
        from bench import (
            homes,
            played,
            post,
            silent_mail,
            web,
            weight,
            worker,
        )  # models, so only now that Django is set up

        black, white = played.two_wizards()
        yield from web.figures(black, white)
        yield from homes.figures()
        yield from weight.figures(black, white, site.env)
        yield from post.figures(black, white)
        if site.has_worker:
            with services.celery_workers(site.env, include="bench.tasks"):
                yield from worker.figures(black, white)
            yield from silent_mail.figures(black, white, site.env)


def say(name: str, value: float, unit: str) -> None:
    digits = 0 if value == int(value) or value >= 1_000 else 2
    print(f"{name} {value:.{digits}f} {unit}", flush=True)


if __name__ == "__main__":
    main()
