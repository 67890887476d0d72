"""Classification of errors from the mail server or email service.

An error concerns the address, the email, or the server itself.
"""

import re
import smtplib
from datetime import datetime
from typing import Any, Final

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ImproperlyConfigured

from duels.caching import silence
from duels.post.bounce_codes import BAD_ADDRESS_CODES, bounce_status

# Codes that may concern either the address or the sender: Exim sends "550 relay not permitted".
UNCLEAR_REFUSAL_CODES: Final = frozenset({550, 551, 553})
SILENCE_KEY: Final = "mail-server"

# Errors that concern the server itself. Other errors concern only the email that was sent.
_SERVER_ERRORS = (
    smtplib.SMTPServerDisconnected,
    smtplib.SMTPConnectError,
    smtplib.SMTPHeloError,
    smtplib.SMTPAuthenticationError,
    smtplib.SMTPNotSupportedError,
    SoftTimeLimitExceeded,
    ImproperlyConfigured,
)
# HTTP status codes that concern the service or the site's account with it.
_SERVICE_STATUSES: Final = frozenset({401, 402, 403, 407, 408, 429})
# Mandrill's reasons for "rejected" that concern the sender.
_SENDER_REASONS: Final = frozenset({"invalid-sender", "unsigned", "test-mode-limit", "rule"})


def silent_until(now: datetime) -> datetime | None:
    """Return the time until which no email is sent to the server, or None."""
    return silence.silent_until(SILENCE_KEY, now)


def record_failure(error: Exception, now: datetime) -> None:
    """Stop sending emails to the server for a while if this error concerns the server itself."""
    if _is_server_error(error):
        silence.record_silence(SILENCE_KEY, now)


def permanent_refusal(error: Exception) -> str:
    """Return the server's code, such as "550 5.1.1", if it will never accept the address, or "".

    A rejection because of a policy (5.7) or a full mailbox (5.2) does not mean that the address is
    invalid.
    """
    if isinstance(error, AnymailRecipientsRefused):
        return _refusal_by_service(error)
    code, reason, text = _recipient_refusal(error)
    is_bad = reason in BAD_ADDRESS_CODES and bounce_status(reason, text) in BAD_ADDRESS_CODES
    return f"{code} {reason}" if code >= 500 and is_bad else ""


def unclear_refusal(error: Exception) -> str:
    """Return the code of a rejection, such as "550", if it may concern either the address or the
    sender, or ""."""
    code, reason, _ = _recipient_refusal(error)
    return str(code) if code in UNCLEAR_REFUSAL_CODES and not reason else ""


def _recipient_refusal(error: Exception) -> tuple[int, str, str]:
    """Return the server's code, extended code and text, or 0 and "" if there are none."""
    if not isinstance(error, smtplib.SMTPRecipientsRefused):
        return 0, "", ""
    ((code, answer),) = error.recipients.values()
    text = answer.decode(errors="replace")
    extended = re.match(r"[245]\.[0-9]{1,3}\.[0-9]{1,3}\b", text)
    return code, extended[0] if extended else "", text


def _refusal_by_service(error: AnymailRecipientsRefused) -> str:
    """Return "invalid" if the service rejects the address as such, "rejected" if it has recorded a
    bounce or complaint, or ""."""
    statuses = (
        getattr(getattr(error.email_message, "anymail_status", None), "status", None) or set()
    )
    if any(reason in _SENDER_REASONS for reason in _reject_reasons(error.response)):
        return ""
    return next((each for each in ("invalid", "rejected") if each in statuses), "")


def _reject_reasons(response: Any) -> list[object]:
    try:
        answer = response.json()
    except (AttributeError, ValueError):
        return []
    answers = answer if isinstance(answer, list) else [answer]
    return [each.get("reject_reason") for each in answers if isinstance(each, dict)]


def _is_server_error(error: Exception) -> bool:
    if isinstance(error, AnymailAPIError):
        status = _http_status(error)
        return status is None or status >= 500 or status in _SERVICE_STATUSES
    # SMTP errors are OSErrors too, because `SMTPException` is a subclass.
    is_network = isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException)
    return is_network or isinstance(error, _SERVER_ERRORS)


def _http_status(error: AnymailAPIError) -> int | None:
    """Return the HTTP status of the service's response, or None if there is none."""
    status: Any = error.status_code
    if status is None and isinstance(error.response, dict):  # of boto3
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status if isinstance(status, int) else None
