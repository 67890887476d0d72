"""The site's WSGI application, called as a web server does, so that requests can have any bytes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from unittest import mock

from spellcaster.odd_requests import LenientWSGIHandler


@dataclass(frozen=True)
class SiteResponse:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def html(self) -> str:
        """The HTML of a page, or "" for anything else."""
        types = [value for name, value in self.headers if name.lower() == "content-type"]
        return self.body.decode() if types and types[0].startswith("text/html") else ""


class WSGISite:
    """The site, which runs in this process."""

    def __init__(self) -> None:
        self.application = LenientWSGIHandler()

    def call(
        self, path: str, method: str = "GET", body: bytes = b"", more: Mapping[str, str] = {}
    ) -> SiteResponse:
        """Send a request and return the response, which has been read to its end.

        Each character of `path` stands for a byte. `more` is added to the WSGI environment.
        """
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_NAME": "testserver",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(body),
            "wsgi.errors": BytesIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        told: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None, /) -> Any:
            told.append((status, headers))

        content = self.application(environ | dict(more), start)
        try:
            body = b"".join(content)
        finally:
            content.close()  # as web servers do
        status, headers = told[0]
        return SiteResponse(int(status.split()[0]), tuple(headers), body)


@contextmanager
def wsgi_site() -> Iterator[WSGISite]:
    """Disable Django's signals around requests, so that a test keeps its database connection."""
    with (
        mock.patch("django.core.signals.request_started.send"),
        mock.patch("django.core.signals.request_finished.send"),
    ):
        yield WSGISite()
