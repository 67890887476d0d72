"""Addresses that nothing is sent to: no mail can reach them, or their owner calls ours unwanted.

Turned off is only where a wizard reads mail today. Who turns it on again is not turned off by what
is older than that.
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
def silence(
    *,
    address: str,
    answer: str,
    now: datetime,
    cause: SilencedFor = SilencedFor.REFUSAL,
    happened_at: datetime | None = None,
) -> bool:
    """No more mails to this address, for this cause. Twice is as good as once.

    `happened_at`: when what came back was sent. Answers whether the address is off by that.
    """
    changes = {"answer": answer, "cause": cause, "since": now, "lifted_at": None}
    silenced, is_new = SilencedAddress.objects.get_or_create(
        address__iexact=address, defaults={"address": address, **changes}
    )
    if is_new:
        return True
    older = SilencedAddress.objects.filter(pk=silenced.pk, lifted_at__lt=happened_at or now)
    return bool(older.update(**changes))


def turn_off(
    *, address: str, cause: SilencedFor, answer: str, happened_at: datetime, now: datetime
) -> bool:
    """A mail service has told that of this address. Answers whether it is off by that."""
    owners = EmailAddress.objects.filter(email__iexact=address, verified=True).values("user")
    guests = GuestAddress.objects.filter(address__iexact=address).values("wizard")
    wizard = Wizard.objects.filter(Q(user__in=owners) | Q(pk__in=guests)).first()
    if wizard is None or queries.address_of(wizard).casefold() != address.casefold():
        return False
    is_off = silence(address=address, cause=cause, answer=answer, happened_at=happened_at, now=now)
    _tell(wizard, cause, is_off)
    return is_off


@transaction.atomic
def take_back(*, holder: BounceHolder, cause: SilencedFor, answer: str, now: datetime) -> bool:
    """The mail of this notice has come back. Answers whether its address is off by that."""
    notice = Notice.objects.select_related("wizard").filter(pk=holder.notice_id).first()
    address = queries.address_of(notice.wizard) if notice else ""
    if notice is None or not address or not holder.is_of(address):
        return False
    sent_at = notice.sent_at or now
    is_off = silence(address=address, cause=cause, answer=answer, happened_at=sent_at, now=now)
    if is_off:
        Notice.objects.filter(pk=notice.pk).update(last_error=f"came back: {answer or cause}")
    _tell(notice.wizard, cause, is_off)
    return is_off


@transaction.atomic
def turn_on_again(*, wizard: Wizard, now: datetime) -> int:
    """The wizard's addresses are written to again. Answers how many were not."""
    verified = EmailAddress.objects.filter(user__wizard=wizard, verified=True)  # not a stranger's
    mine = verified.values_list("email", flat=True)
    off = SilencedAddress.objects.filter(lifted_at=None)
    return sum(off.filter(address__iexact=email).update(lifted_at=now) for email in mine)


@transaction.atomic
def forget_addresses(*, user: User) -> None:
    """Nothing is left of what is known of this user's addresses: of those that are theirs."""
    mine = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    for email in set(mine):
        SilencedAddress.objects.filter(address__iexact=email).delete()


def _tell(wizard: Wizard, cause: SilencedFor, is_off: bool) -> None:
    if is_off:
        logger.warning("Mails to wizard %s are turned off: %s", wizard.pk, cause.label)
