"""Everything that must hold before a change is good: the checks, then the tests.

    python tests/run.py [PART ...] [-- pytest's arguments]

With no part named, all of them run:

    checks      formatting, lint, security, types, borders, migrations, deployment settings
    engine      the tests of the engine alone, without Django (tests/engine/pytest.ini)
    sqlite      the tests of the application, on the embedded database
    postgresql  those that use the database again, on a PostgreSQL server of our own
    services    the tests marked `services`, with PostgreSQL, Redis and Celery workers
    browser     tests/browser, with Chromium

and one part runs only where it is named, for before each commit:

    quick       the cases of the engine, and the tests of the application on SQLite that are not
                marked `long`

Two parts run at a time, since each of them waits now and then; what a part prints comes when it
has ended. A program that is not installed is named, with the Debian package that brings it, and
what needs it is skipped; with REQUIRE_SERVICES=1 that is a failure. At the end stand the time of
each part and the slowest tests; the last line sums all runs.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from heapq import nlargest
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import prepared, services  # noqa: E402  # the line above makes them importable

PROGRAMS = Path(sys.executable).parent
REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
PARTS = (
    "browser",
    "postgresql",
    "engine",
    "sqlite",
    "services",
    "checks",
)  # the longest begin first
AT_A_TIME = 2
SLOWEST = 10


@dataclass(frozen=True)
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


PASSED = Tally(passed=1)
FAILED = Tally(failed=1)


@dataclass
class Part:
    """A part as it runs: what it prints, finds and costs."""

    name: str
    extra: Sequence[str] = ()  # arguments for pytest
    postgresql: str = ""  # the address of the server, where there is one
    is_live: bool = True  # it prints at once, and not when it has ended
    printed: list[str] = field(default_factory=list)
    tally: Tally = Tally()
    seconds: float = 0
    processor_seconds: float = 0
    tests: list[tuple[float, str]] = field(default_factory=list)  # seconds and name of each

    def say(self, text: str) -> None:
        self.printed.append(text)
        if self.is_live:
            print(text, flush=True)

    def announce(self, text: str) -> None:
        self.say(f"\n=== {text}")

    def call(
        self, command: Sequence[str], env: Mapping[str, str] | None, *, is_shown: bool = True
    ) -> tuple[int, str]:
        """Runs a program: its exit code, and what it has printed and not shown."""
        is_inherited = self.is_live and is_shown
        process = subprocess.Popen(
            command,
            env=env,
            stdout=None if is_inherited else subprocess.PIPE,
            stderr=None if is_inherited else subprocess.STDOUT,
            text=True,
        )
        CHILDREN[process.pid] = process
        if STOPPING.is_set():
            process.send_signal(signal.SIGINT)
        told = ""
        try:
            if process.stdout:
                with process.stdout:
                    told = process.stdout.read()
            # Unlike Popen's own way to wait, this says what it and all it started have used.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # told to stop: what it has started leaves in order
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        del CHILDREN[process.pid]
        self.processor_seconds += usage.ru_utime + usage.ru_stime
        if is_shown and told:
            self.printed.append(told)
        return process.returncode, told


CHILDREN: dict[int, "subprocess.Popen[str]"] = {}
STOPPING = threading.Event()


def main(arguments: Sequence[str]) -> int:
    names, extra = _split(arguments)
    if unknown := set(names) - set(RUNS):
        print(f"tests/run.py: no such part: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    began = time.monotonic()
    missing = services.missing_programs()
    with ExitStack() as stack:
        stack.enter_context(prepared.shared_folder())
        parts = [Part(name, extra) for name in names or PARTS]
        users = [part for part in parts if part.name in USES_POSTGRESQL]
        if "PostgreSQL" not in missing and any(not lacking(part, missing) for part in users):
            server = stack.enter_context(services.postgresql())
            for part in users:
                part.postgresql = server
        run_parts(parts, missing)
    total = sum((part.tally for part in parts), Tally())
    if REQUIRED:
        total = Tally(total.passed, total.failed + total.skipped, 0)
    show_times(parts, time.monotonic() - began)
    for name, package in missing.items():
        print(f"{name} is not installed; the Debian package {package} brings it.")
    print(total, flush=True)
    return 1 if total.failed else 0


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return list(arguments), []
    border = list(arguments).index("--")
    return list(arguments[:border]), list(arguments[border + 1 :])


def run_parts(parts: Sequence[Part], missing: Mapping[str, str]) -> None:
    """All of them, some at a time; the output of each stays together."""
    if len(parts) == 1:
        run_part(parts[0], missing)
        return
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        try:
            for part in parts:
                part.is_live = False
            for ended in as_completed([pool.submit(run_part, part, missing) for part in parts]):
                print("\n".join(ended.result().printed), flush=True)
        except BaseException:  # interrupted, or told to stop: what was started leaves in order
            STOPPING.set()
            for process in list(CHILDREN.values()):
                process.send_signal(signal.SIGINT)
            raise


def run_part(part: Part, missing: Mapping[str, str]) -> Part:
    if STOPPING.is_set():
        part.tally = FAILED
    elif names := lacking(part, missing):
        part.announce(f"{part.name}: skipped, for want of {', '.join(names)}")
        part.tally = Tally(skipped=1)
    else:
        began = time.monotonic()
        part.tally = RUNS[part.name](part)
        part.seconds = time.monotonic() - began
    return part


def lacking(part: Part, missing: Mapping[str, str]) -> list[str]:
    """The programs that this part needs and that are not installed."""
    return [name for name in NEEDS[part.name] if name in missing]


def show_times(parts: Sequence[Part], seconds: float) -> None:
    print("\n=== times: by the clock, and of all processors")
    for part in parts:
        print(f"{part.name:12}{minutes(part.seconds)}{part.processor_seconds:8.0f} s")
    used = sum(part.processor_seconds for part in parts)
    print(f"{'all':12}{minutes(seconds)}{used:8.0f} s")
    slowest = nlargest(SLOWEST, [(*test, part.name) for part in parts for test in part.tests])
    if slowest:
        print(f"\n=== the {len(slowest)} slowest tests, with what they set up")
    for took, name, part_name in slowest:
        print(f"{took:6.1f} s  {part_name}  {name}")
    print()


def minutes(seconds: float) -> str:
    """5:07 for 307 seconds, in seven columns."""
    return f"{int(seconds) // 60:4}:{int(seconds) % 60:02}"


# Checks

CODE = ("duels", "engine", "spellcaster", "manage.py")


def checks(part: Part) -> Tally:
    """Every check, each counted as one test."""
    with services.temporary_folder() as folder:
        bare = services.clean_environment(VAR_DIR=str(folder))
        # With keys of one's own, as whoever follows the example has to have them.
        own = dict(example_environment()) | services.TEST_KEYS
        example = services.clean_environment(**own, VAR_DIR=str(folder))
        return sum(
            (
                check(part, "ruff", "format", "--check", "."),
                check(part, "ruff", "check", "."),
                check(part, "bandit", "-q", "-c", "pyproject.toml", "-r", *CODE),
                audit(part),
                check(part, "mypy"),
                check(part, "pyright", "--warnings"),
                check(part, "lint-imports"),
                check(part, "python", "manage.py", "makemigrations", "--check", env=bare),
                check(
                    part,
                    *("python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"),
                    env=example,
                ),
            ),
            Tally(),
        )


def check(part: Part, program: str, *arguments: str, env: Mapping[str, str] | None = None) -> Tally:
    part.announce(" ".join((program, *arguments)))
    began = time.monotonic()
    code, told = part.call([str(PROGRAMS / program), *arguments], env, is_shown=False)
    part.tests.append((time.monotonic() - began, program))
    if code:
        part.say(told)
        return FAILED
    return PASSED


def audit(part: Part) -> Tally:
    """Known vulnerabilities of what is pinned. What could not be asked is said, and no failure."""
    part.announce("python -m tests.audit")
    code, told = part.call([sys.executable, "-m", "tests.audit"], None, is_shown=False)
    part.say(told.strip())
    return FAILED if code else PASSED


def example_environment() -> Iterator[tuple[str, str]]:
    """The settings of the example production environment."""
    for line in (ROOT / ".env.example").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name, value


# Tests

NO_BROWSER = "--ignore=tests/browser"
NO_ENGINE = "--ignore=tests/engine"
NO_SERVICES = ("-m", "not services")
TWO = ("-n", "2")


def engine(part: Part) -> Tally:
    return _engine(part, "the tests of the engine", "tests/engine")


def sqlite(part: Part) -> Tally:
    return _on_sqlite(part, NO_BROWSER, NO_ENGINE, *NO_SERVICES)


def quick(part: Part) -> Tally:
    cases = _engine(part, "the cases of the engine", "tests/engine/test_cases.py")
    short = ("-m", "not services and not long")
    return cases + _on_sqlite(part, "tests/duels", "tests/spellcaster", *short)


def _engine(part: Part, title: str, *arguments: str) -> Tally:
    """In one process: to hand round its thousands of short tests takes longer than they do."""
    return tests(part, title, *arguments, env=services.clean_environment())


def _on_sqlite(part: Part, *arguments: str) -> Tally:
    with services.temporary_folder() as folder:
        env = services.clean_environment(VAR_DIR=str(folder))
        title = "the tests of the application on SQLite"
        return tests(part, title, *arguments, *TWO, env=env)


def postgresql(part: Part) -> Tally:
    with services.temporary_folder() as folder:
        return tests(
            part,
            "the tests of the application on PostgreSQL",
            *(NO_BROWSER, NO_ENGINE, "-m", "database and not services", *TWO),
            env=_on_postgresql(part, folder),
        )


def with_services(part: Part) -> Tally:
    with services.temporary_folder() as folder:
        return tests(
            part,
            "the tests with PostgreSQL, Redis and Celery workers",
            *(NO_BROWSER, NO_ENGINE, "-m", "services"),
            env=_on_postgresql(part, folder),
        )


def browser(part: Part) -> Tally:
    with services.temporary_folder() as folder:
        env = services.clean_environment(VAR_DIR=str(folder), POSTGRESQL_SERVER=part.postgresql)
        return tests(part, "the tests in Chromium", "tests/browser", *TWO, env=env)


def _on_postgresql(part: Part, folder: Path) -> dict[str, str]:
    return services.clean_environment(
        DATABASE_URL=part.postgresql, HTTPS="off", VAR_DIR=str(folder), **services.TEST_KEYS
    )


def tests(part: Part, title: str, *arguments: str, env: Mapping[str, str]) -> Tally:
    part.announce(title)
    with services.temporary_folder() as folder:
        report = folder / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "--tb=short", f"--junit-xml={report}"]
        code, _ = part.call([*command, *narrowed(arguments, part.extra)], env)
        tally = counted(report)
        part.tests.extend(durations(report))
    # Interrupted, misused or without a single test: not a success, whatever was counted.
    return tally + FAILED if code and not tally.failed else tally


def narrowed(arguments: Sequence[str], extra: Sequence[str]) -> list[str]:
    """A part's own folders and files give way to those that the extra arguments name."""
    if any(_is_tests(each) for each in extra):
        arguments = [each for each in arguments if not _is_tests(each)]
    return [*arguments, *extra]


