"""Signing up: the wizard is made when the address is verified, and not before.

A page that came at once for a new address, and never for a known one, would tell which addresses
have an account. For the same reason a wish holds no name: it would be held for new addresses only.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef

from duels.commands.wizards import available_name, create_wizard
from duels.errors import Refused
from duels.models import User, Wizard, WizardWish

KEPT_FOR: Final = timedelta(days=3)  # as long as the link in the mail can be followed
FORGOTTEN_AT_ONCE: Final = 200  # the next sweep goes on


@transaction.atomic
def wish_wizard(*, user: User, name: str, pronouns: str) -> WizardWish:
    """This is how the user's wizard shall be called, once their address is verified."""
    wished = {"name": available_name(name), "pronouns": pronouns}
    return WizardWish.objects.update_or_create(user=user, defaults=wished)[0]


@transaction.atomic
def grant_wish(*, user: User, now: datetime) -> Wizard | None:
    """The user, whose address is verified, has the wizard they wished for.

    None where there was no wish, or its name went to somebody else: then they are asked for another
    one when they sign in.
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
def forget_wish(*, user: User) -> None:
    """The user is asked for a wizard's name when they sign in, whatever was wished for before."""
    WizardWish.objects.filter(user=user).delete()


def forget_sign_ups(*, now: datetime) -> int:
    """Who signed up three days ago and has verified no address since is gone. How many."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    due = User.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        ~Exists(Wizard.objects.filter(user=OuterRef("pk"))),
        date_joined__lte=now - KEPT_FOR,
        last_login__isnull=True,
        is_staff=False,
        is_superuser=False,
    )
    found = list(due.order_by("pk").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    # Whoever verifies theirs at this moment has a wizard now, or is not due any more.
    return due.filter(pk__in=found).delete()[1].get(User._meta.label, 0)
