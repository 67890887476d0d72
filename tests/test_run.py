"""`make test` adds up what its runs report, and never takes a broken run for a good one."""

import subprocess
import sys
import threading
import time
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests import run, services
from tests.run import FAILED, PASSED, Part, Tally

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10">
<testcase classname="tests.test_one" name="test_quick" time="0.010"/>
<testcase classname="tests.test_one" name="test_slow" time="75.250"/>
</testsuite></testsuites>
"""

WITHOUT_REDIS = {"Redis": "redis-server"}


def test_results_of_a_test_report_are_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert run.counted(report) == Tally(passed=4, failed=3, skipped=3)


def test_a_tally_is_printed_in_one_form() -> None:
    assert str(Tally(1, 2, 3) + FAILED) == "1 passed, 3 failed, 3 skipped"


@pytest.fixture
def tests_alone(tmp_path: Path) -> Path:
    """A folder whose tests run without Django, which starts sooner."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:django -p no:playwright\n")
    return tmp_path


def test_a_run_that_finds_no_test_has_failed(tests_alone: Path) -> None:
    tally = run.tests(Part("sqlite"), "nothing", str(tests_alone), env=services.clean_environment())
    assert tally == FAILED


def test_a_run_that_cannot_begin_has_failed(tests_alone: Path) -> None:
    env = services.clean_environment()
    arguments = (str(tests_alone), "--no-such-option")
    tally = run.tests(Part("sqlite"), "nonsense", *arguments, env=env)
    assert tally == FAILED


def test_a_part_runs_the_named_tests_alone() -> None:
    part = ("tests/browser", "-n", "2")
    named = ("tests/test_run.py::test_a_part_runs_the_named_tests_alone", "-x")
    assert run.narrowed(part, named) == ["-n", "2", *named]
    assert run.narrowed(part, ("-k", "engine")) == [*part, "-k", "engine"]
    assert run.narrowed(part, ()) == [*part]


def test_a_check_that_fails_is_counted_and_shown(capfd: pytest.CaptureFixture[str]) -> None:
    part = Part("checks")
    assert run.check(part, "python", "-c", "import sys; sys.exit('This is wrong.')") == FAILED
    assert "This is wrong." in capfd.readouterr().out


def test_a_part_without_its_program_is_named_and_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run.run_part(Part("services"), WITHOUT_REDIS).tally == Tally(skipped=1)
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


def test_times_and_the_slowest_tests_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    part = Part("sqlite", seconds=75.3, processor_seconds=140, tests=run.durations(report))
    run.show_times([part], 80)
    shown = capsys.readouterr().out.splitlines()
    assert "sqlite         1:15     140 s" in shown
    assert "all            1:20     140 s" in shown
    slow, quick, _ = shown[-3:]
    assert slow == "  75.2 s  sqlite  tests.test_one::test_slow"
    assert quick == "   0.0 s  sqlite  tests.test_one::test_quick"


def test_parts_run_together_and_each_prints_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    meet = threading.Barrier(2, timeout=30)

    def met(part: Part) -> Tally:
        part.say(f"{part.name} begins")
        meet.wait()
        part.say(f"{part.name} ends")
        return PASSED

    monkeypatch.setattr(run, "RUNS", {"checks": met, "sqlite": met})
    assert run.main(["checks", "sqlite"]) == 0
    shown = capsys.readouterr().out
    assert "checks begins\nchecks ends" in shown
    assert "sqlite begins\nsqlite ends" in shown
    assert shown.endswith("2 passed, 0 failed, 0 skipped\n")


def test_the_time_of_a_program_is_that_of_all_it_has_started() -> None:
    part = Part("checks")
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    run.check(part, "python", "-c", nested)
    assert part.processor_seconds > 0.3


@pytest.mark.parametrize("parts", [["checks"], ["checks", "sqlite"]], ids=["one", "two"])
def test_a_run_that_is_stopped_leaves_no_program_behind(
    tests_alone: Path, parts: list[str]
) -> None:
    mark = tests_alone / "ended"
    started = tests_alone / "started"
    (tests_alone / "test_it.py").write_text(
        "import pathlib, time\n"
        "def test_it(request):\n"
        f"    request.addfinalizer(pathlib.Path({str(mark)!r}).touch)\n"
        f"    pathlib.Path({str(started)!r}).touch()\n"
        "    time.sleep(200)\n"
    )
    code = (
        "import sys\nfrom tests import run\n"
        f"own = lambda part: run.tests(part, 'it', {str(tests_alone / 'test_it.py')!r}, env=None)\n"
        "run.RUNS = {'checks': own, 'sqlite': lambda part: run.PASSED}\n"
        "run.stop_in_order()\n"
        f"sys.exit(run.main({parts!r}))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=services.ROOT)
    for _ in range(2_000):
        if started.exists():
            break
        time.sleep(0.1)
    assert not mark.exists()
    process.terminate()
    assert process.wait(90) != 0
    assert mark.exists()


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


def test_the_engine_alone_is_tested_as_strictly_as_all() -> None:
    file = ConfigParser()
    file.read(services.ROOT / "tests/engine/pytest.ini")
    alone = file["pytest"]
    together = tomllib.loads((services.ROOT / "pyproject.toml").read_text())["tool"]["pytest"]
    options = together["ini_options"]
    assert alone["timeout"] == str(options["timeout"])
    assert alone["minversion"] == options["minversion"]
    assert alone["filterwarnings"].split() == options["filterwarnings"][:1] == ["error"]
    assert set(options["addopts"]) <= set(alone["addopts"].split())


def test_the_example_environment_is_complete() -> None:
    example = dict(run.example_environment())
    assert {"SECRET_KEY", "SEAL_KEYS", "DATABASE_URL", "REDIS_URL", "EMAIL_URL"} <= example.keys()
    assert example["DEFAULT_FROM_EMAIL"] == "Spellcaster <duels@duels.example>"
