"""A mail server that can be silent, reject emails, or close a session before its end."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.services import parse_email, smtp_server


class MailFault(StrEnum):
    """A way in which the mail server mishandles emails, or NONE."""

    NONE = "none"
    SILENT = "silent"
    REJECTING = "rejecting"
    CLOSING = "closing"  # closes the session instead of accepting an email
    FORGETFUL = "forgetful"  # accepts an email, but closes the session instead of confirming it


class MailServer:
    """An aiosmtpd handler that counts received emails by Message-ID."""

    def __init__(self) -> None:
        self.fault = MailFault.NONE
        self.received: Counter[str] = Counter()
        self.port = 0

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.fault is MailFault.SILENT:
            await asyncio.sleep(600)
        if self.fault is MailFault.REJECTING:
            return "451 Try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.fault is not MailFault.CLOSING:
            message = parse_email(envelope.original_content or b"")
            self.received[str(message["Message-ID"])] += 1
        if self.fault in (MailFault.CLOSING, MailFault.FORGETFUL):
            assert server.transport is not None
            server.transport.close()
        return "250 Message accepted for delivery"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    handler = MailServer()
    with smtp_server(handler) as handler.port:
        yield handler
