"""Play duels while the site's processes die, and check that nothing is lost.

    python -m tests.faults [--seconds 600] [--seed 7] [--pairs 6]

The crowd first plays for a quarter of the time (at most a minute) without faults. Prints figures as
lines `name value unit`, and ends with exit code 1 if a promise is broken.
"""

import argparse
import random
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict

from bench.output import Figure, print_figure
from tests.faults import audit
from tests.faults.crowd import Crowd, time_figures
from tests.faults.injections import Injected, Injector, inject
from tests.faults.ledger import Ledger
from tests.faults.site import SupervisedSite, supervised_site, wait_until
from tests.run import stop_on_signals

BROKEN_PROMISES = (
    "acknowledged_seals_lost",
    "turns_resolved_twice",
    "turns_stuck",
    "deadlines_wrong",
    "notices_lost",
    "records_that_do_not_verify",
    "started_with_wrong_clock",
)
OUTAGE_SECONDS = 5  # after a fault, during which requests may fail
SETTLING_SECONDS = 200  # for several sweeps


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--pairs", type=int, default=6)
    arguments = parser.parse_args()
    print_figure("seed", arguments.seed, "number")
    with supervised_site() as site:
        found = list(figures(site, arguments.seconds, arguments.seed, arguments.pairs))
    for figure in found:
        print_figure(*figure)
    broken = [name for name, value, _ in found if name in BROKEN_PROMISES and value]
    if broken:
        sys.exit(f"Broken promises: {', '.join(broken)}")


def figures(site: SupervisedSite, seconds: float, seed: int, pairs: int) -> Iterator[Figure]:
    site.call(audit.watch_resolutions)
    ledger, injected = Ledger(), Injected()
    crowd = Crowd(site, ledger, seed, pairs)
    quiet_seconds = min(seconds / 4, 60)
    crowd.start()
    time.sleep(quiet_seconds)
    faults_began = time.monotonic()
    yield from time_figures("quiet", [wait for at, wait in ledger.waits if at < faults_began])
    yield "requests_a_second_quiet", ledger.requests / quiet_seconds, "requests"
    is_over = threading.Event()
    injector = Injector(site, random.Random(seed), injected, crowd.absent, is_over)
    injecting = threading.Thread(target=inject, args=[injector], daemon=True)
    injecting.start()
    time.sleep(seconds)
    is_over.set()
    injecting.join()
    crowd.stop()
    yield from time_figures("faults", [wait for at, wait in ledger.waits if at > faults_began])
    for name, count in sorted(injected.counts.items()):
        yield f"faults_{name}", count, "times"
    yield "started_with_wrong_clock", injected.started_with_wrong_clock, "processes"
    yield from failure_figures(ledger, injected)
    yield from audit_figures(site, ledger, injected)


def failure_figures(ledger: Ledger, injected: Injected) -> Iterator[Figure]:
    yield "requests", ledger.requests, "requests"
    for name, statuses in (("no_answer", {0}), ("503", {502, 503, 504}), ("500", {500})):
        failed = [each for each in ledger.failures if each.status in statuses]
        outside = [
            each
            for each in failed
            if not any(0 <= each.at - at < OUTAGE_SECONDS for at in injected.times)
        ]
        yield f"http_{name}_during_outages", len(failed) - len(outside), "requests"
        yield f"http_{name}_outside_outages", len(outside), "requests"


def audit_figures(site: SupervisedSite, ledger: Ledger, injected: Injected) -> Iterator[Figure]:
    """Wait until all processes run again and nothing is left to do, and compare."""
    wait_until(site.is_ready)
    started = time.monotonic()
    with suppress(TimeoutError):  # the audit counts what is left
        wait_until(lambda: not site.call(audit.count_unfinished), SETTLING_SECONDS)
    yield "settled_after_s", time.monotonic() - started, "s"
    for name in ("beat", "post", "turns"):
        site.parts[name].stop()
    site.call(audit.finish_post)
    seals = [asdict(seal) for seal in ledger.seals]
    received = site.mail.received
    found = site.call(audit.audit, seals, injected.deadlines, list(received))
    for name, value in found.items():
        yield name, value, "number"
    yield "emails_received", received.total(), "emails"
    yield "emails_sent_twice", sum(number - 1 for number in received.values()), "emails"


if __name__ == "__main__":
    stop_on_signals()
    main()
