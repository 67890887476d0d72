"""A connection to the mail server that stays open for all emails of a round.

Failures are not retried here, but handled by the callers.
"""

import smtplib
from typing import Any, Final

from django.core.mail import EmailMessage, get_connection

# Some servers disconnect after this many emails.
MAX_EMAILS_PER_CONNECTION: Final = 50
SMTP_OK: Final = 250


class OutgoingConnection:
    """A connection for many emails, opened for the first email and again after an error."""

    def __init__(self) -> None:
        self._backend: Any = None  # Django's backend from the settings, created at the first email
        self._sent = 0

    def close(self) -> None:
        smtp = self._smtp()
        try:
            if self._backend is not None:
                self._backend.close()
        except OSError:  # the emails have already been sent. `SMTPException` is also an OSError
            if smtp is not None:
                smtp.close()

    def send(self, message: EmailMessage) -> None:
        """Send this email. On an error, close the connection and raise the error."""
        try:
            if self._backend is None:
                self._backend = get_connection()
            if self._sent and not self._is_alive():
                self._hang_up()
            # Open the connection here; otherwise Django opens and closes one for every email.
            self._backend.open()
            message.connection = self._backend
            message.send()
        except BaseException:
            self._hang_up()
            raise
        self._sent += 1

    def _is_alive(self) -> bool:
        """Return whether the server is still connected, so that no email is cut off halfway."""
        smtp = self._smtp()
        if smtp is None:
            return True
        try:
            return self._sent < MAX_EMAILS_PER_CONNECTION and smtp.noop()[0] == SMTP_OK
        except OSError:
            return False

    def _hang_up(self) -> None:
        """Close the connection without sending QUIT, because the server may not answer."""
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
