"""Adapters that change the behaviour of django-allauth for this site."""

import base64
import logging
import secrets
from contextlib import suppress
from http import HTTPStatus
from smtplib import SMTPException
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from anymail.exceptions import AnymailError
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from duels.delivery.email_rendering import render_email
from duels.delivery.message_ids import new_headers
from duels.email_addresses import address_condition, canonical_address
from duels.errors import MissingKey
from duels.models import User
from duels.sealing import seals
from duels.sign_in import guests
from spellcaster import known_devices

logger = logging.getLogger(__name__)

RATE_LIMIT_APP: Final = "allauth.account"
RETURN_PARAMETER: Final = "from"  # query parameter of links in emails: the page to return to
TOO_MANY_GUESSES: Final = (
    "Too many wrong passwords have been tried for this address. Sign in with a code by email."
)
TOO_MANY_EMAILS: Final = (
    "Too many emails have been requested for this address. Try again later, or use a browser in "
    "which you have signed in with it before."
)
SIGN_IN_FAILED: Final = (
    "The email address or the password is wrong, or the address is not confirmed yet. To confirm "
    "it, open the link in our email. To get the link again, ask for a code by email."
)


class EmailNotSent(ImmediateHttpResponse):  # type: ignore[misc]  # allauth ships no types
    """Error for an email that could not be sent. The response is a page about the error."""

    def __init__(self, request: HttpRequest) -> None:
        status = HTTPStatus.SERVICE_UNAVAILABLE
        super().__init__(render(request, "account/email_not_sent.html", status=status))


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # likewise
    """Adapter that lets guests keep the duels they began in this browser, and limits guesses.

    Wrong passwords are counted for each email address and network. The owner's known browsers have
    a separate count, so guesses from elsewhere do not lock the owner out. Emails requested for an
    address are also counted, so a stranger can neither flood the mailbox nor use up the owner's
    limit.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": SIGN_IN_FAILED
    }

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **more)
        if guests.claim_guest_duels(request, response, getattr(user, "wizard", None)):
            messages.success(request, "The duels you began as a guest now belong to your account.")
        known_devices.remember_sign_in(request, response, user.email)
        return response

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count this attempt to sign in. Raise `ValidationError` if there were too many."""
        address = canonical_address(credentials.get("email") or "")
        device = known_devices.device_number(request, address)
        if device:
            self._count_attempt(request, "login_failed_known", f"{address}|{device}")
            return
        self._count_attempt(
            request, "login_failed", self._get_login_attempts_cache_key(request, **credentials)
        )
        used = self._login_failed_rl_usage.usage
        # After guesses from many networks, the owner can still sign in with an emailed code.
        self._count_attempt(request, "login_failed_anywhere", address, TOO_MANY_GUESSES)
        self._login_failed_rl_usage.usage += used

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmationHMAC
    ) -> str:
        """Return the confirmation link for an email, including the page to return to.

        The link works in any browser. Someone who has signed up from an invitation returns to it.
        """
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        came_from = self._path_on_site(request.POST.get("next", "") if request else "")
        return f"{url}?{urlencode({RETURN_PARAMETER: came_from})}" if came_from else url

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Return the page to open after an address is confirmed.

        Readers who are not signed in must sign in first, and then see this page.
        """
        came_from = self._path_on_site(self.request.POST.get(RETURN_PARAMETER, ""))
        if not came_from:
            url: str = super().get_email_verification_redirect_url(email_address)
            return url
        if self.request.user.is_authenticated:
            return came_from
        return f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: came_from})}"

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Return the email with the headers of all the site's emails."""
        to = [email] if isinstance(email, str) else email
        headers = new_headers() | (headers or {})
        return render_email(f"{template_prefix}_message.html", context, to, headers)

    def send_mail(self, template_prefix: str, email: str, context: Any) -> None:
        """Send this email, but send a confirmation link instead of a sign-in code if needed.

        With a code for an unconfirmed address, the owner of the mailbox could enter an account
        whose password somebody else may know. The site sends the confirmation link instead,
        although the link reveals that somebody has signed up with the address.

        Raise `EmailNotSent`, which shows a page, if the mail server or service fails.
        """
        if template_prefix == "account/email/login_code":
            first = _stored_addresses(email).first()
            if first is not None and not first.verified:
                first.send_confirmation(context["request"])
                return
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException, AnymailError) as error:
            logger.error("The email %s was not sent: %s", template_prefix, type(error).__name__)
            raise EmailNotSent(self.request) from error

    def send_account_already_exists_mail(self, email: str) -> None:
        """Send the email after a delay as long as hashing a new account's password takes."""
        make_password(email)
        super().send_account_already_exists_mail(email)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: Any = None, email: str | None = None
    ) -> None:
        """Notify the owner of a change. An error of the mail server does not undo the change."""
        recipients = [email]
        if template_prefix == "account/email/email_deleted":
            recipients.append(context["deleted_email"])  # notify the deleted address too
        for recipient in recipients:
            with suppress(EmailNotSent):
                super().send_notification_mail(template_prefix, user, context, recipient)

    def _path_on_site(self, url: str) -> str:
        """Return the URL if it is a path on this site, otherwise ""."""
        is_place = url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)
        return url if is_place else ""

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        address = canonical_address(credentials.get("email") or "")
        return f"{address}|{ratelimit.get_ip(request)}"

    def _count_attempt(
        self, request: HttpRequest, action: str, key: str, refusal: str = ""
    ) -> None:
        self._login_failed_rl_usage = ratelimit.consume(
            request, app=RATE_LIMIT_APP, action=action, key=key
        )
        if not self._login_failed_rl_usage:
            if refusal:
                raise ValidationError(refusal, code="too_many_login_attempts")
            raise self.validation_error("too_many_login_attempts")


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # likewise
    """Adapter that names second factors, and encrypts their secrets in the database.

    Therefore read access to the database is not enough to compute codes.
    """

    def encrypt(self, text: str) -> str:
        return seals.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        if not seals.is_encrypted(encrypted_text):
            return encrypted_text  # a secret stored before secrets were encrypted
        try:
            return seals.decrypt(encrypted_text)
        except MissingKey:
            logger.error("A second factor cannot be decrypted: its key is not in SEAL_KEYS.")
            return base64.b32encode(secrets.token_bytes(20)).decode()  # no code matches this

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return f"Passkey {count + 1}"

    def _get_site_name(self) -> str:
        return "Spellcaster"


