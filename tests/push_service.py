"""A push service and a browser for tests, which can decrypt what the site sends.

push_service()      a server on 127.0.0.1 with prepared answers: `.answers`, `.received`
subscribe_device(…) a wizard's device, to which this service can send
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from duels.models import Wizard
from duels.push.endpoints import encode_key
from duels.push.models import PushSubscription
from tests.cast import NOW

# These keys are for tests only.
BROWSER_KEY = ec.derive_private_key(7**80, ec.SECP256R1())
AUTH_SECRET = bytes(range(16))
P256DH = encode_key(
    BROWSER_KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
)


@dataclass(frozen=True)
class ReceivedPush:
    """A message as it was received, encrypted. `content` is what the browser decrypts."""

    path: str
    headers: Message  # ignores the case of names
    encrypted: bytes

    @property
    def content(self) -> dict[str, Any]:
        text = http_ece.decrypt(
            self.encrypted, private_key=BROWSER_KEY, auth_secret=AUTH_SECRET, version="aes128gcm"
        )
        told: dict[str, Any] = json.loads(text)
        return told

    @property
    def is_signed(self) -> bool:
        """Return whether the signature matches the key that the sender states."""
        is_valid: bool = Vapid02.verify(self.headers["Authorization"])
        return is_valid


@dataclass
class PushService:
    """A server that returns the prepared `answers` in order, and then 201."""

    url: str
    received: list[ReceivedPush] = field(default_factory=list)
    answers: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)

    def will_answer(self, *statuses: int, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers += [(status, named) for status in statuses]

    @property
    def titles(self) -> list[str]:
        return [each.content["title"] for each in self.received]


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.received.append(ReceivedPush(self.path, self.headers, body))
            status, headers = service.answers.pop(0) if service.answers else (201, {})
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    # seconds between checks of whether the server must stop
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def subscribe_device(
    wizard: Wizard, url: str, *, name: str = "one", now: datetime = NOW
) -> PushSubscription:
    """Create a device for this wizard.

    The row is written directly, because the command would reject an address without HTTPS.
    """
    return PushSubscription.objects.create(
        wizard=wizard,
        endpoint=f"{url}/{wizard.pk}/{name}",
        p256dh=P256DH,
        auth=encode_key(AUTH_SECRET),
        device="Firefox on Android",
        created_at=now,
    )
