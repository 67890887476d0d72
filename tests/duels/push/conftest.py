"""Fixtures: a site with Web Push, and a push service that it may use."""

from collections.abc import Iterator

import pytest

from duels.push import endpoints
from tests.push_service import PushService, push_service
from tests.services import VAPID_SETTINGS


@pytest.fixture(autouse=True)
def web_push(settings) -> None:
    """Configure push keys, and turn off nudges for emails."""
    for name, value in VAPID_SETTINGS.items():
        setattr(settings, name, value)
    settings.POST_SENT_IMMEDIATELY = False
    settings.PUSH_TIMEOUT = 5


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    with push_service() as running:
        allow_push_host(monkeypatch, running.url)
        yield running


def allow_push_host(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Allow the site to send to this address too."""
    is_allowed = endpoints.is_allowed
    monkeypatch.setattr(
        endpoints, "is_allowed", lambda endpoint: endpoint.startswith(url) or is_allowed(endpoint)
    )
