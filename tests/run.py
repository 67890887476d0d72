"""Run every check and every test that a change must pass.

    python tests/run.py [--nightly] [PART ...] [-- pytest's arguments]

A part is one run of pytest in one or two processes. Two parts run at the same time, because tests
often wait for databases and other programs. With more processes, two cores need more time for each
test. Without PART, all of these run:

    application  all tests that are in no other part, on PostgreSQL
    browser      tests/browser, in Chromium
    services     the tests marked `services`, with PostgreSQL, Redis and Celery workers
    engine       the engine, without Django (tests/engine/pytest.ini)
    checks       formatting, lint, security, types, import contracts, migrations, deployment
    sqlite       the tests marked `sqlite` again, on SQLite

Two more parts run only if they are named, as in `make quick`:

    cases        the cases of the engine
    quick        the application without the tests marked `long`, on SQLite

Tests marked `nightly` run only with --nightly. Without it, some tests take daily samples of long
lists (`tests/daily.py`); the run prints their seed.

If a program is missing, the run names its Debian package and skips the parts that need it; the
application then runs on SQLite. With REQUIRE_SERVICES=1 a skip is a failure. The output of a part
is printed when the part has ended, or at once if it is the only one. At the end the run prints the
elapsed time and processor time of each part, the tests that failed, and the sum of all results.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Self
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import daily, prepared, services  # noqa: E402  # the line above makes them importable

SERVICES_REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
PARTS_AT_ONCE = 2
REPORT_FILE = "report.xml"
OUTPUT_FILE = "output"


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
# the longest first, so that no part runs alone at the end
DEFAULT_PARTS = {
    "browser": Part(
        ("tests/browser",),
        # One process is enough, because Chromium and the site are processes too.
        options=("-n", "1"),
        needs=("Chromium",),
        server_in="POSTGRESQL_SERVER",
    ),
    "application": Part(("tests",), "not services", NOT_APPLICATION, server_in="DATABASE_URL"),
    "services": Part(
        ("tests",),
        "services",
        # One process measures all figures of the bench, and the other runs everything else.
        (*NOT_APPLICATION, "--dist=loadfile"),
        ("PostgreSQL", "Redis"),
        "DATABASE_URL",
        "services",
    ),
    # Its thousands of short tests would cost a quarter more in two processes.
    "engine": Part(("tests/engine",), options=("-n", "0")),
    # The longest check comes first, so that the others run at the same time.
    "checks": Part(("tests/checks",), options=("-p", "no:randomly")),
    "sqlite": Part(("tests",), "sqlite and not services", NOT_APPLICATION, mark="sqlite"),
}
PARTS = DEFAULT_PARTS | {
    "cases": Part(("tests/engine/test_cases.py",)),
    "quick": Part(("tests/duels", "tests/spellcaster"), "not services and not long"),
}


@dataclass(frozen=True)
class Options:
    """Options that all parts of a run share."""

    extra: Sequence[str]  # arguments for pytest
    server: str  # the address of PostgreSQL's server, or nothing
    nightly: bool
    is_output_stored: bool  # and printed when a part has ended


@dataclass
class Run:
    """A part that runs in a process group of its own."""

    name: str
    process: subprocess.Popen[bytes]
    folder: Path  # for the part's site, the report of pytest and its output
    began: float = field(default_factory=time.monotonic)
    row: str = ""  # the times, as in `engine  5:07  280 s`

    @classmethod
    def start(cls, name: str, folder: Path, options: Options) -> Self:
        folder.mkdir()
        with (folder / OUTPUT_FILE).open("wb") as file:
            output = file if options.is_output_stored else None
            process = subprocess.Popen(
                pytest_command(PARTS[name], options, folder),
                env=part_environment(name, options, folder),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                process_group=0,
            )
        return cls(name, process, folder)

    def has_ended(self) -> bool:
        """Return True if the process has ended, and store its exit code and times."""
        pid, status, used = os.wait4(self.process.pid, os.WNOHANG)
        if not pid:
            return False
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.row = format_times(self.name, self.began, used.ru_utime + used.ru_stime)
        self.send_signal(signal.SIGKILL)  # servers that an interrupted part did not stop
        return True

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to pytest, its workers, and the servers that they started."""
        with suppress(ProcessLookupError):  # usually nothing is left at the end
            os.killpg(self.process.pid, number)

    def results(self) -> tuple[Counter[str], Sequence[str]]:
        """Return the number of results of each kind, and what failed."""
        found, failures = parse_report(self.folder / REPORT_FILE)
        if self.process.returncode and not found["failed"]:
            found["failed"] += 1  # interrupted, misused or without a single test
            failures = [f"pytest ended with exit code {self.process.returncode}"]
        return found, [f"failed: {self.name}: {each}" for each in failures]

    def output(self) -> str:
        """Return the stored output, or nothing if it was printed at once."""
        return (self.folder / OUTPUT_FILE).read_text("utf-8", "replace")


