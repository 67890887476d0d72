"""Run every check and every test that a change must pass.

    python tests/run.py [--nightly] [PART ...] [-- pytest's arguments]

A part is one run of pytest in two processes. Two parts run at a time, so that one computes while
the other waits for a browser or a database; each line of output begins with the name of its part.
Without PART, these run:

    browser      tests/browser, in Chromium
    services     the tests marked `services`, with PostgreSQL, Redis and Celery workers
    application  all other tests, on PostgreSQL
    engine       the engine, without Django (tests/engine/pytest.ini)
    sqlite       the tests marked `sqlite` again, on SQLite
    checks       formatting, lint, security, types, import contracts, migrations, deployment

Two more run only if they are named, as `make quick` does:

    cases        the cases of the engine
    quick        the application without the tests marked `long`, on SQLite

Tests marked `nightly` run only with --nightly.

If a program is missing, the run names its Debian package and skips the parts that need it; the
application then runs on SQLite. With REQUIRE_SERVICES=1 a skip is a failure. At the end the run
prints the times of each part, by the clock and of all processors, and the sum of all results.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import prepared, services  # noqa: E402  # the line above makes them importable

REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
AT_ONCE = 2  # parts


@dataclass(frozen=True)
class Part:
    """Arguments of one run of pytest, and the programs without which it is skipped."""

    paths: tuple[str, ...]
    marks: str = ""
    options: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    server_in: str = ""  # the variable that gets the address of PostgreSQL's server
    mark: str = ""  # only files with this mark are collected, which saves seconds


NOT_APPLICATION = tuple(f"--ignore=tests/{each}" for each in ("browser", "checks", "engine"))
# The parts that wait most come first. The shortest come last, so that both processors are busy to
# the end.
DEFAULT = {
    "browser": Part(("tests/browser",), needs=("Chromium",), server_in="POSTGRESQL_SERVER"),
    "services": Part(
        ("tests",),
        "services",
        # One process measures all figures of the bench, and the other runs everything else.
        (*NOT_APPLICATION, "--dist=loadfile"),
        ("PostgreSQL", "Redis"),
        "DATABASE_URL",
        "services",
    ),
    "application": Part(("tests",), "not services", NOT_APPLICATION, server_in="DATABASE_URL"),
    "engine": Part(("tests/engine",)),
    "sqlite": Part(("tests",), "sqlite and not services", NOT_APPLICATION, mark="sqlite"),
    # The longest check comes first, so that the others run at the same time.
    "checks": Part(("tests/checks",), options=("-p", "no:randomly")),
}
PARTS = DEFAULT | {
    "cases": Part(("tests/engine/test_cases.py",)),
    "quick": Part(("tests/duels", "tests/spellcaster"), "not services and not long"),
}


class Times(NamedTuple):
    """Seconds by the clock, and processor seconds of programs that have ended."""

    clock: float
    processors: float

    def row(self, name: str) -> str:
        """Return the times as in `engine  5:07  280 s`."""
        minutes, seconds = divmod(round(self.clock), 60)
        return f"{name:12}{minutes:4}:{seconds:02}{self.processors:8.0f} s"


def main(arguments: Sequence[str]) -> int:
    own, extra = _split(arguments)
    names = [each for each in own if each != "--nightly"] or list(DEFAULT)
    if unknown := set(names) - PARTS.keys():
        print(f"tests/run.py: no such part: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    began = time.monotonic()
    missing = services.missing_programs()
    with ExitStack() as stack:
        stack.enter_context(prepared.shared_folder())
        server = ""
        if "PostgreSQL" not in missing and any(PARTS[name].server_in for name in names):
            server = stack.enter_context(services.postgresql())
        pool = stack.enter_context(ThreadPoolExecutor(AT_ONCE))
        stack.callback(interrupt)
        nightly = "--nightly" in own
        results = list(pool.map(lambda name: run(name, extra, server, missing, nightly), names))
    used = getrusage(RUSAGE_CHILDREN)
    everything = Times(time.monotonic() - began, used.ru_utime + used.ru_stime)
    print("\n=== time by the clock, and of all processors (in all: with PostgreSQL's server)")
    rows = [times.row(name) for name, (_, times) in zip(names, results, strict=True)]
    print(*rows, everything.row("all"), "", sep="\n")
    for program, package in missing.items():
        print(f"{program} is not installed; the Debian package {package} brings it.")
    total = sum((found for found, _ in results), Counter[str]())
    if REQUIRED:
        total["failed"] += total.pop("skipped", 0)
    print("{passed} passed, {failed} failed, {skipped} skipped".format_map(total), flush=True)
    return 1 if total["failed"] else 0


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the arguments before `--`, and those after it."""
    border = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:border], arguments[border + 1 :]


