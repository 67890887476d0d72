"""The faults, for a minute. `make faults` takes ten."""

import secrets

import pytest

from bench.output import print_figure
from tests.conftest import require_programs
from tests.faults.run import broken_promises, run

pytestmark = [pytest.mark.services, pytest.mark.nightly, pytest.mark.timeout(1800)]


def test_nothing_is_lost_while_processes_die() -> None:
    require_programs("PostgreSQL", "Redis")
    seed = secrets.randbelow(1_000_000)
    print_figure("seed", seed, "number")
    figures = run(seconds=60, seed=seed, pairs=6)
    for figure in figures:
        print_figure(*figure)
    assert broken_promises(figures) == []
    assert {name: value for name, value, _ in figures}["acknowledged_seals"] > 0
