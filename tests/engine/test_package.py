"""Tests of the engine as a package: installed by itself, in an empty virtual environment.

They need no network, because the build uses the build backend that is installed here.
"""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import engine

ROOT = Path(engine.__file__).parent
PIP_COMMAND = (sys.executable, "-m", "pip", "--disable-pip-version-check")
OFFLINE_OPTIONS = ("-q", "--no-deps", "--no-index")
CODE_THAT_PLAYS_A_TURN = """
import importlib.resources
import engine, engine.orders, engine.play, engine.proof, engine.words

wizards = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")]
position = engine.play.begin("bartle-1", wizards)
orders = {"w0": engine.words.parse_orders("LH S\\nRH W", position, "w0")}
after, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
files = importlib.resources.files("engine")
assert "### R1 " in files.joinpath("RULES.md").read_text(encoding="utf-8")
assert files.joinpath("py.typed").is_file()
print(engine.__file__, after.turn, len(events), sep="\\n")
"""

pytestmark = pytest.mark.source  # the compiled copy is not a package


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip builds from the folder `engine`."""
    folder = tmp_path_factory.mktemp("wheel")
    run_command(
        *PIP_COMMAND,
        "wheel",
        *OFFLINE_OPTIONS,
        "--no-build-isolation",
        "-w",
        str(folder),
        str(ROOT),
    )
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the commands of a virtual environment that contains only the engine."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    run_command(
        *PIP_COMMAND, "--python", str(programs / "python"), "install", *OFFLINE_OPTIONS, str(wheel)
    )
    return programs


def run_command(*command: str, cwd: Path | None = None) -> str:
    """Return the output of a command, which must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_contains_the_engine_and_requires_nothing(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        stated = archive.read(metadata).decode().splitlines()
    modules = {f"engine/{path.relative_to(ROOT).as_posix()}" for path in ROOT.rglob("*.py")}
    data = {
        f"engine/{name}"
        for name in ("LICENSE", "RULES.md", "cli/example.json", "py.typed", "schema.json")
    }
    assert {name for name in names if ".dist-info/" not in name} == modules | data
    assert f"Version: {engine.RELEASE}" in stated
    assert [line for line in stated if line.startswith("Requires-Dist")] == []


def test_installed_engine_plays_a_turn(programs: Path, tmp_path: Path) -> None:
    out = run_command(str(programs / "python"), "-I", "-c", CODE_THAT_PLAYS_A_TURN, cwd=tmp_path)
    found, turn, events = out.splitlines()
    assert Path(found).is_relative_to(programs.parent)
    assert (turn, events) == ("2", "2")


def test_installed_command_line_verifies_a_record(programs: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    version = f"Spellcaster {engine.RELEASE}\n"
    python = str(programs / "python")
    assert run_command(python, "-m", "engine", "--version", cwd=tmp_path) == version
    assert run_command(str(programs / "spellcaster-engine"), "--version", cwd=tmp_path) == version
    record.write_text(
        run_command(python, "-m", "engine", "example", cwd=tmp_path), encoding="utf-8"
    )
    told = run_command(python, "-m", "engine", "verify", str(record), cwd=tmp_path)
    assert told.endswith("\nholds\n")
