"""A server that replaces Discord and other services in tests of webhooks.

webhook_sink(…)     a server on 127.0.0.1, known by the names HOSTS: `.answers`, `.received`
connect_to_sink(…)  lets this process connect to the server by these names
fake_dns(…)         lets host names resolve to other addresses
"""

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from duels.delivery import public_hosts

SINK_HOST: Final = "hooks.example.com"
DISCORD_HOST: Final = "discord.com"
SLACK_HOST: Final = "hooks.slack.com"
DISCORD_PATH: Final = "/api/webhooks/1/hook"
SLACK_PATH: Final = "/services/T/B/hook"
HOSTS: Final = (SINK_HOST, DISCORD_HOST, SLACK_HOST)


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as it was received."""

    method: str
    path: str
    headers: Message  # ignores the case of names
    body: bytes

    @property
    def value(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.body)
        return value


@dataclass
class WebhookSink:
    """A server that returns the prepared `answers` in order, and then a message's id."""

    port: int
    received: list[ReceivedRequest] = field(default_factory=list)
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"https://{SINK_HOST}:{self.port}"

    @property
    def discord_webhook(self) -> str:
        return f"https://{DISCORD_HOST}:{self.port}{DISCORD_PATH}"

    @property
    def slack_webhook(self) -> str:
        return f"https://{SLACK_HOST}:{self.port}{SLACK_PATH}"

    @property
    def request_lines(self) -> list[str]:
        """The methods and paths of the requests."""
        return [f"{each.method} {each.path}" for each in self.received]


@contextmanager
def webhook_sink(certificate: Path) -> Iterator[WebhookSink]:
    """Run a server. The file `certificate` then contains its certificate, with its key."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sink.received.append(ReceivedRequest(self.command, self.path, self.headers, body))
            number = len(sink.received)
            told = json.dumps({"id": f"{number}", "event_id": f"${number}"}).encode()
            status, words = sink.answers.pop(0) if sink.answers else (200, told)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(words)), **sink.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(words)

        do_POST = do_PATCH = do_PUT = _answer  # methods that the server calls

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    _write_certificate(certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    sink = WebhookSink(server.server_port)
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def connect_to_sink(monkeypatch: pytest.MonkeyPatch, port: int, certificate: str) -> None:
    """Connect webhooks of the names HOSTS to the server on this port, and trust its certificate."""
    fake_dns(monkeypatch, {host: ["127.0.0.1"] for host in HOSTS})
    is_public = public_hosts.is_public_address
    monkeypatch.setattr(
        public_hosts, "is_public_address", lambda text: text == "127.0.0.1" or is_public(text)
    )
    monkeypatch.setattr(public_hosts, "HTTPS_PORT", port)
    monkeypatch.setattr(certifi, "where", lambda: certificate)


def fake_dns(monkeypatch: pytest.MonkeyPatch, hosts: dict[str, list[str]]) -> None:
    """Make these host names resolve to these addresses."""
    getaddrinfo = socket.getaddrinfo

    def resolve_to_sink(host: Any, port: Any, *args: Any, **named: Any) -> Any:
        addresses = hosts.get(host)
        if addresses is None:
            return getaddrinfo(host, port, *args, **named)
        return [found for each in addresses for found in getaddrinfo(each, port, *args, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve_to_sink)


def _write_certificate(path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SINK_HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(map(x509.DNSName, HOSTS)), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
