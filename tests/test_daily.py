"""Tests that daily samples change every day, eventually cover all cases, and can be repeated."""

from pathlib import Path

import pytest

from tests import daily, run

CASES = [f"case {number}" for number in range(50)]


@pytest.fixture
def force_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this run take samples, even if it is a nightly run."""
    monkeypatch.setattr(daily, "IS_WHOLE", False)


def daily_samples(monkeypatch: pytest.MonkeyPatch, days: int) -> list[list[str]]:
    """Return the samples for this many days."""
    found = []
    for day in range(days):
        monkeypatch.setattr(daily, "SEED", f"day {day}")
        found.append(daily.sample(CASES, 4, "key"))
    return found


@pytest.mark.usefixtures("force_samples")
def test_sample_is_the_same_all_day_and_keeps_the_order_of_cases() -> None:
    one, again = (daily.sample(CASES, 4, "key") for _ in range(2))
    assert one == again == sorted(one, key=CASES.index)
    assert len(one) == 13
    assert daily.sample(CASES, 4, "another key") != one


@pytest.mark.usefixtures("force_samples")
def test_samples_of_a_few_weeks_cover_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    found = daily_samples(monkeypatch, 40)
    assert found[0] != found[1]
    assert {case for each in found for case in each} == {*CASES}


@pytest.mark.usefixtures("force_samples")
def test_sample_has_at_least_one_case_if_there_is_any() -> None:
    assert daily.sample(CASES[:2], 4) in ([CASES[0]], [CASES[1]])
    assert daily.sample([], 4) == []
    assert daily.examples(1) == 1


def test_complete_run_tests_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "IS_WHOLE", True)
    assert daily.sample(CASES, 4) == CASES
    assert daily.examples(300) == 300


@pytest.mark.parametrize(("nightly", "seed"), [(True, daily.WHOLE_SEED), (False, daily.SEED)])
def test_only_nightly_runs_use_complete_lists(tmp_path: Path, nightly: bool, seed: str) -> None:
    options = run.Options((), "", nightly, is_output_stored=False)
    assert run.part_environment("engine", options, tmp_path)[daily.SEED_VARIABLE] == seed
