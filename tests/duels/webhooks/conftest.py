"""A fixture: a server that receives webhook requests under the name of a public host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.webhook_sink import WebhookSink, connect_to_sink, webhook_sink


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[WebhookSink]:
    certificate = tmp_path / "certificate.pem"
    with webhook_sink(certificate) as running:
        connect_to_sink(monkeypatch, running.port, str(certificate))
        yield running
