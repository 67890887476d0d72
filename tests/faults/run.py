"""A run of a crowd with and without faults, and its figures."""

import random
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict

from bench.output import Figure
from tests.faults import audit
from tests.faults.crowd import Crowd, time_figures
from tests.faults.injections import InjectedFaults, Injector, inject
from tests.faults.ledger import Ledger
from tests.faults.site import SupervisedSite, supervised_site, wait_until

# figures that must be 0
FIGURES_THAT_MUST_BE_ZERO = (
    "acknowledged_seals_lost",
    "turns_resolved_twice",
    "turns_stuck",
    "deadlines_wrong",
    "notices_lost",
    "records_that_do_not_verify",
    "started_with_wrong_clock",
)
SETTLING_SECONDS = 200  # seconds for several sweeps


def run(seconds: float, seed: int, pairs: int) -> list[Figure]:
    with supervised_site() as site:
        return list(_figures(site, seconds, seed, pairs))


def broken_promises(figures: Iterable[Figure]) -> list[str]:
    return [name for name, value, _ in figures if name in FIGURES_THAT_MUST_BE_ZERO and value]


def _figures(site: SupervisedSite, seconds: float, seed: int, pairs: int) -> Iterator[Figure]:
    site.call(audit.watch_resolutions)
    ledger, injected = Ledger(), InjectedFaults()
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
    yield from _failure_figures(ledger, injected)
    yield from _audit_figures(site, ledger, injected)


def _failure_figures(ledger: Ledger, injected: InjectedFaults) -> Iterator[Figure]:
    yield "requests", ledger.requests, "requests"
    for name, statuses in (("no_answer", {0}), ("503", {502, 503, 504}), ("500", {500})):
        failed = [each for each in ledger.failures if each.status in statuses]
        outside = [
            each
            for each in failed
            if not any(began <= each.at <= ended for began, ended in injected.outages)
        ]
        yield f"http_{name}_during_outages", len(failed) - len(outside), "requests"
        yield f"http_{name}_outside_outages", len(outside), "requests"


def _audit_figures(
    site: SupervisedSite, ledger: Ledger, injected: InjectedFaults
) -> Iterator[Figure]:
    """Wait until all processes run again and all work is done, and compare."""
    wait_until(site.is_ready)
    started = time.monotonic()
    with suppress(TimeoutError):  # the audit counts the remaining work
        wait_until(lambda: not site.call(audit.count_unfinished), SETTLING_SECONDS)
    yield "settled_after_s", time.monotonic() - started, "s"
    for name in ("beat", "post", "turns"):
        site.parts[name].stop()
    site.call(audit.finish_post)
    seals = [asdict(seal) for seal in ledger.seals]
    received = site.mail.received
    found = site.call(audit.audit, seals, injected.deadlines, list(received))
    for name, value in found.items():
        yield name, value, "s" if name.endswith("_s") else "number"
    yield "emails_received", received.total(), "emails"
    yield "emails_sent_twice", sum(number - 1 for number in received.values()), "emails"
