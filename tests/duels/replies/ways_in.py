"""Helpers that deliver incoming email in tests."""

import asyncio
import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command

from duels.replies.listening import serve_mail
from tests.services import PATIENCE_SECONDS


def read_from_pipe(monkeypatch: pytest.MonkeyPatch, raw: bytes, *arguments: str) -> str:
    """Run `read_mail` with this email as its standard input and return its output."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    out = io.StringIO()
    call_command("read_mail", *arguments, stdout=out)
    return out.getvalue().strip()


@contextmanager
def running_listener(*, is_lmtp: bool) -> Iterator[int]:
    """Run a mail server that accepts replies, and yield its port."""
    ports: list[int] = []
    is_ready = threading.Event()
    loop = asyncio.new_event_loop()

    def on_ready(port: int) -> None:
        ports.append(port)
        is_ready.set()

    task = loop.create_task(serve_mail("127.0.0.1", 0, is_lmtp=is_lmtp, ready=on_ready))

    def run_loop() -> None:
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(task)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    thread = threading.Thread(target=run_loop)
    thread.start()
    try:
        assert is_ready.wait(PATIENCE_SECONDS)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(PATIENCE_SECONDS)
