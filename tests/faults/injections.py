"""The faults: one function for each. `inject` calls one after another, chosen by a seed."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace

import redis

from tests.faults import prepared_duels
from tests.faults.mail_server import MailFault
from tests.faults.site import SupervisedSite, wait_until
from tests.faults.supervised import SupervisedProcess
from tests.services import ROOT

TWO_HOURS = 7200
MIN_UPTIME_SECONDS = 10  # seconds before a process is killed again
DETECTION_SECONDS = 1  # seconds until requests fail because of a fault, or until all succeed again
MAX_OUTAGE_SECONDS = 20  # maximum seconds that the next fault waits for the site to recover
MAX_START_SECONDS = 60  # maximum seconds until a process notices that its clock is wrong


@dataclass
class InjectedFaults:
    """The faults so far, and the outages that they caused, with times of the monotonic clock.

    An outage lasts from a fault until the site answers again.
    """

    counts: Counter[str] = field(default_factory=Counter)
    outages: list[tuple[float, float]] = field(default_factory=list)
    deadlines: list[dict[str, object]] = field(default_factory=list)
    started_with_wrong_clock: int = 0


@dataclass(frozen=True)
class Injector:
    site: SupervisedSite
    luck: random.Random
    injected: InjectedFaults
    absent: tuple[str, str]  # wizards who never act
    is_over: threading.Event

    def kill_process(self) -> None:
        """Kill a main process with all its children."""
        for part in self._settled("web", "turns", "post", "beat"):
            part.send_signal(signal.SIGKILL)

    def stop_process(self) -> None:
        for part in self._settled("web", "turns", "post", "beat"):
            part.send_signal(signal.SIGTERM)

    def kill_child(self) -> None:
        for part in self._settled("web", "turns", "post"):
            self._kill_one(part.children())

    def kill_database_process(self) -> None:
        """Kill a process of PostgreSQL. The server then ends its other processes and recovers."""
        self._kill_one(self.site.parts["postgresql"].children())

    def crash_database(self) -> None:
        self.site.parts["postgresql"].send_signal(signal.SIGQUIT)

    def empty_redis(self) -> None:
        with suppress(redis.RedisError), redis.Redis.from_url(self.site.env["REDIS_URL"]) as server:
            server.flushall()

    def kill_redis(self) -> None:
        self.site.parts["redis"].send_signal(signal.SIGKILL)

    def spoil_mail(self) -> None:
        """Let the mail server misbehave for a few seconds."""
        self.site.mail.fault = self.luck.choice(
            [fault for fault in MailFault if fault is not MailFault.NONE]
        )
        self.is_over.wait(self.luck.uniform(2, 8))
        self.site.mail.fault = MailFault.NONE

    def send_again(self) -> None:
        with suppress(RuntimeError):  # the database or the broker is down
            self.site.call(prepared_duels.send_again, 10)

    def begin_overdue_duel(self) -> None:
        with suppress(RuntimeError):
            seconds = self.luck.uniform(1, 30)
            rulesets = self.site.call(prepared_duels.ruleset_ids)
            names, ruleset = list(self.absent), self.luck.choice(rulesets)
            overdue = self.site.call(prepared_duels.begin_overdue_duel, names, ruleset, seconds)
            self.injected.deadlines.append(overdue)

    def start_with_wrong_clock(self) -> None:
        """Start a process whose clock is two hours fast or slow. It must not act."""
        worker = ["celery", "-A", "spellcaster", "worker", "-Q", "turns,sweep", "-n", "wrong@%h"]
        module = self.luck.choice([["manage", "resolve_due"], worker])
        hours = self.luck.choice([TWO_HOURS, -TWO_HOURS])
        command = [sys.executable, "-m", "tests.faults.wrong_clock", str(hours), *module]
        log = self.site.folder / f"wrong_clock_{time.monotonic_ns()}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.site.env, stdout=out, stderr=out, process_group=0
            )
        with suppress(subprocess.TimeoutExpired):
            process.wait(MAX_START_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        has_started = process.wait() == 0 or b" ready." in log.read_bytes()
        self.injected.started_with_wrong_clock += has_started

    def _settled(self, *names: str) -> list[SupervisedProcess]:
        """Return one of these parts that has run long enough to do some work, or None."""
        limit = time.monotonic() - MIN_UPTIME_SECONDS
        parts = [part for name in names if (part := self.site.parts[name]).started_at < limit]
        return [self.luck.choice(parts)] if parts else []

    def _kill_one(self, pids: list[int]) -> None:
        if pids:
            with suppress(ProcessLookupError):
                os.kill(self.luck.choice(pids), signal.SIGKILL)


# The relative frequency of each fault.
FAULT_WEIGHTS: dict[Callable[[Injector], None], int] = {
    Injector.kill_process: 20,
    Injector.kill_child: 20,
    Injector.stop_process: 5,
    Injector.crash_database: 3,
    Injector.kill_database_process: 2,
    Injector.empty_redis: 6,
    Injector.kill_redis: 4,
    Injector.spoil_mail: 6,
    Injector.send_again: 8,
    Injector.begin_overdue_duel: 10,
    Injector.start_with_wrong_clock: 2,
}


def inject(injector: Injector) -> None:
    """Cause faults one after another until the time is over. Then make the mail server work again.

    Usually, the next fault waits until the site answers again, so that duels can continue in
    between.
    """
    faults, weights = list(FAULT_WEIGHTS), list(FAULT_WEIGHTS.values())
    planned = injector.luck.sample(faults, len(faults))  # so that each fault happens in a short run
    with ThreadPoolExecutor(max_workers=4) as pool:  # some faults last several seconds
        while not injector.is_over.wait(injector.luck.uniform(0.2, 1)):
            fault = planned.pop() if planned else injector.luck.choices(faults, weights)[0]
            injector.injected.counts[fault.__name__] += 1
            began = time.monotonic()
            pool.submit(fault, replace(injector, luck=random.Random(injector.luck.random())))
            time.sleep(DETECTION_SECONDS)
            with suppress(TimeoutError):
                wait_until(injector.site.is_ready, MAX_OUTAGE_SECONDS)
            injector.injected.outages.append((began, time.monotonic() + DETECTION_SECONDS))
    injector.site.mail.fault = MailFault.NONE
