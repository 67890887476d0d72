"""Run every check and every test that a change must pass.

    python tests/run.py [--nightly] [PART ...] [-- pytest's arguments]

A part is one run of pytest in two processes; the application and the browser have three. Parts run
one after another. Without PART, all of these run, the last two at the same time as the others,
because both often wait for programs that they have started:

    checks       formatting, lint, security, types, import contracts, migrations, deployment
    engine       the engine, without Django (tests/engine/pytest.ini)
    application  all other tests, on PostgreSQL
    sqlite       the tests marked `sqlite` again, on SQLite
    services     the tests marked `services`, with PostgreSQL, Redis and Celery workers
    browser      tests/browser, in Chromium

Two more parts run only if they are named, as in `make quick`:

    cases        the cases of the engine
    quick        the application without the tests marked `long`, on SQLite

Tests marked `nightly` run only with --nightly. Without it, some tests take daily samples of long
lists (`tests/daily.py`); the run prints their seed.

If a program is missing, the run names its Debian package and skips the parts that need it; the
application then runs on SQLite. With REQUIRE_SERVICES=1 a skip is a failure. At the end the run
prints the elapsed time and processor time of each part, the tests that failed, and the sum of all
results.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryFile
from typing import Self
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import daily, prepared, services  # noqa: E402  # the line above makes them importable

REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
SERVER = "POSTGRESQL_SERVER"  # the variable with the address of a server that is already running


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
DEFAULT = {
    # The longest check comes first, so that the others run at the same time.
    "checks": Part(("tests/checks",), options=("-p", "no:randomly")),
    "engine": Part(("tests/engine",)),
    "application": Part(
        # A third process runs while others wait for PostgreSQL.
        ("tests",),
        "not services",
        (*NOT_APPLICATION, "-n", "3"),
        server_in="DATABASE_URL",
    ),
    "sqlite": Part(("tests",), "sqlite and not services", NOT_APPLICATION, mark="sqlite"),
    "services": Part(
        ("tests",),
        "services",
        # One process measures all figures of the bench, and the other runs everything else.
        (*NOT_APPLICATION, "--dist=loadfile"),
        ("PostgreSQL", "Redis"),
        "DATABASE_URL",
        "services",
    ),
    "browser": Part(
        # Pages wait for frames and polls, so that two processes leave half of the time unused.
        ("tests/browser",),
        options=("-n", "3"),
        needs=("Chromium",),
        server_in=SERVER,
    ),
}
BESIDE = ("services", "browser")  # run at the same time as the other parts
PARTS = DEFAULT | {
    "cases": Part(("tests/engine/test_cases.py",)),
    "quick": Part(("tests/duels", "tests/spellcaster"), "not services and not long"),
}


@dataclass(frozen=True)
class Times:
    """Elapsed seconds, and processor seconds of all programs that have ended."""

    clock: float
    processors: float

    @classmethod
    def now(cls) -> Self:
        used = getrusage(RUSAGE_CHILDREN)
        return cls(time.monotonic(), used.ru_utime + used.ru_stime)

    def row(self, name: str) -> str:
        """Return the time since then, as in `engine  5:07  280 s`."""
        now = self.now()
        minutes, seconds = divmod(round(now.clock - self.clock), 60)
        return f"{name:12}{minutes:4}:{seconds:02}{now.processors - self.processors:8.0f} s"


def main(arguments: Sequence[str]) -> int:
    own, extra = _split_at_double_dash(arguments)
    options = [each for each in own if each == "--nightly"]
    named = [each for each in own if each not in options]
    if unknown := set(named) - PARTS.keys():
        print(f"tests/run.py: no such part: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    began = Times.now()
    missing = services.missing_programs()
    total: Counter[str] = Counter()
    rows, failures = [], []
    with ExitStack() as stack:
        stack.enter_context(prepared.shared_folder())
        names = named or [each for each in DEFAULT if each not in BESIDE]
        server = ""
        if "PostgreSQL" not in missing and any(PARTS[name].server_in for name in names):
            server = os.environ.get(SERVER) or stack.enter_context(services.postgresql())
        beside = None
        if not named:
            command = [*options, *BESIDE, "--", *extra]
            beside = stack.enter_context(another_run(command, server))
        for name in names:
            print(f"\n=== {name}", flush=True)
            part_began = Times.now()
            found, failed = run(PARTS[name], extra, server, missing, nightly=bool(options))
            total += found
            failures += [f"failed: {name}: {each}" for each in failed]
            rows.append(part_began.row(name))
        if beside:
            total += beside()
    print("\n=== time by the clock, and of all processors (in all: with PostgreSQL's server)")
    print(*rows, began.row("all"), "", *failures, sep="\n")
    for program, package in missing.items():
        print(f"{program} is not installed; the Debian package {package} brings it.")
    if REQUIRED:
        total["failed"] += total.pop("skipped", 0)
    print("{passed} passed, {failed} failed, {skipped} skipped".format_map(total), flush=True)
    return 1 if total["failed"] else 0


@contextmanager
def another_run(arguments: Sequence[str], server: str = "") -> Iterator[Callable[[], Counter[str]]]:
    """Start this program again with other arguments, and stop it at the end of the block.

    It uses the same PostgreSQL server, whose tables are then created only once, with another
    database. The yielded function waits for it, prints its output, and returns its results.
    """
    shared = {SERVER: prepared.new_postgresql(server, "beside")} if server else {}
    with TemporaryFile("w+", encoding="utf-8") as output:
        command = [sys.executable, __file__, *arguments]
        process = subprocess.Popen(
            command,
            env=os.environ | shared,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            process_group=0,
        )

        def results() -> Counter[str]:
            process.wait()
            output.seek(0)
            *lines, last = output.read().splitlines() or [""]
            print(*lines, sep="\n")
            found = Counter({name: int(n) for n, name in re.findall(r"(\d+) (\w+)", last)})
            found["failed"] += bool(process.returncode and not found["failed"])  # broken off
            return found

        try:
            yield results
        finally:
            process.terminate()
            process.wait()


def _split_at_double_dash(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the arguments before `--`, and those after it."""
    border = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:border], arguments[border + 1 :]


