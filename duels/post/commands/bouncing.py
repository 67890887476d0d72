"""Commands that turn off addresses after bounces or complaints, or turn them on again.

The effect of a bounce depends on `bounce_codes`. Only a wizard's current address is turned off. If
its owner turns it on again, older bounces no longer count.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q

from duels.email_addresses import address_condition, is_same_address
from duels.models import User, Wizard
from duels.post import queries
from duels.post.bounce_address import BouncedNotice
from duels.post.bounce_codes import BounceEffect, bounce_effect
from duels.post.models import GuestAddress, Notice, SilencedAddress, SilencedFor, UnclearBounce

logger = logging.getLogger(__name__)

# Bounces without a clear reason turn an address off once this many emails have bounced, if they
# were sent on at least this many different days.
UNCLEAR_BOUNCES: Final = 4
UNCLEAR_BOUNCE_DAYS: Final = 3
UNCLEAR_BOUNCES_COUNT_FOR: Final = timedelta(days=30)
MAX_EMAIL_ID_LENGTH: Final = 255


@transaction.atomic
def silence_address(
    *,
    address: str,
    answer: str,
    now: datetime,
    cause: SilencedFor = SilencedFor.REFUSAL,
    happened_at: datetime | None = None,
) -> bool:
    """Turn this address off for this cause. A repeated call has no effect.

    `happened_at` is the time when the bounced email was sent. Return whether this call has turned
    the address off.
    """
    changes = {"answer": answer, "cause": cause, "since": now, "lifted_at": None}
    known = SilencedAddress.objects.filter(address_condition("address", address))
    silenced, is_new = known.get_or_create(defaults={"address": address, **changes})
    if is_new:
        return True
    older = SilencedAddress.objects.filter(pk=silenced.pk, lifted_at__lt=happened_at or now)
    return bool(older.update(**changes))


def process_reported_bounce(
    *,
    address: str,
    cause: SilencedFor,
    answer: str,
    email: str,
    happened_at: datetime,
    now: datetime,
) -> bool:
    """Process a bounce or complaint that an email service reports.

    `email` identifies the email. An empty `answer` means that the service considers the bounce
    permanent. Return whether this call has turned the address off.
    """
    verified = EmailAddress.objects.filter(verified=True)
    owners = verified.filter(address_condition("email", address)).values("user")
    guests = GuestAddress.objects.filter(address_condition("address", address)).values("wizard")
    wizard = Wizard.objects.filter(Q(user__in=owners) | Q(pk__in=guests)).first()
    current = queries.address_of(wizard) if wizard else ""
    if wizard is None or not is_same_address(current, address):
        return False
    bounce = _Bounce(wizard, current, email[:MAX_EMAIL_ID_LENGTH], happened_at)
    return _silence_if_bounces_suffice(bounce, cause=cause, answer=answer, now=now)


@transaction.atomic
def process_bounce(
    *, holder: BouncedNotice, cause: SilencedFor, answer: str, now: datetime
) -> bool:
    """Process a bounce or complaint about an email sent by SMTP.

    Return whether this call has turned the recipient's address off.
    """
    notice = Notice.objects.select_related("wizard").filter(pk=holder.notice_id).first()
    address = queries.address_of(notice.wizard) if notice else ""
    if notice is None or not address or not holder.is_of(address):
        return False
    bounce = _Bounce(notice.wizard, address, f"notice {notice.pk}", notice.sent_at or now)
    is_off = _silence_if_bounces_suffice(bounce, cause=cause, answer=answer, now=now)
    Notice.objects.filter(pk=notice.pk).update(last_error=f"came back: {answer or cause}")
    return is_off


@dataclass(frozen=True)
class _Bounce:
    wizard: Wizard
    address: str
    email: str
    sent_at: datetime


def _silence_if_bounces_suffice(
    bounce: _Bounce, *, cause: SilencedFor, answer: str, now: datetime
) -> bool:
    """Turn the address off if this bounce is reason enough, alone or together with earlier ones."""
    has_code = cause == SilencedFor.BOUNCE and answer
    effect = bounce_effect(answer) if has_code else BounceEffect.TURNS_OFF
    if effect == BounceEffect.NONE or (
        effect == BounceEffect.COUNTS and not _is_bouncing_for_days(bounce)
    ):
        return False
    is_off = silence_address(
        address=bounce.address,
        cause=cause,
        answer=answer,
        happened_at=bounce.sent_at,
        now=now,
    )
    if is_off:
        UnclearBounce.objects.filter(wizard=bounce.wizard).delete()
        logger.warning("Emails to wizard %s are turned off: %s", bounce.wizard.pk, cause.label)
    return is_off


def _is_bouncing_for_days(bounce: _Bounce) -> bool:
    """Store the bounce. Return whether enough emails, sent on enough days, have bounced.

    Ignore bounces from before the owner last turned the address on again.
    """
    UnclearBounce.objects.get_or_create(
        wizard=bounce.wizard,
        email=bounce.email,
        defaults={"address": bounce.address, "sent_at": bounce.sent_at},
    )
    recent = UnclearBounce.objects.filter(
        wizard=bounce.wizard,
        address=bounce.address,
        sent_at__gt=bounce.sent_at - UNCLEAR_BOUNCES_COUNT_FOR,
    )
    lifted = SilencedAddress.objects.filter(address_condition("address", bounce.address))
    lifted_at = lifted.values_list("lifted_at", flat=True).first()
    if lifted_at is not None:
        recent = recent.filter(sent_at__gt=lifted_at)
    sent = recent.values_list("sent_at", flat=True)
    return len(sent) >= UNCLEAR_BOUNCES and len({at.date() for at in sent}) >= UNCLEAR_BOUNCE_DAYS


@transaction.atomic
def reactivate_addresses(*, wizard: Wizard, now: datetime) -> int:
    """Turn the wizard's verified addresses on again. Return how many had been turned off."""
    verified = EmailAddress.objects.filter(user__wizard=wizard, verified=True)  # their own
    mine = verified.values_list("email", flat=True)
    off = SilencedAddress.objects.filter(lifted_at=None)
    return sum(
        off.filter(address_condition("address", email)).update(lifted_at=now) for email in mine
    )


@transaction.atomic
def delete_silenced_addresses(*, user: User) -> None:
    """Delete the data about bounces from this user's verified addresses."""
    mine = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    for email in set(mine):
        SilencedAddress.objects.filter(address_condition("address", email)).delete()
    UnclearBounce.objects.filter(wizard__user=user).delete()
