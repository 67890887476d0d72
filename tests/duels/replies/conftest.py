"""Settings for all tests of replies: replies are turned on, with a test domain."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _replies_are_on(settings: Settings):
    settings.REPLY_DOMAIN = "replies.example"
