"""Checks of the whole project's code and settings.

Each check is a command that you can also run by hand.
"""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests import services

PROGRAMS_FOLDER = Path(sys.executable).parent


def command_output(command: str, **variables: str) -> str:
    """Run a command of the virtual environment, which must succeed, and return its output."""
    program, *arguments = command.split()
    done = subprocess.run(
        [PROGRAMS_FOLDER / program, *arguments],
        cwd=services.ROOT,
        env=services.clean_environment(**variables),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize(
    "command",
    [
        "mypy",
        "pyright --warnings",
        "ruff format --check .",
        "ruff check .",
        "djlint --check templates",
        "lint-imports",
    ],
)
def test_code_passes(command: str) -> None:
    command_output(command)


def test_migrations_match_the_models(tmp_path: Path) -> None:
    command_output("python manage.py makemigrations --check", VAR_DIR=str(tmp_path))


def test_example_environment_passes_the_deployment_check(tmp_path: Path) -> None:
    """The test replaces the example's keys, as operators must do when they copy the file."""
    settings = services.example_environment() | services.TEST_KEYS | {"VAR_DIR": str(tmp_path)}
    command_output("python manage.py check --deploy --fail-level WARNING", **settings)


def test_example_environment_has_the_required_variables() -> None:
    example = services.example_environment()
    assert {"SECRET_KEY", "SEAL_KEYS", "DATABASE_URL", "REDIS_URL", "EMAIL_URL"} <= example.keys()
    assert example["DEFAULT_FROM_EMAIL"] == "Spellcaster <duels@duels.example>"


@pytest.mark.filterwarnings("default")
def test_pinned_packages_have_no_known_vulnerabilities() -> None:
    """A warning lists the packages that no index could check."""
    told = command_output("python -m tests.audit")
    if "asked" in told:
        warnings.warn(told.strip(), stacklevel=1)
