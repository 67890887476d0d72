"""The other tests of the engine, which run on mutants that no trial notices."""

import contextlib
import io
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

import pytest

from tests.engine.mutants.patch import record_places

TESTS_FOLDER = Path(__file__).parent.parent
TEST_NAMES = (
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
)
TEST_FILES = [
    *(TESTS_FOLDER / f"test_{name}.py" for name in TEST_NAMES),
    *sorted((TESTS_FOLDER / "switches").glob("test_*.py")),
]
TEST_TIMEOUT_SECONDS = 30


def load_test_modules() -> None:
    """Load the test modules, so that processes started later inherit them."""
    _run_pytest(["--collect-only"])


def places_by_test() -> dict[str, int]:
    """Return the places in the engine that each test reaches, by test."""
    watching = _PlaceRecorder()
    _run_pytest([], watching)
    return watching.places


def first_failing_at_places(places: Mapping[str, int], touches: int) -> str:
    """Return the first failing test among those that reach these places, or among all if 0."""
    return first_failing_test(
        {test for test, own in places.items() if not touches or own & touches}
    )


def first_failing_test(tests: Set[str]) -> str:
    """Return the first of these tests that fails, or ""."""
    asked = _TestSelection(tests)
    if tests:
        _run_pytest(["-x"], asked)
    return asked.failing


class _PlaceRecorder:
    """A pytest plugin that records the places that each test reaches."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        with record_places() as seen:
            yield
        self.places[item.nodeid] = seen()


class _TestSelection:
    """A pytest plugin that runs only these tests and records the first one that fails."""

    def __init__(self, tests: Set[str]) -> None:
        self.tests = tests
        self.failing = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.record_first_failure(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.record_first_failure(report)

    def record_first_failure(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.failing:
            self.failing = report.nodeid


def _run_pytest(arguments: Sequence[str], *plugins: object) -> None:
    usual = [
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",  # this process has already imported Hypothesis
        "--timeout",
        str(TEST_TIMEOUT_SECONDS),
    ]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pytest.main([*usual, *arguments, *map(str, TEST_FILES)], plugins=list(plugins))
