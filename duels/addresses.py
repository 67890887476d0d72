"""What follows when an address is added to an account, or verified, however that came about."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, email_confirmed, password_reset
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from duels import commands
from duels.models import User


@receiver(email_confirmed)
def make_wished_wizard(email_address: EmailAddress, **_: Any) -> None:
    """Who signed up with it has their wizard."""
    commands.grant_wish(user=email_address.user, now=timezone.now())


@receiver(password_reset)
def forget_the_wish(user: User, **_: Any) -> None:
    """Who has the mailbox need not be who signed up with its address: they choose a name anew."""
    commands.forget_wish(user=user)


@receiver(email_added)
def tell_the_old_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **_: Any
) -> None:
    """Whoever has got into an account must not take it over unseen."""
    adapter = get_adapter(request)
    adapter.send_notification_mail(
        "account/email/email_added", user, {"added_email": email_address.email}
    )
