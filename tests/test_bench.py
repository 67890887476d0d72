"""Tests that the bench prints every promised figure, and that figures are within budgets."""

import re
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from bench import load
from bench.sizes import SMALLEST_LOAD
from tests import prepared, services
from tests.budgets import BUDGETS, MIN_BUDGET_SHARE
from tests.conftest import require_programs

# the first test waits for all parts of the bench, which take a long time on a busy machine
pytestmark = [pytest.mark.services, pytest.mark.timeout(3600)]

PROMISES_FILE = Path(__file__).parent / "PROMISES.md"
FIGURE_PATTERN = re.compile(r"([a-z][a-z0-9_]*) (\d+(?:\.\d+)?) ([a-zA-Z0-9/]+)")
COMPARE_WITH_HEAD = "bench.against", "HEAD", "--ruleset=bartle-1", "--duels=1", "--rounds=1"
COUNTED_SUFFIX = "instructions"  # in the names of figures that valgrind counts


@pytest.fixture
def bench_lines(postgresql_server: str) -> list[str]:
    """Return the output lines of all parts of the bench, at the smallest size."""
    require_programs("PostgreSQL", "Redis", "Chromium")
    return prepared.bench_output(postgresql_server).splitlines()


@pytest.fixture
def figures(bench_lines: list[str]) -> dict[str, float]:
    found = [match.groups() for line in bench_lines if (match := FIGURE_PATTERN.fullmatch(line))]
    return {name: float(value) for name, value, _ in found}


def test_bench_prints_only_numbers_with_names_and_units(bench_lines: list[str]) -> None:
    assert [line for line in bench_lines if not FIGURE_PATTERN.fullmatch(line)] == []
    names = [line.split()[0] for line in bench_lines]
    assert sorted(set(names)) == sorted(names)


def test_bench_prints_every_figure_listed_with_the_promises(figures: dict[str, float]) -> None:
    require_programs("valgrind")
    assert missing_figures("Figures", figures) == set()


@pytest.mark.nightly
def test_make_load_prints_every_figure_that_the_promises_list() -> None:
    require_programs("PostgreSQL", "Redis")
    names = [name for name, _, _ in load.figures(SMALLEST_LOAD)]
    assert missing_figures("Figures of `make load`", names) == set()


@pytest.mark.nightly
def test_make_faster_and_practice_print_every_figure_that_the_promises_list() -> None:
    require_programs("valgrind")
    env = services.clean_environment()
    lines = [
        *prepared.module_output(*COMPARE_WITH_HEAD, env=env).splitlines(),
        *prepared.module_output("bench.practice", "1", env=env).splitlines(),
    ]
    figures = [match[1] for line in lines if (match := FIGURE_PATTERN.fullmatch(line))]
    assert len(figures) == len(lines), lines
    assert missing_figures("Figures of `make faster` and `make practice`", figures) == set()


def missing_figures(title: str, bench_lines: Collection[str]) -> set[str]:
    """Return the figures in the table under this title that the bench did not print."""
    table = PROMISES_FILE.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    _titles, _line, *rows = re.findall(
        r"^\| (.+) \|.*\|$", table.partition("\n## ")[0], re.MULTILINE
    )
    named = {name for row in rows for name in re.findall(r"`([a-z0-9_*]+)`", row)}
    assert len(named) > len(rows)
    return {each for each in named if not any(fnmatchcase(name, each) for name in bench_lines)}


@pytest.mark.parametrize("name", BUDGETS)
def test_figure_is_within_its_budget(name: str, figures: dict[str, float]) -> None:
    if COUNTED_SUFFIX in name:
        require_programs("valgrind")
    budget, reason = BUDGETS[name]
    assert figures[name] <= budget, f"exceeds its budget ({reason})"
    assert figures[name] >= budget * MIN_BUDGET_SHARE, "is far below its budget: lower the line"
