"""Settings for all tests of replies by email, which are turned on for a test domain."""

import pytest
from pytest_django import Settings

from duels.models import Duel
from tests.cast import Cast, begin


@pytest.fixture(autouse=True)
def _replies_are_on(settings: Settings):
    settings.REPLY_DOMAIN = "replies.example"


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)
