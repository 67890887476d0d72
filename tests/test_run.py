"""Tests that `make test` adds up the results of its parts and reports broken runs as failures."""

import fcntl
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from configparser import ConfigParser
from dataclasses import replace
from pathlib import Path

import pytest

from tests import prepared, run, services
from tests.run import Part

JUNIT_REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10">
<testcase classname="tests.test_it" name="test_passes"/>
<testcase classname="tests.test_it" name="test_fails">
<failure message="two is not one&#10;At index 0"/></testcase>
</testsuite></testsuites>
"""
WITHOUT_REDIS = {"Redis": "redis-server"}
PYTEST_SETTINGS = """[pytest]
addopts = -p no:django -p no:playwright
markers =
    long
    nightly
"""
PASSING_AND_FAILING_TESTS = """
def test_passes(): pass
def test_fails(): assert False
"""
BUSY_TEST = """
import subprocess, sys
def test_starts_a_busy_program():
    busy = "import time\\nwhile time.process_time() < 2: pass"
    subprocess.run([sys.executable, "-c", busy])
"""
LEAVING_TEST = """
import subprocess, sys
PROGRAM = '''
import fcntl, time
file = open({lock!r}, "w")
fcntl.flock(file, fcntl.LOCK_EX)
print(flush=True)
time.sleep(10_000)
'''
def test_leaves_a_program_behind():
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE)
    program.stdout.readline()
"""
SLEEPING_TEST = """
import pathlib, time
def test_sleeps(request):
    request.addfinalizer(pathlib.Path({folder!r}, "ended").touch)
    pathlib.Path({folder!r}, "started").touch()
    time.sleep(200)
"""


@pytest.mark.parametrize("name", ["services", "sqlite"])
def test_marks_appear_only_in_files_that_their_part_collects(name: str) -> None:
    """A part collects the test files that contain its mark, spelled in full."""
    part = run.PARTS[name]
    mentions = re.compile(rf"mark\.{part.mark}\b")
    tests = Path(__file__).parent
    found = {
        file.relative_to(tests.parent).as_posix()
        for file in tests.rglob("*.py")
        if mentions.search(file.read_text("utf-8"))
    }
    browser = {each for each in found if each.startswith("tests/browser/")}  # a separate part
    assert found - browser == {*run.collected_paths(part)} - browser


@pytest.fixture
def tests_folder(tmp_path: Path) -> Path:
    """A folder for tests that run without Django, which starts sooner."""
    (tmp_path / "pytest.ini").write_text(PYTEST_SETTINGS)
    return tmp_path


def part_for_folder(folder: Path, marks: str = "") -> Part:
    """Return a part that runs the tests in this folder, in one process, which is faster."""
    return Part((str(folder),), marks, ("-n", "0"))


@pytest.fixture
def run_part(
    tests_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run a part, which is by default all tests in the folder, and return the last line."""

    def last_line(*arguments: str, part: Part | None = None) -> str:
        monkeypatch.setattr(run, "PARTS", {"it": part or part_for_folder(tests_folder)})
        monkeypatch.setattr(run, "SERVICES_REQUIRED", False)
        run.main(["it", *arguments])
        return capsys.readouterr().out.splitlines()[-1]

    return last_line


def test_results_in_a_report_are_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(JUNIT_REPORT)
    found, failures = run.parse_report(report)
    assert found == {"passed": 4, "failed": 3, "skipped": 3}
    assert failures == ["tests.test_it.test_fails: two is not one"]


def test_results_of_a_part_are_counted(tests_folder: Path, run_part: Callable[..., str]) -> None:
    (tests_folder / "test_it.py").write_text(PASSING_AND_FAILING_TESTS)
    assert run_part() == "1 passed, 1 failed, 0 skipped"


