"""A mail server that can be silent, reject emails, or close a session before its end."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.services import parsed, smtp_server


class Mood(StrEnum):
    GOOD = "good"
    SILENT = "silent"
    REJECTING = "rejecting"
    CLOSING = "closing"  # closes the session instead of accepting an email
    FORGETFUL = "forgetful"  # accepts an email, but closes the session instead of confirming it


class MailServer:
    """An aiosmtpd handler that counts received emails by Message-ID."""

    def __init__(self) -> None:
        self.mood = Mood.GOOD
        self.received: Counter[str] = Counter()
        self.port = 0

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.mood is Mood.SILENT:
            await asyncio.sleep(600)
        if self.mood is Mood.REJECTING:
            return "451 Try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.mood is not Mood.CLOSING:
            message = parsed(envelope.original_content or b"")
            self.received[str(message["Message-ID"])] += 1
        if self.mood in (Mood.CLOSING, Mood.FORGETFUL):
            assert server.transport is not None
            server.transport.close()
        return "250 Message accepted for delivery"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    handler = MailServer()
    with smtp_server(handler) as handler.port:
        yield handler
