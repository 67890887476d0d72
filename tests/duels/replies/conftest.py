"""Settings for all tests of replies by email, which are turned on for a test domain."""

import pytest
from pytest_django import Settings

from duels.models import Duel
from duels.post.models import Notice
from tests.cast import Cast, begin, challenge, deliver


@pytest.fixture(autouse=True)
def _replies_are_on(settings: Settings):
    settings.REPLY_DOMAIN = "replies.example"


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


@pytest.fixture
def bounces_are_on(settings: Settings):
    settings.BOUNCE_DOMAIN = "replies.example"


@pytest.fixture
def notice(cast: Cast) -> Notice:
    """The notice whose email was sent to Ada."""
    challenge(cast.bram, cast.ada)
    deliver()
    return Notice.objects.get(wizard=cast.ada)
