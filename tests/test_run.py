"""Tests that `make test` adds up the results of its parts and reports broken runs as failures."""

import fcntl
import os
import re
import subprocess
import sys
import time
import tomllib
from configparser import ConfigParser
from pathlib import Path
from unittest import mock

import pytest

from tests import prepared, run, services
from tests.run import Part

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10">
<testcase classname="tests.test_it" name="test_passes"/>
<testcase classname="tests.test_it" name="test_fails">
<failure message="two is not one&#10;At index 0"/></testcase>
</testsuite></testsuites>
"""
WITHOUT_REDIS = {"Redis": "redis-server"}
INI = """[pytest]
addopts = -p no:django -p no:playwright
markers =
    long
    nightly
"""
TESTS = """
def test_passes(): pass
def test_fails(): assert False
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
    assert found - browser == {*run.paths(part)} - browser


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for tests that run without Django, which starts sooner."""
    (tmp_path / "pytest.ini").write_text(INI)
    return tmp_path


def results(part: Part, *extra: str, nightly: bool = False) -> dict[str, int]:
    found, _ = run.run(part, ("-n", "0", *extra), "", {}, nightly=nightly)
    return dict(+found)


def test_results_in_a_report_are_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    found, failures = run.parse_report(report)
    assert found == {"passed": 4, "failed": 3, "skipped": 3}
    assert failures == ["tests.test_it.test_fails: two is not one"]


def test_results_of_a_part_are_counted(folder: Path) -> None:
    (folder / "test_it.py").write_text(TESTS)
    assert results(Part((str(folder),))) == {"passed": 1, "failed": 1}


def test_last_lines_list_failed_tests(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "test_it.py").write_text(TESTS)
    (folder / "empty").mkdir()
    parts = {"it": Part((str(folder),)), "empty": Part((f"{folder}/empty",))}
    monkeypatch.setattr(run, "PARTS", parts)
    assert run.main(["it", "empty", "--", "-n", "0"]) == 1
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "failed: it: test_it.test_fails: assert False",
        "failed: empty: pytest ended with exit code 5",
        "1 passed, 2 failed, 0 skipped",
    ]


def test_parallel_parts_are_counted_and_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every part is deselected, here and there."""
    with run.another_run(["browser", "--", "-k", "no_such_test", "-n", "0"]) as results:
        assert results() == {"passed": 0, "failed": 1, "skipped": 0}
    assert "failed: browser: pytest ended with exit code 5" in capsys.readouterr().out


def test_parallel_parts_use_another_database_of_the_same_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = mock.Mock()
    monkeypatch.setattr(subprocess, "Popen", program)
    monkeypatch.setattr(prepared, "new_postgresql", lambda server, name: f"{server} {name}")
    with run.another_run(["browser"], "postgres://127.0.0.1:1/postgres"):
        given = program.call_args.kwargs["env"]
    assert given["POSTGRESQL_SERVER"] == "postgres://127.0.0.1:1/postgres beside"
    assert given["PATH"] == os.environ["PATH"]


def test_run_without_tests_fails(folder: Path) -> None:
    assert results(Part((str(folder),))) == {"failed": 1}


def test_run_that_cannot_begin_fails(folder: Path) -> None:
    assert results(Part((str(folder),)), "--no-such-option") == {"failed": 1}


def test_named_paths_replace_the_paths_of_a_part(folder: Path) -> None:
    (folder / "test_it.py").write_text(TESTS)
    part = Part(("tests/browser",))
    assert results(part, f"{folder}/test_it.py::test_passes") == {"passed": 1}


def test_nightly_tests_run_only_on_request(folder: Path) -> None:
    marked = "import pytest\npytestmark = [pytest.mark.nightly, pytest.mark.long]\n" + TESTS
    (folder / "test_it.py").write_text(marked)
    part = Part((str(folder),), "long")
    assert results(part) == {"failed": 1}
    assert results(part, nightly=True) == {"passed": 1, "failed": 1}


@pytest.mark.parametrize(("required", "code"), [(False, 0), (True, 1)])
def test_skip_is_a_failure_only_if_services_are_required(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    required: bool,
    code: int,
) -> None:
    monkeypatch.setattr(services, "missing_programs", lambda: WITHOUT_REDIS)
    monkeypatch.setattr(run, "REQUIRED", required)
    monkeypatch.setattr(run, "PARTS", {"services": Part((), needs=("Redis",))})
    assert run.main(["services"]) == code
    *_, naming, last = capsys.readouterr().out.splitlines()
    assert naming == "Redis is not installed; the Debian package redis-server brings it."
    assert last == f"0 passed, {code} failed, {1 - code} skipped"


def test_application_is_reported_as_skipped_without_postgresql(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "run_program", lambda command, env: 0)
    found, _ = run.run(run.PARTS["application"], (), "", {}, nightly=False)
    assert found["skipped"] == 1


def test_environments_of_parts_contain_the_postgresql_server(tmp_path: Path) -> None:
    server = "postgres://spellcaster@127.0.0.1:9/postgres"
    application = run.environment(run.PARTS["application"], server, tmp_path)
    assert application["DATABASE_URL"] == server
    assert "DATABASE_URL" not in run.environment(run.PARTS["sqlite"], server, tmp_path)
    assert run.environment(run.PARTS["browser"], server, tmp_path)["POSTGRESQL_SERVER"] == server


def test_time_of_a_part_includes_programs_that_it_started() -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    began = run.Times.now()
    assert run.run_program([sys.executable, "-c", nested], services.clean_environment()) == 0
    assert run.Times.now().processors - began.processors > 0.3


def test_times_are_shown_in_columns() -> None:
    began = run.Times.now()
    earlier = run.Times(began.clock - 75, began.processors - 140)
    assert earlier.row("sqlite") == "sqlite         1:15     140 s"


def test_stopped_run_leaves_no_program_behind(folder: Path) -> None:
    """The part has two processes, as usual. The running test is interrupted and cleans up."""
    (folder / "test_it.py").write_text(SLEEPING_TEST.format(folder=str(folder)))
    code = (
        "import sys\nfrom tests import run\n"
        f"run.PARTS = {{'it': run.Part(({str(folder)!r},))}}\n"
        "run.stop_on_signals()\n"
        "sys.exit(run.main(['it']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=services.ROOT)
    while not (folder / "started").exists():
        assert process.poll() is None
        time.sleep(0.1)
    assert not (folder / "ended").exists()
    process.terminate()
    assert process.wait() != 0
    assert (folder / "ended").exists()


def test_programs_that_a_part_left_behind_are_killed(tmp_path: Path) -> None:
    """The remaining program holds a lock until it ends."""
    lock = tmp_path / "lock"
    stays = (
        f"import fcntl, time; file = open({str(lock)!r}, 'w'); fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print(flush=True); time.sleep(10_000)"
    )
    leaves = (
        "import subprocess, sys\n"
        f"program = [sys.executable, '-c', {stays!r}]\n"
        "pipes = {'stdout': subprocess.PIPE, 'stderr': subprocess.DEVNULL}\n"
        "subprocess.Popen(program, **pipes).stdout.readline()"
    )
    command = [sys.executable, "-c", leaves]
    assert run.run_program(command, services.clean_environment()) == 0
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