def _is_tests(argument: str) -> bool:
    """Whether the argument is a folder or a file of tests, or one test in a file."""
    return argument.startswith("tests/") and Path(argument.partition("::")[0]).exists()


def counted(report: Path) -> Tally:
    """What pytest's report says; nothing where it broke off before writing one."""
    if not report.exists():
        return Tally()
    tally = Tally()
    for suite in ElementTree.parse(report).iter("testsuite"):
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped = int(suite.get("skipped", 0))
        tally += Tally(int(suite.get("tests", 0)) - failed - skipped, failed, skipped)
    return tally


def durations(report: Path) -> list[tuple[float, str]]:
    """The seconds that each test has taken with its fixtures, and its name."""
    if not report.exists():
        return []
    return [
        (float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}")
        for case in ElementTree.parse(report).iter("testcase")
    ]


NEEDS = {
    "checks": (),
    "engine": (),
    "sqlite": (),
    "quick": (),
    "postgresql": ("PostgreSQL",),
    "services": ("PostgreSQL", "Redis"),
    "browser": ("Chromium",),
}
USES_POSTGRESQL = {"postgresql", "services", "browser"}
RUNS = {
    "checks": checks,
    "engine": engine,
    "sqlite": sqlite,
    "quick": quick,
    "postgresql": postgresql,
    "services": with_services,
    "browser": browser,
}


def stop_in_order() -> None:
    """Told to stop, leave the with blocks, which stop the servers."""
    signal.signal(signal.SIGTERM, _stop)
    # Programs that are started in the background ignore it, and so would all that we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(*_: object) -> None:
    raise SystemExit("tests/run.py: stopped")


if __name__ == "__main__":
    stop_in_order()
    sys.exit(main(sys.argv[1:]))
