"""Requests to the hosts of webhooks, which players choose.

The site connects to a public IP address that it has just checked, and uses the host's name for TLS
and HTTP. `http.client` does not follow redirects or use proxies. A timer ends the request even if
the host sends one byte at a time.
"""

import socket
import ssl
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPSConnection
from threading import Timer
from typing import Final
from urllib.parse import urlsplit

import certifi

from duels.delivery import public_hosts
from duels.webhooks.formats import ServiceRequest

STEP_TIMEOUT_SECONDS: Final = 5
TOTAL_TIMEOUT_SECONDS: Final = 10
MAX_RESPONSE_BYTES: Final = 20_000  # maximum number of bytes read from a response
USER_AGENT: Final = "Spellcaster"


@dataclass(frozen=True)
class Response:
    status: int
    body: bytes  # contains at most `MAX_RESPONSE_BYTES`


def send(call: ServiceRequest) -> Response:
    """Send the request and return the response. Raise OSError or HTTPException on failure."""
    parts, host = urlsplit(call.url), public_hosts.host_of(call.url)
    context = ssl.create_default_context(cafile=certifi.where())
    connection = HTTPSConnection(host, parts.port, context=context)
    with closing(connection), closing(_connect(host, parts.port, context)) as tls:
        connection.sock = tls
        timer = Timer(TOTAL_TIMEOUT_SECONDS, _disconnect, [tls])
        timer.start()
        try:
            tls.do_handshake()
            path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            headers = {"User-Agent": USER_AGENT, "Connection": "close", **call.headers}
            connection.request(call.method, path, call.body, headers)
            response = connection.getresponse()
            return Response(response.status, response.read(MAX_RESPONSE_BYTES))
        finally:
            timer.cancel()


def _connect(host: str, port: int | None, context: ssl.SSLContext) -> ssl.SSLSocket:
    place = public_hosts.public_address(host), port or public_hosts.HTTPS_PORT
    connected = socket.create_connection(place, timeout=STEP_TIMEOUT_SECONDS)
    return context.wrap_socket(connected, server_hostname=host, do_handshake_on_connect=False)


def _disconnect(tls: ssl.SSLSocket) -> None:
    try:
        socket.socket.shutdown(tls, socket.SHUT_RDWR)
    except OSError:
        return  # the connection is already closed