def test_parallel_parts_are_printed_and_counted(
    tests_folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """More parts than run at once, in a run that prints which tests failed."""
    (tests_folder / "test_it.py").write_text(PASSING_AND_FAILING_TESTS)
    (tests_folder / "empty").mkdir()
    parts = {f"it {number}": part_for_folder(tests_folder) for number in range(run.PARTS_AT_ONCE)}
    parts |= {"empty": part_for_folder(tests_folder / "empty")}
    monkeypatch.setattr(run, "PARTS", parts)
    assert run.main([*parts]) == 1
    printed = capfd.readouterr().out
    for name in parts:
        assert f"\n=== {name}\n" in printed
    assert printed.count("1 failed, 1 passed in ") == run.PARTS_AT_ONCE
    *failures, last = printed.splitlines()[-len(parts) - 1 :]
    assert sorted(failures) == [
        "failed: empty: pytest ended with exit code 5",
        *[f"failed: {name}: test_it.test_fails: assert False" for name in parts if name != "empty"],
    ]
    assert last == f"{run.PARTS_AT_ONCE} passed, {len(parts)} failed, 0 skipped"


def test_run_without_tests_fails(run_part: Callable[..., str]) -> None:
    assert run_part() == "0 passed, 1 failed, 0 skipped"


def test_run_that_cannot_begin_fails(run_part: Callable[..., str]) -> None:
    assert run_part("--", "--no-such-option") == "0 passed, 1 failed, 0 skipped"


def test_named_paths_replace_the_paths_of_a_part(
    tests_folder: Path, run_part: Callable[..., str]
) -> None:
    (tests_folder / "test_it.py").write_text(PASSING_AND_FAILING_TESTS)
    one_test = f"{tests_folder}/test_it.py::test_passes"
    last = run_part("--", one_test, part=part_for_folder(Path("tests/browser")))
    assert last == "1 passed, 0 failed, 0 skipped"


def test_nightly_tests_run_only_on_request(
    tests_folder: Path, run_part: Callable[..., str]
) -> None:
    marked = (
        "import pytest\npytestmark = [pytest.mark.nightly, pytest.mark.long]\n"
        + PASSING_AND_FAILING_TESTS
    )
    (tests_folder / "test_it.py").write_text(marked)
    part = part_for_folder(tests_folder, "long")
    assert run_part(part=part) == "0 passed, 1 failed, 0 skipped"
    assert run_part("--nightly", part=part) == "1 passed, 1 failed, 0 skipped"


@pytest.mark.parametrize(("required", "code"), [(False, 0), (True, 1)])
def test_skip_is_a_failure_only_if_services_are_required(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    required: bool,
    code: int,
) -> None:
    monkeypatch.setattr(services, "missing_programs", lambda: WITHOUT_REDIS)
    monkeypatch.setattr(run, "SERVICES_REQUIRED", required)
    monkeypatch.setattr(run, "PARTS", {"services": Part((), needs=("Redis",))})
    assert run.main(["services"]) == code
    *_, naming, last = capsys.readouterr().out.splitlines()
    assert naming == "Redis is not installed; the Debian package redis-server provides it."
    assert last == f"0 passed, {code} failed, {1 - code} skipped"


def test_application_is_reported_as_skipped_without_postgresql(
    tests_folder: Path, monkeypatch: pytest.MonkeyPatch, run_part: Callable[..., str]
) -> None:
    (tests_folder / "test_it.py").write_text(PASSING_AND_FAILING_TESTS)
    monkeypatch.setattr(services, "missing_programs", lambda: {"PostgreSQL": "postgresql"})
    part = replace(part_for_folder(tests_folder), server_in="DATABASE_URL")
    assert run_part(part=part) == "1 passed, 1 failed, 1 skipped"


def test_parts_use_different_databases_of_one_postgresql_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "new_postgresql", lambda server, name: f"{server}/{name}")
    options = run.Options((), "postgres://127.0.0.1:9", nightly=False, is_output_stored=True)
    given = {name: run.part_environment(name, options, tmp_path) for name in run.DEFAULT_PARTS}
    assert given["application"]["DATABASE_URL"] == "postgres://127.0.0.1:9/application"
    assert given["services"]["DATABASE_URL"] == "postgres://127.0.0.1:9/services"
    assert given["browser"]["POSTGRESQL_SERVER"] == "postgres://127.0.0.1:9/browser"
    assert "DATABASE_URL" not in given["sqlite"]


def test_time_of_a_part_includes_programs_that_it_started(
    tests_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tests_folder / "test_it.py").write_text(BUSY_TEST)
    monkeypatch.setattr(run, "PARTS", {"it": part_for_folder(tests_folder)})
    assert run.main(["it"]) == 0
    found = re.search(r"^it +0:\d\d +(\d+) s$", capsys.readouterr().out, re.MULTILINE)
    assert found
    assert int(found[1]) >= 2


def test_times_are_shown_in_columns() -> None:
    assert run.format_times("sqlite", time.monotonic() - 75, 140) == "sqlite         1:15     140 s"


def test_stopped_run_leaves_no_program_behind(tests_folder: Path) -> None:
    """The part has two processes, as usual. The running test is interrupted and cleans up."""
    (tests_folder / "test_it.py").write_text(SLEEPING_TEST.format(folder=str(tests_folder)))
    code = (
        "import sys\nfrom tests import run\n"
        f"run.PARTS = {{'it': run.Part(({str(tests_folder)!r},))}}\n"
        "run.stop_on_signals()\n"
        "sys.exit(run.main(['it']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=services.ROOT)
    while not (tests_folder / "started").exists():
        assert process.poll() is None
        time.sleep(0.1)
    assert not (tests_folder / "ended").exists()
    process.terminate()
    assert process.wait() != 0
    assert (tests_folder / "ended").exists()


def test_programs_that_a_part_left_behind_are_killed(
    tests_folder: Path, run_part: Callable[..., str]
) -> None:
    """The remaining program holds a lock until it ends."""
    lock = tests_folder / "lock"
    (tests_folder / "test_it.py").write_text(LEAVING_TEST.format(lock=str(lock)))
    assert run_part() == "1 passed, 0 failed, 0 skipped"
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)


def test_unknown_part_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["everything"]) == 2
    assert capsys.readouterr().err == "tests/run.py: no such part: everything\n"


@pytest.mark.parametrize("name", ["checks", "engine"])
def test_folders_without_django_use_the_same_strict_options(name: str) -> None:
    file = ConfigParser()
    file.read(services.ROOT / "tests" / name / "pytest.ini")
    alone = file["pytest"]
    together = tomllib.loads((services.ROOT / "pyproject.toml").read_text())["tool"]["pytest"]
    options = together["ini_options"]
    assert alone["timeout"] == str(options["timeout"])
    assert alone["minversion"] == options["minversion"]
    assert alone["filterwarnings"].split() == options["filterwarnings"][:1] == ["error"]
    assert set(options["addopts"]) <= set(alone["addopts"].split())
