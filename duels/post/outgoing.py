"""The way out for the mails of one round: one connection to the mail server, which stays open
between them. Nothing is sent a second time here; what fails is for its notice to say.
"""

import smtplib
from types import TracebackType
from typing import Any, Final, Self

from django.core.mail import EmailMessage, get_connection

# Servers hang up after so many, or more, of one conversation.
MOST_ON_ONE_CONNECTION: Final = 50
OK: Final = 250


class Outgoing:
    """Sends mails one after the other. Opens its connection at the first, anew after a fault."""

    def __init__(self) -> None:
        self._backend: Any = None  # Django's, of the settings: made at the first mail
        self._sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        smtp = self._smtp()
        try:
            if self._backend is not None:
                self._backend.close()
        except OSError:  # what was sent is sent; `SMTPException` is one as well
            if smtp is not None:
                smtp.close()

    def send(self, message: EmailMessage) -> None:
        """The mail server has taken this mail; else what it raised, and the connection is gone."""
        try:
            if self._backend is None:
                self._backend = get_connection()
            if self._sent and not self._is_alive():
                self._hang_up()
            # Whoever opens it closes it: Django would, after each mail, if it found it closed.
            self._backend.open()
            message.connection = self._backend
            message.send()
        except BaseException:
            self._hang_up()
            raise
        self._sent += 1

    def _is_alive(self) -> bool:
        """Whether the server still listens. Asked before a mail, so that none is half sent."""
        smtp = self._smtp()
        if smtp is None:
            return True
        try:
            return self._sent < MOST_ON_ONE_CONNECTION and smtp.noop()[0] == OK
        except OSError:
            return False

    def _hang_up(self) -> None:
        """Without a farewell, which a server that is silent would be waited for."""
        smtp = self._smtp()
        if smtp is not None:
            smtp.close()
            self._backend.connection = None
        elif self._backend is not None:
            self._backend.close()
        self._sent = 0

    def _smtp(self) -> smtplib.SMTP | None:
        connection = getattr(self._backend, "connection", None)
        return connection if isinstance(connection, smtplib.SMTP) else None