def run(
    part: Part, extra: Sequence[str], server: str, missing: Mapping[str, str], *, nightly: bool
) -> tuple[Counter[str], Sequence[str]]:
    """Run a part, and return the number of its results of each kind, and what failed."""
    lacking = [name for name in part.needs if name in missing]
    if lacking:
        print(f"skipped: {', '.join(lacking)} is not installed")
        return Counter(skipped=1), ()
    marks = [part.marks] if part.marks else []
    if not nightly:
        marks.append("not nightly")
    with services.temporary_folder() as folder:
        report = folder / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--tb=short",
            "--durations=10",
            "-n",
            "2",
            f"--junit-xml={report}",
            "-m",
            " and ".join(marks),
            *part.options,
            # Paths among the extra arguments narrow the part down.
            *(() if any(_is_path(each) for each in extra) else paths(part)),
            *extra,
        ]
        code = run_program(command, environment(part, server, folder, nightly=nightly))
        found, failures = parse_report(report)
    if part.server_in == "DATABASE_URL" and not server:
        found["skipped"] += 1  # these tests have run on SQLite instead
    if code and not found["failed"]:
        found["failed"] += 1  # interrupted, misused or without a single test
        failures = [f"pytest ended with exit code {code}"]
    return found, failures


def paths(part: Part) -> Sequence[str]:
    """Return the paths that pytest collects for this part."""
    if not part.mark:
        return part.paths
    files = [file for path in part.paths for file in sorted(Path(path).rglob("test_*.py"))]
    return [str(file) for file in files if f"pytest.mark.{part.mark}" in file.read_text("utf-8")]


def _is_path(argument: str) -> bool:
    return Path(argument.partition("::")[0]).exists()


def environment(part: Part, server: str, folder: Path, *, nightly: bool = False) -> dict[str, str]:
    """Return the environment variables of a part. The part's site writes to `folder`."""
    # One seed for all parts, even if they run past midnight.
    seed = daily.WHOLE if nightly else daily.SEED
    variables = {"VAR_DIR": str(folder), daily.VARIABLE: seed}
    if server and part.server_in:
        variables |= {part.server_in: server, "HTTPS": "off", **services.TEST_KEYS}
    return services.clean_environment(**variables)


def run_program(command: Sequence[str], env: Mapping[str, str]) -> int:
    """Run a program to its end, and return its exit code. Interrupt it if this run is stopped."""
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, process_group=0)
    try:
        return process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGINT)  # pytest, its workers, and the servers they started
        process.wait()
        raise
    finally:
        with suppress(ProcessLookupError):  # usually nothing is left
            os.killpg(process.pid, signal.SIGKILL)  # servers that an interrupted part did not stop


def parse_report(report: Path) -> tuple[Counter[str], Sequence[str]]:
    """Return the results in a report of pytest, and the tests that failed.

    Without a report, because pytest broke off, there are no results.
    """
    found: Counter[str] = Counter()
    if not report.exists():
        return found, ()
    suites = ElementTree.parse(report)
    for suite in suites.iter("testsuite"):
        tests, failures, errors, skipped = (
            int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")
        )
        failed = failures + errors
        found.update(passed=tests - failed - skipped, failed=failed, skipped=skipped)
    return found, [
        f"{test.get('classname')}.{test.get('name')}: {first_line(problem)}"
        for test in suites.iter("testcase")
        for problem in (*test.iter("failure"), *test.iter("error"))
    ]


def first_line(problem: ElementTree.Element) -> str:
    return problem.get("message", "").partition("\n")[0]


def stop_on_signals() -> None:
    """Leave all `with` blocks, which stop the servers, when this process is told to stop."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("tests/run.py: stopped"))
    # A program that is started in the background ignores SIGINT, and so would its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    stop_on_signals()
    sys.exit(main(sys.argv[1:]))
