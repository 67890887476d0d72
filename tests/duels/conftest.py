"""Fixtures for all tests of the application: the cast and visitors."""

from contextlib import AbstractContextManager
from typing import Any

import pytest

from duels.commands import release_check
from duels.models import Wizard
from duels.proof.release import rules_code_fingerprint
from tests.cast import Cast, make_cast
from tests.duels.visitors import Committed, Visitor


@pytest.fixture(scope="session", autouse=True)
def mark_release_as_checked() -> None:
    """Mark the release as checked, so that the release check does not run during the first test."""
    release_check._passed_fingerprints.add(rules_code_fingerprint())


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def ada(cast: Cast) -> Wizard:
    return cast.ada


@pytest.fixture
def bram(cast: Cast) -> Wizard:
    return cast.bram


@pytest.fixture
def cleo(cast: Cast) -> Wizard:
    return cast.cleo


@pytest.fixture
def dorn(cast: Cast) -> Wizard:
    return cast.dorn


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Any) -> Committed:
    """Context manager that runs on-commit callbacks at once, including any that they register."""

    def capture_callbacks() -> AbstractContextManager[Any]:
        done: AbstractContextManager[Any] = django_capture_on_commit_callbacks(execute=True)
        return done

    return capture_callbacks


@pytest.fixture
def visitor(db: None, committed: Committed) -> Visitor:
    """A new visitor without an account."""
    return Visitor(committed)
