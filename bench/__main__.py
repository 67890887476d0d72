"""Every figure that has a target in `docs/PROMISES.md`, as lines `name value unit`: the engine's,
then the site's pages, then the way from the last seal to the resolved turn, and from one window to
the other.

What cannot be measured here is named on standard error, with the Debian package that is missing.
"""

from collections.abc import Iterator
from contextlib import ExitStack

from bench import browser, engine
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


def site_figures() -> Iterator[Figure]:
    with ExitStack() as stack:
        site = stack.enter_context(measured_site())
        from bench import played, web, weight, worker  # models, so only now that Django is set up

        black, white = played.two_wizards()
        yield from web.figures(black, white)
        yield from weight.figures(black, white, site.env)
        if site.has_worker:
            stack.enter_context(services.celery_worker(site.env, include="bench.tasks"))
            yield from worker.figures(black, white)


def say(name: str, value: float, unit: str) -> None:
    digits = 0 if value == int(value) or value >= 1_000 else 2
    print(f"{name} {value:.{digits}f} {unit}", flush=True)


if __name__ == "__main__":
    main()
