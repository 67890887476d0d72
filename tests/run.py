"""Everything that must hold before a change is good: the checks, then the tests.

    python tests/run.py [checks] [sqlite] [postgresql] [services] [browser] [-- pytest's arguments]

With no part named, all of them run:

    checks      formatting, lint, types, borders, migrations, deployment settings
    sqlite      the tests on the embedded database
    postgresql  the tests of the application again, on a PostgreSQL server of our own
    services    the tests marked `services`, with PostgreSQL, Redis and Celery workers
    browser     tests/browser, with Chromium

A program that is not installed is named, with the Debian package that brings it, and what needs it
is skipped; with REQUIRE_SERVICES=1 that is a failure. The last line sums all runs.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import services  # noqa: E402  # the line above makes it importable

PROGRAMS = Path(sys.executable).parent
REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
PARTS = ("checks", "sqlite", "postgresql", "services", "browser")


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


def main(arguments: Sequence[str]) -> int:
    parts, extra = _split(arguments)
    if unknown := set(parts) - set(PARTS):
        print(f"tests/run.py: no such part: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    missing = services.missing_programs()
    total = sum((run_part(part, extra, missing) for part in parts or PARTS), Tally())
    if REQUIRED:
        total = Tally(total.passed, total.failed + total.skipped, 0)
    for name, package in missing.items():
        print(f"{name} is not installed; the Debian package {package} brings it.")
    print(total, flush=True)
    return 1 if total.failed else 0


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return list(arguments), []
    border = list(arguments).index("--")
    return list(arguments[:border]), list(arguments[border + 1 :])


def run_part(part: str, extra: Sequence[str], missing: Mapping[str, str]) -> Tally:
    lacking = [name for name in NEEDS[part] if name in missing]
    if lacking:
        announce(f"{part}: skipped, for want of {', '.join(lacking)}")
        return Tally(skipped=1)
    return RUNS[part](extra)


def announce(text: str) -> None:
    print(f"\n=== {text}", flush=True)


# Checks


def checks(extra: Sequence[str]) -> Tally:
    """Every check, each counted as one test."""
    with services.temporary_folder() as folder:
        bare = services.clean_environment(VAR_DIR=str(folder))
        example = services.clean_environment(**dict(example_environment()), VAR_DIR=str(folder))
        return sum(
            (
                check("ruff", "format", "--check", "."),
                check("ruff", "check", "."),
                check("mypy"),
                check("pyright", "--warnings"),
                check("lint-imports"),
                check("python", "manage.py", "makemigrations", "--check", env=bare),
                check(
                    *("python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"),
                    env=example,
                ),
            ),
            Tally(),
        )


def check(program: str, *arguments: str, env: Mapping[str, str] | None = None) -> Tally:
    announce(" ".join((program, *arguments)))
    done = subprocess.run(
        [str(PROGRAMS / program), *arguments],
        env=env,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        print(done.stdout, flush=True)
        return FAILED
    return PASSED


def example_environment() -> Iterator[tuple[str, str]]:
    """The settings of the example production environment."""
    for line in (ROOT / ".env.example").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name, value


# Tests


def sqlite(extra: Sequence[str]) -> Tally:
    with services.temporary_folder() as folder:
        env = services.clean_environment(VAR_DIR=str(folder))
        return tests(
            "the tests on SQLite",
            *("--ignore=tests/browser", "-m", "not services", "-n", "2", *extra),
            env=env,
        )


def postgresql(extra: Sequence[str]) -> Tally:
    with services.postgresql() as url, services.temporary_folder() as folder:
        return tests(
            "the tests of the application on PostgreSQL",
            *("--ignore=tests/browser", "--ignore=tests/engine"),
            *("-m", "not services", "-n", "2", *extra),
            env=_on_postgresql(url, folder),
        )


def with_services(extra: Sequence[str]) -> Tally:
    with services.postgresql() as url, services.temporary_folder() as folder:
        return tests(
            "the tests with PostgreSQL, Redis and Celery workers",
            *("--ignore=tests/browser", "--ignore=tests/engine", "-m", "services", *extra),
            env=_on_postgresql(url, folder),
        )


def browser(extra: Sequence[str]) -> Tally:
    with services.temporary_folder() as folder:
        env = services.clean_environment(VAR_DIR=str(folder))
        return tests("the tests in Chromium", "tests/browser", "-n", "2", *extra, env=env)


def _on_postgresql(url: str, folder: Path) -> dict[str, str]:
    return services.clean_environment(
        DATABASE_URL=url, HTTPS="off", VAR_DIR=str(folder), **services.TEST_KEYS
    )


def tests(title: str, *arguments: str, env: Mapping[str, str]) -> Tally:
    announce(title)
    with services.temporary_folder() as folder:
        report = folder / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--tb=short",
            f"--junit-xml={report}",
            *arguments,
        ]
        code = subprocess.run(command, env=env, check=False).returncode
        tally = counted(report)
    # Interrupted, misused or without a single test: not a success, whatever was counted.
    return tally + FAILED if code and not tally.failed else tally


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


NEEDS = {
    "checks": (),
    "sqlite": (),
    "postgresql": ("PostgreSQL",),
    "services": ("PostgreSQL", "Redis"),
    "browser": ("Chromium",),
}
RUNS = {
    "checks": checks,
    "sqlite": sqlite,
    "postgresql": postgresql,
    "services": with_services,
    "browser": browser,
}

if __name__ == "__main__":
    # Told to stop, leave the with blocks, which stop the servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("tests/run.py: stopped"))
    sys.exit(main(sys.argv[1:]))
