"""The cast for every test of the application."""

import pytest

from duels.models import Wizard
from tests.cast import Cast, make_cast


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
