"""The other tests of the engine, which run on mutants that no trial notices."""

import contextlib
import io
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

import pytest

from tests.engine.mutants.patch import watch_places

TESTS = Path(__file__).parent.parent
NAMES = (
    "rulesets",
    "resolve",
    "stepwise",
    "numbered",
    "check",
    "sheet",
    "view",
    "sample_games",
    "codec",
    "begin",
    "gestures",
    "switches",
)
FILES = [str(TESTS / f"test_{name}.py") for name in NAMES]
PATIENCE_SECONDS = 30


def load_test_modules() -> None:
    """Load the test modules, so that processes started later inherit them."""
    _run(["--collect-only"])


def places_by_test() -> dict[str, int]:
    """Return the places in the engine that each test reaches, by test."""
    watching = _Watching()
    _run([], watching)
    return watching.places


def failing(places: Mapping[str, int], touches: int) -> str:
    """Return the first failing test among those that reach these places, or among all if 0."""
    return first_failing({test for test, own in places.items() if not touches or own & touches})


def first_failing(tests: Set[str]) -> str:
    """Return the first of these tests that fails, or ""."""
    asked = _Asked(tests)
    if tests:
        _run(["-x"], asked)
    return asked.failing


class _Watching:
    """A pytest plugin that records the places that each test reaches."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        with watch_places() as seen:
            yield
        self.places[item.nodeid] = seen()


class _Asked:
    """A pytest plugin that runs only these tests and records the first one that fails."""

    def __init__(self, tests: Set[str]) -> None:
        self.tests = tests
        self.failing = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.note(report)

    def note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.failing:
            self.failing = report.nodeid


def _run(arguments: Sequence[str], *plugins: object) -> None:
    usual = [
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",  # this process has already imported Hypothesis
        "--timeout",
        str(PATIENCE_SECONDS),
    ]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pytest.main([*usual, *arguments, *FILES], plugins=list(plugins))