def main(arguments: Sequence[str]) -> int:
    own, extra = _split_at_double_dash(arguments)
    named = [each for each in own if each != "--nightly"]
    if unknown := set(named) - PARTS.keys():
        print(f"tests/run.py: no such part: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    began = time.monotonic()
    missing = services.missing_programs()
    wanted = named or list(DEFAULT_PARTS)
    names = [name for name in wanted if not missing.keys() & PARTS[name].needs]
    total = Counter(skipped=len(wanted) - len(names))
    rows: list[str] = []
    failures: list[str] = []
    with ExitStack() as stack:
        stack.enter_context(prepared.shared_folder())
        server = ""
        if "PostgreSQL" in missing:  # the application's tests run on SQLite instead
            total["skipped"] += sum(PARTS[name].server_in == "DATABASE_URL" for name in names)
        elif any(PARTS[name].server_in for name in names):
            server = stack.enter_context(services.postgresql())
        options = Options(extra, server, "--nightly" in own, is_output_stored=len(names) > 1)
        folder = stack.enter_context(services.temporary_folder())
        for run in run_parts(names, folder, options):
            print(f"\n=== {run.name}\n{run.output()}", flush=True)
            found, failed = run.results()
            total += found
            failures += failed
            rows.append(run.row)
    used = getrusage(RUSAGE_CHILDREN)
    print("\n=== time by the clock, and of all processors (in all: with PostgreSQL's server)")
    print(*rows, format_times("all", began, used.ru_utime + used.ru_stime), "", *failures, sep="\n")
    for program, package in missing.items():
        print(f"{program} is not installed; the Debian package {package} provides it.")
    if SERVICES_REQUIRED:
        total["failed"] += total.pop("skipped", 0)
    print("{passed} passed, {failed} failed, {skipped} skipped".format_map(total), flush=True)
    return 1 if total["failed"] else 0


def _split_at_double_dash(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the arguments before `--`, and those after it."""
    border = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:border], arguments[border + 1 :]


def run_parts(names: Sequence[str], folder: Path, options: Options) -> Iterator[Run]:
    """Yield the run of each part as soon as it has ended."""
    waiting = list(names)
    running: list[Run] = []
    try:
        while waiting or running:
            while waiting and len(running) < PARTS_AT_ONCE:
                name = waiting.pop(0)
                running.append(Run.start(name, folder / name, options))
            time.sleep(0.1)
            for run in [run for run in running if run.has_ended()]:
                running.remove(run)
                yield run
    finally:  # this run is stopped, unless all parts have ended
        for run in running:
            run.send_signal(signal.SIGINT)
        while running:
            time.sleep(0.1)
            running = [run for run in running if not run.has_ended()]


def pytest_command(part: Part, options: Options, folder: Path) -> Sequence[str]:
    """Return the command that runs the tests of a part."""
    marks = [part.marks] if part.marks else []
    if not options.nightly:
        marks.append("not nightly")
    return [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=short",
        "--durations=10",
        "-n",
        "2",
        f"--junit-xml={folder / REPORT_FILE}",
        "-m",
        " and ".join(marks),
        *part.options,
        # Paths among the extra arguments narrow the part down.
        *(() if any(_is_path(each) for each in options.extra) else collected_paths(part)),
        *options.extra,
    ]


def collected_paths(part: Part) -> Sequence[str]:
    """Return the paths that pytest collects for this part."""
    if not part.mark:
        return part.paths
    files = [file for path in part.paths for file in sorted(Path(path).rglob("test_*.py"))]
    return [str(file) for file in files if f"pytest.mark.{part.mark}" in file.read_text("utf-8")]


def _is_path(argument: str) -> bool:
    return Path(argument.partition("::")[0]).exists()


def part_environment(name: str, options: Options, folder: Path) -> dict[str, str]:
    """Return the environment variables of a part. Its site writes to `folder`.

    Each part has its own database, so that test databases have different names.
    """
    # One seed for all parts, even if they run past midnight.
    seed = daily.WHOLE_SEED if options.nightly else daily.SEED
    variables = {"VAR_DIR": str(folder), daily.SEED_VARIABLE: seed}
    if options.server and (variable := PARTS[name].server_in):
        database = prepared.new_postgresql(options.server, name)
        variables |= {variable: database, "HTTPS": "off", **services.TEST_KEYS}
    return services.clean_environment(**variables)


def parse_report(report: Path) -> tuple[Counter[str], Sequence[str]]:
    """Return the results in a report of pytest, and the tests that failed.

    If pytest was aborted, there is no report, and there are no results.
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


def format_times(name: str, began: float, processor_seconds: float) -> str:
    """Return the time since `began`, as in `engine  5:07  280 s`."""
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    return f"{name:12}{minutes:4}:{seconds:02}{processor_seconds:8.0f} s"


def stop_on_signals() -> None:
    """Leave all `with` blocks, which stop the servers, when this process is told to stop."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("tests/run.py: stopped"))
    # A program that is started in the background ignores SIGINT, and so would its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    stop_on_signals()
    sys.exit(main(sys.argv[1:]))
