"""Whether the mail server is worth asking: one that has just not answered is left alone a while.

Otherwise each mail of a full outbox would wait for the same silence, and use up its attempts. What
is known stands in the cache; where that does not answer, the server is asked.
"""

import re
import smtplib
from datetime import datetime, timedelta
from typing import Any, Final

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ImproperlyConfigured
from redis.exceptions import RedisError

from duels.volatile import cache

LEFT_ALONE_FOR: Final = timedelta(minutes=1)
# What is said of an address alone (RFC 3463, RFC 7505): no such mailbox, no such domain, no syntax,
# moved, no mail to that domain.
NO_SUCH_ADDRESS: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"})
# What is said of an address, or of whoever sends: Exim has "550 relay not permitted".
PERHAPS_NO_SUCH_ADDRESS: Final = frozenset({550, 551, 553})
KEY: Final = "mail-server-silent-until"

# What a server says to one mail is about that mail; these are about the server.
_OF_THE_SERVER = (
    smtplib.SMTPServerDisconnected,
    smtplib.SMTPConnectError,
    smtplib.SMTPHeloError,
    smtplib.SMTPAuthenticationError,
    smtplib.SMTPNotSupportedError,
    SoftTimeLimitExceeded,
    ImproperlyConfigured,
)
# The answers of a service that are about it, or about the site's account there.
_STATUS_OF_THE_SERVICE: Final = frozenset({401, 402, 403, 407, 408, 429})
# Why Mandrill says "rejected" of a recipient, although the fault is with the sender.
_REJECTED_FOR_SENDER: Final = frozenset({"invalid-sender", "unsigned", "test-mode-limit", "rule"})


def silent_until(now: datetime) -> datetime | None:
    """Until when the server is left alone; None if it may be asked now."""
    try:
        known: str | None = cache.get(KEY)
    except RedisError:
        return None
    until = datetime.fromisoformat(known) if known else None
    return until if until and until > now else None


def note_failure(error: Exception, now: datetime) -> None:
    """This came of sending a mail: where the server itself failed, it is left alone from now on."""
    if not _is_of_the_server(error):
        return
    try:
        until = (now + LEFT_ALONE_FOR).isoformat()
        cache.set(KEY, until, LEFT_ALONE_FOR.total_seconds())
    except RedisError:
        return  # the next mail asks the server again


def permanent_refusal(error: Exception) -> str:
    """What the server said of an address that it will never take: "550 5.1.1"; "" otherwise.

    A refusal for reasons of policy (5.7) or of a full box (5.2) is not of the address.
    """
    if isinstance(error, AnymailRecipientsRefused):
        return _refusal_by_service(error)
    code, reason = _refused_recipient(error)
    return f"{code} {reason}" if code >= 500 and reason in NO_SUCH_ADDRESS else ""


def unclear_refusal(error: Exception) -> str:
    """The code of a refusal that does not say whether the address is wrong or the server that
    sends: "550"; "" otherwise."""
    code, reason = _refused_recipient(error)
    return str(code) if code in PERHAPS_NO_SUCH_ADDRESS and not reason else ""


def _refused_recipient(error: Exception) -> tuple[int, str]:
    """The code and the extended code that the server has said; 0 and "" where it has not."""
    if not isinstance(error, smtplib.SMTPRecipientsRefused):
        return 0, ""
    ((code, text),) = error.recipients.values()
    extended = re.match(rb"[245]\.[0-9]{1,3}\.[0-9]{1,3}\b", text)
    return code, extended[0].decode() if extended else ""


def _refusal_by_service(error: AnymailRecipientsRefused) -> str:
    """ "invalid", or "rejected" where the service has a bounce or a complaint of its recipient."""
    statuses = (
        getattr(getattr(error.email_message, "anymail_status", None), "status", None) or set()
    )
    if any(reason in _REJECTED_FOR_SENDER for reason in _reject_reasons(error.response)):
        return ""
    return next((each for each in ("invalid", "rejected") if each in statuses), "")


def _reject_reasons(response: Any) -> list[object]:
    try:
        answer = response.json()
    except (AttributeError, ValueError):
        return []
    told = answer if isinstance(answer, list) else [answer]
    return [each.get("reject_reason") for each in told if isinstance(each, dict)]


def _is_of_the_server(error: Exception) -> bool:
    if isinstance(error, AnymailAPIError):
        status = _status(error)
        return status is None or status >= 500 or status in _STATUS_OF_THE_SERVICE
    # Every answer of a server is an OSError, too: `SMTPException` is one.
    is_network = isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException)
    return is_network or isinstance(error, _OF_THE_SERVER)


def _status(error: AnymailAPIError) -> int | None:
    """The service's answer, as HTTP has it; None where it did not come to one."""
    status: Any = error.status_code
    if status is None and isinstance(error.response, dict):  # of boto3
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status if isinstance(status, int) else None
