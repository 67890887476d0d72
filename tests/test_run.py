"""`make test` adds up what its runs report, and never takes a broken run for a good one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import run, services
from tests.run import FAILED, Tally

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10"/></testsuites>
"""

WITHOUT_REDIS = {"Redis": "redis-server"}


def test_a_report_is_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert run.counted(report) == Tally(passed=4, failed=3, skipped=3)


def test_the_last_line_has_one_form() -> None:
    assert str(Tally(1, 2, 3) + FAILED) == "1 passed, 3 failed, 3 skipped"


def test_a_run_that_finds_no_test_has_failed(tmp_path: Path) -> None:
    tally = run.tests("nothing", str(tmp_path), env=services.clean_environment())
    assert tally == FAILED


def test_a_run_that_cannot_begin_has_failed() -> None:
    tally = run.tests("nonsense", "--no-such-option", env=services.clean_environment())
    assert tally == FAILED


def test_a_check_that_fails_is_counted_and_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert run.check("python", "-c", "import sys; sys.exit('This is wrong.')") == FAILED
    assert "This is wrong." in capfd.readouterr().out


def test_a_part_without_its_program_is_named_and_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run.run_part("services", [], WITHOUT_REDIS) == Tally(skipped=1)
    assert "services: skipped, for want of Redis" in capsys.readouterr().out


@pytest.mark.parametrize(("required", "code"), [(False, 0), (True, 1)])
def test_a_skip_is_a_failure_only_where_services_are_required(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    required: bool,
    code: int,
) -> None:
    monkeypatch.setattr(services, "missing_programs", lambda: WITHOUT_REDIS)
    monkeypatch.setattr(run, "REQUIRED", required)
    assert run.main(["services"]) == code
    *_, naming, last = capsys.readouterr().out.splitlines()
    assert naming == "Redis is not installed; the Debian package redis-server brings it."
    assert last == f"0 passed, {code} failed, {1 - code} skipped"


def test_an_unknown_part_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "tests/run.py", "everything"],
        cwd=services.ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == "tests/run.py: no such part: everything\n"


def test_the_example_environment_is_complete() -> None:
    example = dict(run.example_environment())
    assert {"SECRET_KEY", "SEAL_KEYS", "DATABASE_URL", "REDIS_URL", "EMAIL_URL"} <= example.keys()
    assert example["DEFAULT_FROM_EMAIL"] == "Spellcaster <duels@duels.example>"
