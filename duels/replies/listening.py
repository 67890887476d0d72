"""A server that accepts emails by LMTP or SMTP from the mail server on the same machine.

Addresses without a valid token are rejected before the email is transferred. An email is accepted
only once its orders are sealed or the response is queued. Until then, the sending server keeps the
email and retries.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import connections

from duels.commands.process_check import recheck_process_hourly
from duels.errors import error_summary
from duels.loaded.database_clock import database_now
from duels.post import public as post
from duels.replies.commands import receive_email
from spellcaster.processes import heartbeat

logger = logging.getLogger(__name__)

MAX_BYTES: Final = 20_000_000
IDLE_SECONDS: Final = 60
READER_THREADS: Final = 4


class LMTPHandler:
    """Handler for the steps of the protocol, which accepts one recipient for each email.

    Further recipients get a temporary error, because LMTP requires a response for each recipient.
    """

    def __init__(self) -> None:
        self.readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="mail")

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if post.parse_reply_address(address) is None and post.parse_bounce_address(address) is None:
            return "550 5.1.1 No such address"
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.readers, _process_envelope, envelope)


def _process_envelope(envelope: Envelope) -> str:
    content = envelope.content
    assert isinstance(content, bytes)
    try:
        recheck_process_hourly()
        outcome = receive_email(
            raw=content,
            now=database_now(),
            recipients=list(envelope.rcpt_tos),
            envelope_sender=envelope.mail_from or "",
        )
    except Exception as error:
        logger.error("An email could not be processed: %s", error_summary(error))
        return "451 4.3.0 Try again later"
    finally:
        connections.close_all()  # closes this thread's connection, because emails are rare
    return f"250 2.0.0 {outcome.label}"


async def serve_mail(
    host: str, port: int, *, is_lmtp: bool, ready: Callable[[int], None] = lambda port: None
) -> None:
    """Accept emails until cancelled. Port 0 means any free port, which `ready` is given."""
    handler = LMTPHandler()

    def new_protocol() -> SMTP:
        kind = LMTP if is_lmtp else SMTP
        return kind(
            handler,
            data_size_limit=MAX_BYTES,
            ident="Spellcaster",
            hostname="localhost",
            timeout=IDLE_SECONDS,
            enable_SMTPUTF8=True,
        )

    server = await asyncio.get_running_loop().create_server(new_protocol, host, port)
    ready(server.sockets[0].getsockname()[1])
    async with server, asyncio.TaskGroup() as tasks:
        tasks.create_task(_beat(handler.readers))
        try:
            await server.serve_forever()
        finally:
            handler.readers.shutdown(wait=False)


async def _beat(readers: ThreadPoolExecutor) -> None:
    """Record the heartbeat of this process every minute."""
    while True:
        await asyncio.get_running_loop().run_in_executor(readers, heartbeat.record_heartbeat)
        await asyncio.sleep(heartbeat.BEAT_SECONDS)
