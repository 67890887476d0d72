"""Email on a site without a mail server: files in a folder, shown on a page of the site.

The page exists only if `MAILBOX_SHOWN` is set (`DEBUG` on, no EMAIL_URL), and only for requests
from this machine, because its readers could open anyone's account.
"""

import email
import email.policy
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage as ParsedMessage
from ipaddress import ip_address
from pathlib import Path
from secrets import token_hex

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

SHOWN_AT_ONCE = 100
# Proxies add these headers when they forward a request for a client elsewhere.
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
# Emails have inline styles. Scripts, forms and requests to other sites are blocked.
HTML_PART_POLICY = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"


class MailboxBackend(BaseEmailBackend):
    """Backend that stores each email as a file. Their names sort in the order of sending."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.MAILBOX_FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{token_hex(4)}"
            draft = folder / f"{name}.draft"
            draft.write_bytes(message.message().as_bytes())
            draft.rename(folder / f"{name}.eml")
        return len(email_messages)


@dataclass(frozen=True)
class Mail:
    """A stored email, as shown on the page."""

    name: str
    sent_at: str
    recipient: str
    subject: str
    text: str
    html: str


def stored_emails() -> list[Mail]:
    """Return the latest emails, newest first."""
    files = sorted(Path(settings.MAILBOX_FOLDER).glob("*.eml"), reverse=True)
    return [_parse_stored_email(file) for file in files[:SHOWN_AT_ONCE]]


def _parse_stored_email(file: Path) -> Mail:
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    return Mail(
        name=file.stem,
        sent_at=str(message["date"]),
        recipient=str(message["to"]),
        subject=str(message["subject"]),
        text=_text_part(message, "plain"),
        html=_text_part(message, "html"),
    )


def _text_part(message: ParsedMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""


def _from_this_machine(request: HttpRequest) -> bool:
    if any(header in request.headers for header in FORWARDING_HEADERS):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def is_shown(request: HttpRequest) -> bool:
    """Return whether this request may see the page, as explained at the top of this module."""
    return bool(settings.MAILBOX_SHOWN) and _from_this_machine(request)


def mail_page(request: HttpRequest) -> dict[str, bool]:
    """Context processor that adds whether pages may link to the mailbox."""
    return {"mail_page": is_shown(request)}


@require_safe
def mailbox(request: HttpRequest) -> HttpResponse:
    """Show all stored emails with their text."""
    if not is_shown(request):
        raise Http404
    return render(request, "mailbox.html", {"mails": stored_emails()})


@require_safe
def html_part(request: HttpRequest, name: str) -> HttpResponse:
    """Show an email as an email program would, in a sandbox that blocks scripts and requests."""
    if not is_shown(request):
        raise Http404
    file = Path(settings.MAILBOX_FOLDER) / f"{name}.eml"
    if not file.exists():
        raise Http404
    return HttpResponse(
        _parse_stored_email(file).html, headers={"Content-Security-Policy": HTML_PART_POLICY}
    )
