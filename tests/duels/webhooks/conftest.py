"""Fixtures: a server that receives webhook requests under the name of a public host."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import certifi
import pytest

from duels.delivery import public_hosts
from tests.webhook_sink import HOSTS, WebhookSink, webhook_sink


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[WebhookSink]:
    certificate = tmp_path / "certificate.pem"
    with webhook_sink(certificate) as running:
        resolve(monkeypatch, {host: ["127.0.0.1"] for host in HOSTS})
        is_public = public_hosts.is_public_address
        monkeypatch.setattr(
            public_hosts, "is_public_address", lambda text: text == "127.0.0.1" or is_public(text)
        )
        monkeypatch.setattr(public_hosts, "HTTPS_PORT", running.port)
        monkeypatch.setattr(certifi, "where", lambda: str(certificate))
        yield running


def resolve(monkeypatch: pytest.MonkeyPatch, hosts: dict[str, list[str]]) -> None:
    """Make these host names resolve to these addresses."""
    getaddrinfo = socket.getaddrinfo

    def resolved(host: Any, port: Any, *args: Any, **named: Any) -> Any:
        addresses = hosts.get(host)
        if addresses is None:
            return getaddrinfo(host, port, *args, **named)
        return [found for each in addresses for found in getaddrinfo(each, port, *args, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
