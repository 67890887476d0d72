"""Commands for sign-ups. A wizard is created only once the user's address is verified.

The site must not reveal which addresses have accounts, so signing up with a new address and with a
known one leads to the same page. For the same reason, a requested name is not reserved, because
only sign-ups with new addresses could reserve one.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef

from duels.commands.profiles import available_name, create_wizard
from duels.errors import Refused
from duels.models import User, Wizard, WizardWish

REQUEST_LIFETIME: Final = timedelta(days=3)  # also the lifetime of the link in the email
DELETION_BATCH: Final = 200  # users deleted in one sweep


@transaction.atomic
def request_wizard(*, user: User, name: str, pronouns: str) -> WizardWish:
    """Store the name and pronouns for the user's wizard until their address is verified."""
    wished = {"name": available_name(name), "pronouns": pronouns}
    return WizardWish.objects.update_or_create(user=user, defaults=wished)[0]


@transaction.atomic
def create_requested_wizard(*, user: User, now: datetime) -> Wizard | None:
    """Create the wizard that the user requested, now that their address is verified.

    Return None if there was no request, or if another wizard has taken the name in the meantime.
    The user must then choose a name when they sign in.
    """
    wish = WizardWish.objects.filter(user=user).first()
    if wish is None:
        return None
    made = None
    with suppress(Refused):
        made = create_wizard(user=user, name=wish.name, pronouns=wish.pronouns, now=now)
    wish.delete()
    return made


@transaction.atomic
def delete_wizard_request(*, user: User) -> None:
    WizardWish.objects.filter(user=user).delete()


def delete_expired_sign_ups(*, now: datetime) -> int:
    """Delete users who have not verified an address for three days. Return the number deleted."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    due = User.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        ~Exists(Wizard.objects.filter(user=OuterRef("pk"))),
        date_joined__lte=now - REQUEST_LIFETIME,
        last_login__isnull=True,
        is_staff=False,
        is_superuser=False,
    )
    found = list(due.order_by("pk").values_list("pk", flat=True)[:DELETION_BATCH])
    # Check again: a user who has just verified an address has a wizard and must stay.
    return due.filter(pk__in=found).delete()[1].get(User._meta.label, 0)