def stored_spelling(address: str) -> str:
    """Return the address as the site stores it, in canonical form if no account has it.

    Emails then go to the owner's spelling, and not to another mailbox with a similar address.
    """
    found: str | None = _stored_addresses(address).values_list("email", flat=True).first()
    return found or canonical_address(address)


def _stored_addresses(address: str) -> QuerySet[EmailAddress]:
    """Return all rows with this address in any spelling, beginning with verified rows."""
    known: QuerySet[EmailAddress] = EmailAddress.objects.filter(address_condition("email", address))
    return known.order_by("-verified", "pk")


def check_email_rate(request: HttpRequest, address: str) -> None:
    """Count another email requested for this address. Raise `ValidationError` if it is too many.

    Requests for addresses without an account are counted in the same way.
    """
    address = canonical_address(address)
    device = known_devices.device_number(request, address)
    if device:
        limits = [("mail_known", f"{address}|{device}")]
    else:
        network = f"{address}|{ratelimit.get_ip(request)}"
        limits = [("mail", network), ("mail_anywhere", address)]
    for action, key in limits:
        if not ratelimit.consume(request, app=RATE_LIMIT_APP, action=action, key=key):
            raise ValidationError(TOO_MANY_EMAILS, code="too_many_mails")


def user_display_name(user: User) -> str:
    """Return the user's name for account pages and emails, which is never the email address."""
    wizard = getattr(user, "wizard", None)
    return wizard.name if wizard else "a wizard without a name"