def run(
    name: str, extra: Sequence[str], server: str, missing: Mapping[str, str], nightly: bool
) -> tuple[Counter[str], Times]:
    """Run a part, and return the number of its results of each kind, and its times."""
    part = PARTS[name]
    lacking = [name for name in part.needs if name in missing]
    if lacking:
        print(f"{name}: skipped, because {', '.join(lacking)} is not installed", flush=True)
        return Counter(skipped=1), Times(0, 0)
    marks = [part.marks] if part.marks else []
    if not nightly:
        marks.append("not nightly")
    with services.temporary_folder() as folder:
        report = folder / "report.xml"
        command = [
            *(sys.executable, "-m", "pytest", "-q", "--tb=short", "--durations=10", "-n", "2"),
            *(f"--junit-xml={report}", "-m", " and ".join(marks), *part.options),
            # Paths among the extra arguments narrow the part down.
            *(() if any(_is_path(each) for each in extra) else paths(part)),
            *extra,
        ]
        code, times = call(name, command, environment(part, server, folder))
        found = counted(report)
    if part.server_in == "DATABASE_URL" and not server:
        found["skipped"] += 1  # they ran on SQLite instead
    if code and not found["failed"]:
        found["failed"] += 1  # interrupted, misused or without a single test
    return found, times


def paths(part: Part) -> Sequence[str]:
    """Return the paths that pytest collects for this part."""
    if not part.mark:
        return part.paths
    files = [file for path in part.paths for file in sorted(Path(path).rglob("test_*.py"))]
    return [str(file) for file in files if f"pytest.mark.{part.mark}" in file.read_text("utf-8")]


def _is_path(argument: str) -> bool:
    return Path(argument.partition("::")[0]).exists()


def environment(part: Part, server: str, folder: Path) -> dict[str, str]:
    """Return the environment variables of a part. Its site writes to `folder`."""
    variables = {"VAR_DIR": str(folder)}
    if server and part.server_in:
        variables |= {part.server_in: server, "HTTPS": "off", **services.TEST_KEYS}
    return services.clean_environment(**variables)


_started: list[subprocess.Popen[str]] = []


def call(name: str, command: Sequence[str], env: Mapping[str, str]) -> tuple[int, Times]:
    """Run a program of a part to its end, print its output, and return its exit code and times."""
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=0,
    )
    _started.append(process)
    assert process.stdout
    with process.stdout as lines:
        for line in lines:
            print(f"{name:12}{line}", end="", flush=True)
    _, status, used = os.wait4(process.pid, 0)  # unlike `wait`, it returns the processor time
    process.returncode = os.waitstatus_to_exitcode(status)
    with suppress(ProcessLookupError):  # usually nothing is left
        os.killpg(process.pid, signal.SIGKILL)  # servers that an interrupted part did not stop
    return process.returncode, Times(time.monotonic() - began, used.ru_utime + used.ru_stime)


def interrupt() -> None:
    """Stop all parts that are running: pytest, its workers, and the servers that they started."""
    for process in _started:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGINT)


def counted(report: Path) -> Counter[str]:
    """Return the results in a report of pytest, or none if it broke off before writing one."""
    found: Counter[str] = Counter()
    if report.exists():
        for suite in ElementTree.parse(report).iter("testsuite"):
            tests, failures, errors, skipped = (
                int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")
            )
            failed = failures + errors
            found.update(passed=tests - failed - skipped, failed=failed, skipped=skipped)
    return found


def stop_in_order() -> None:
    """Leave all `with` blocks, which stop the servers, when this process is told to stop."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("tests/run.py: stopped"))
    # A program that is started in the background ignores SIGINT, and so would its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    stop_in_order()
    sys.exit(main(sys.argv[1:]))
