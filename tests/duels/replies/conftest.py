"""Settings for all tests of replies by email, which are turned on for a test domain."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _replies_are_on(settings: Settings):
    settings.REPLY_DOMAIN = "replies.example"
