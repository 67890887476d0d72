"""Email on a site without a mail server: files in a folder, shown on a page.

The page exists only if `MAILBOX_SHOWN` is set (`DEBUG` on, no EMAIL_URL), and only for requests
from this machine. Staff can read all emails there. Other readers can only read emails to
themselves, because links in emails give access to accounts.
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

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage, LoginStageController
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.email_addresses import address_condition, canonical_address
from duels.post.public import GuestAddress
from duels.sign_in.guests import guest_of

MAX_SHOWN_EMAILS = 100
# Proxies add these headers when they forward a request for a client elsewhere.
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
# Emails have inline styles. Scripts, forms and requests to other sites are blocked.
HTML_PART_POLICY = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"


class MailboxBackend(BaseEmailBackend):
    """Backend that stores each email as a file. The order of the names is that of sending."""

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
class ShownEmail:
    """A stored email, as shown on the page."""

    name: str
    sent_at: str
    recipient: str
    subject: str
    text: str
    html: str


def stored_emails() -> list[ShownEmail]:
    """Return all emails, newest first."""
    files = sorted(Path(settings.MAILBOX_FOLDER).glob("*.eml"), reverse=True)
    return [_parse_stored_email(file) for file in files]


def readable_emails(request: HttpRequest) -> list[ShownEmail]:
    """Return the latest emails that this reader may read, newest first."""
    found = stored_emails()
    if not (request.user.is_authenticated and request.user.is_staff):
        addresses = _own_addresses(request)
        found = [each for each in found if canonical_address(each.recipient) in addresses]
    return found[:MAX_SHOWN_EMAILS]


def _own_addresses(request: HttpRequest) -> set[str]:
    """Return the canonical addresses of the reader's account, or of this browser's guest.

    After sign-up, this is the account that is not yet confirmed. An address that the reader has not
    confirmed does not count if it also belongs to somebody else.
    """
    user_id: int | None
    if request.user.is_authenticated:
        user_id, guest = request.user.pk, None
    else:
        stage = LoginStageController.enter(request, EmailVerificationStage.key)
        user_id = stage.login.user.pk if stage and stage.login.user else None
        guest = guest_of(request)
    given = list(EmailAddress.objects.filter(user=user_id).values_list("email", "verified"))
    if guest is not None:
        theirs = GuestAddress.objects.filter(wizard=guest)
        given += [(each.address, each.confirmed_at is not None) for each in theirs]
    return {
        canonical_address(address)
        for address, is_confirmed in given
        if is_confirmed or not _belongs_to_others(address, user_id, guest.pk if guest else None)
    }


def _belongs_to_others(address: str, user_id: int | None, guest_id: int | None) -> bool:
    accounts = EmailAddress.objects.filter(address_condition("email", address))
    guests = GuestAddress.objects.filter(address_condition("address", address))
    return (
        accounts.exclude(user=user_id).exists()
        or guests.exclude(wizard=guest_id).exclude(confirmed_at=None).exists()
    )


@receiver(post_delete, sender=EmailAddress)
def delete_emails_of_account(instance: EmailAddress, **_: object) -> None:
    """Delete the stored emails to an address that has been deleted."""
    if not _belongs_to_others(instance.email, instance.user_id, None):
        _delete_emails_to(instance.email)


@receiver(post_delete, sender=GuestAddress)
def delete_emails_of_guest(instance: GuestAddress, **_: object) -> None:
    """Delete the stored emails to a guest when the guest or the guest's address is deleted."""
    if not _belongs_to_others(instance.address, None, instance.wizard_id):
        _delete_emails_to(instance.address)


def _delete_emails_to(address: str) -> None:
    if settings.MAILBOX_SHOWN:
        for each in stored_emails():
            if canonical_address(each.recipient) == canonical_address(address):
                (Path(settings.MAILBOX_FOLDER) / f"{each.name}.eml").unlink(missing_ok=True)


def _parse_stored_email(file: Path) -> ShownEmail:
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    return ShownEmail(
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


def _is_from_this_machine(request: HttpRequest) -> bool:
    if any(header in request.headers for header in FORWARDING_HEADERS):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def is_mailbox_shown(request: HttpRequest) -> bool:
    """Return whether this request may see the page, as explained at the top of this module."""
    return bool(settings.MAILBOX_SHOWN) and _is_from_this_machine(request)


def mailbox_link_context(request: HttpRequest) -> dict[str, bool]:
    """Add to the context of templates whether pages may link to the mailbox."""
    return {"mail_page": is_mailbox_shown(request)}


@require_safe
def mailbox(request: HttpRequest) -> HttpResponse:
    """Show the emails that this reader may read, with their text."""
    if not is_mailbox_shown(request):
        raise Http404
    return render(request, "mailbox.html", {"mails": readable_emails(request)})


@require_safe
def html_part(request: HttpRequest, name: str) -> HttpResponse:
    """Show an email as an email program would, in a sandbox that blocks scripts and requests."""
    if not is_mailbox_shown(request):
        raise Http404
    for each in readable_emails(request):
        if each.name == name:
            return HttpResponse(each.html, headers={"Content-Security-Policy": HTML_PART_POLICY})
    raise Http404
