"""Commands for a guest's email address, which is used only after its owner has confirmed it."""

import logging
from datetime import datetime
from smtplib import SMTPException
from typing import Final

from anymail.exceptions import AnymailError
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from duels.delivery.email_rendering import render_email
from duels.delivery.message_ids import new_headers
from duels.email_addresses import address_condition
from duels.errors import Refused
from duels.models import Wizard, WizardKind
from duels.post import loading, tokens
from duels.post.models import GuestAddress, SilencedAddress, UnclearBounce

logger = logging.getLogger(__name__)

NOT_SENT_TEXT: Final = "The email could not be sent just now. Try again in a few minutes."


def request_address_confirmation(*, wizard: Wizard, address: str, now: datetime) -> None:
    """Store a guest's new address in place of any earlier one, and email its owner to ask for
    confirmation. Raise `Refused` if the email cannot be sent.
    """
    if wizard.kind != WizardKind.GUEST:
        raise Refused("guests_only", "Only guests can enter an address here.", field="address")
    given = {"address": address, "asked_at": now, "confirmed_at": None}
    GuestAddress.objects.update_or_create(wizard=wizard, defaults=given)
    if loading.is_silenced(address):
        return  # do not reveal that emails to this address are turned off
    token = tokens.address_token(wizard.pk, address)
    context = {
        "wizard": wizard,
        "url": settings.SITE_URL + reverse("guest_mail_confirm", args=[token]),
    }
    try:
        render_email("emails/guest_address.html", context, [address], new_headers()).send()
    except (OSError, SMTPException, AnymailError) as error:
        logger.error("A confirmation email to a guest was not sent: %s", type(error).__name__)
        raise Refused("mail_not_sent", NOT_SENT_TEXT, field="address") from error


@transaction.atomic
def confirm_address(*, token: str, now: datetime) -> bool:
    """Confirm the token's address, so that the guest's emails are sent there from now on.

    Return False if the token is invalid, or the guest no longer uses this address. A repeated call
    has no effect.
    """
    named = tokens.read_address_token(token)
    if named is None:
        return False
    mine = GuestAddress.objects.filter(wizard=named.wizard_id, address=named.address)
    return bool(mine.update(confirmed_at=now))


@transaction.atomic
def delete_guest_address(*, wizard: Wizard) -> None:
    """Delete the guest's address, so that no more emails are sent.

    If emails to the address are turned off, they stay off unless the owner had confirmed the
    address; otherwise anyone could turn them on again.
    """
    for given in GuestAddress.objects.filter(wizard=wizard):
        if given.confirmed_at is not None:
            SilencedAddress.objects.filter(address_condition("address", given.address)).delete()
        given.delete()
    UnclearBounce.objects.filter(wizard=wizard).delete()
