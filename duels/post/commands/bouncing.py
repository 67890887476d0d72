"""Addresses that are turned off because emails do not reach them, or because of a complaint.

Only the address where a wizard currently reads email is turned off. Once its owner turns it on
again, older bounces no longer count.
"""

import logging
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q

from duels.models import User, Wizard
from duels.post import queries
from duels.post.bounce_address import BounceHolder
from duels.post.models import GuestAddress, Notice, SilencedAddress, SilencedFor

logger = logging.getLogger(__name__)


@transaction.atomic
def silence_address(
    *,
    address: str,
    answer: str,
    now: datetime,
    cause: SilencedFor = SilencedFor.REFUSAL,
    happened_at: datetime | None = None,
) -> bool:
    """Stop emails to this address for this cause. Repeating this has no effect.

    `happened_at` is when the bounced email was sent. Return whether this has turned the address
    off.
    """
    changes = {"answer": answer, "cause": cause, "since": now, "lifted_at": None}
    silenced, is_new = SilencedAddress.objects.get_or_create(
        address__iexact=address, defaults={"address": address, **changes}
    )
    if is_new:
        return True
    older = SilencedAddress.objects.filter(pk=silenced.pk, lifted_at__lt=happened_at or now)
    return bool(older.update(**changes))


def silence_reported_address(
    *, address: str, cause: SilencedFor, answer: str, happened_at: datetime, now: datetime
) -> bool:
    """Turn off an address that an email service has reported. Return whether this has happened."""
    owners = EmailAddress.objects.filter(email__iexact=address, verified=True).values("user")
    guests = GuestAddress.objects.filter(address__iexact=address).values("wizard")
    wizard = Wizard.objects.filter(Q(user__in=owners) | Q(pk__in=guests)).first()
    if wizard is None or queries.address_of(wizard).casefold() != address.casefold():
        return False
    is_off = silence_address(
        address=address, cause=cause, answer=answer, happened_at=happened_at, now=now
    )
    _log_silencing(wizard, cause, is_off)
    return is_off


@transaction.atomic
def process_bounce(*, holder: BounceHolder, cause: SilencedFor, answer: str, now: datetime) -> bool:
    """Turn off the address of a bounced email. Return whether this has happened."""
    notice = Notice.objects.select_related("wizard").filter(pk=holder.notice_id).first()
    address = queries.address_of(notice.wizard) if notice else ""
    if notice is None or not address or not holder.is_of(address):
        return False
    sent_at = notice.sent_at or now
    is_off = silence_address(
        address=address, cause=cause, answer=answer, happened_at=sent_at, now=now
    )
    if is_off:
        Notice.objects.filter(pk=notice.pk).update(last_error=f"came back: {answer or cause}")
    _log_silencing(notice.wizard, cause, is_off)
    return is_off


@transaction.atomic
def reactivate_addresses(*, wizard: Wizard, now: datetime) -> int:
    """Send emails to the wizard's addresses again. Return how many had been turned off."""
    verified = EmailAddress.objects.filter(user__wizard=wizard, verified=True)  # not a stranger's
    mine = verified.values_list("email", flat=True)
    off = SilencedAddress.objects.filter(lifted_at=None)
    return sum(off.filter(address__iexact=email).update(lifted_at=now) for email in mine)


@transaction.atomic
def delete_silenced_addresses(*, user: User) -> None:
    """Delete the records of this user's silenced addresses, of verified ones only."""
    mine = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    for email in set(mine):
        SilencedAddress.objects.filter(address__iexact=email).delete()


def _log_silencing(wizard: Wizard, cause: SilencedFor, is_off: bool) -> None:
    if is_off:
        logger.warning("Emails to wizard %s are turned off: %s", wizard.pk, cause.label)
