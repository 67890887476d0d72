"""Receive emails with orders, and bounced emails, from this machine's mail server.

Listen for LMTP or SMTP connections until interrupted.
"""

import asyncio
import contextlib
import signal
from typing import Any

from django.core.management.base import CommandParser

from duels.replies.listening import serve_mail
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8024, help="port (8024); 0 for a free one")
        parser.add_argument("--smtp", action="store_true", help="use SMTP instead of LMTP")

    def handle(self, *, host: str, port: int, smtp: bool, **options: Any) -> None:
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(self.listen(host, port, smtp))

    async def listen(self, host: str, port: int, smtp: bool) -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)

        def print_address(port: int) -> None:
            self.stdout.write(f"Listening on {host}:{port}.")
            self.stdout.flush()

        await serve_mail(host, port, is_lmtp=not smtp, ready=print_address)
