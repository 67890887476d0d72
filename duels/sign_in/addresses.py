"""Signal handlers for email addresses that users add or verify, and for password resets."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, email_confirmed, password_reset
from django.dispatch import receiver
from django.http import HttpRequest

from duels.commands import sign_ups
from duels.loaded.database_clock import site_now
from duels.models import User


@receiver(email_confirmed)
def create_wizard_on_confirmation(email_address: EmailAddress, **_: Any) -> None:
    """Create the wizard that the owner of this address requested at sign-up."""
    sign_ups.create_requested_wizard(user=email_address.user, now=site_now())


@receiver(password_reset)
def delete_request_on_password_reset(user: User, **_: Any) -> None:
    """Delete the request for a wizard, which somebody else may have made with this address."""
    sign_ups.delete_wizard_request(user=user)


@receiver(email_added)
def notify_old_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **_: Any
) -> None:
    """Notify the user's old address, so that an intruder cannot take over the account unnoticed."""
    adapter = get_adapter(request)
    adapter.send_notification_mail(
        "account/email/email_added", user, {"added_email": email_address.email}
    )
