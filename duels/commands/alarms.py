"""Alarms for the operator: raised once, emailed once, and ended when the problem is fixed.

Emails about alarms are sent with other post, so turns do not wait for them.
"""

import logging
from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction

from duels.errors import error_summary
from duels.message_ids import new_message_id
from duels.models import Alarm, AlarmKind

logger = logging.getLogger(__name__)

MOST_TOLD = 50  # in one email


def raise_alarm(kind: AlarmKind, about: str, words: str, now: datetime) -> bool:
    """Raise an alarm, or leave an existing one alone. Return whether it is new."""
    _, is_raised = Alarm.objects.get_or_create(
        kind=kind, about=about, ended_at=None, defaults={"words": words, "raised_at": now}
    )
    if is_raised:
        logger.critical("%s: %s", about, words)
    return is_raised


def end_alarm(kind: AlarmKind, about: str, now: datetime) -> bool:
    """End an alarm. Return whether there was one."""
    standing = Alarm.objects.filter(kind=kind, about=about, ended_at=None)
    return standing.update(ended_at=now) > 0


def end_other_alarms(kind: AlarmKind, standing: Collection[str], now: datetime) -> int:
    """End all alarms of this kind except those about `standing`. Return how many."""
    ended = Alarm.objects.filter(kind=kind, ended_at=None).exclude(about__in=standing)
    return ended.update(ended_at=now)


def tell_operators(*, now: datetime) -> int:
    """Email unsent alarms to `ADMINS`. Return how many alarms were sent.

    If the email fails, the next round tries again.
    """
    if not settings.ADMINS:
        return 0
    alarms = _claimed(now)
    if not alarms:
        return 0
    lines = [f"{alarm.raised_at:%Y-%m-%d %H:%M} UTC  {alarm}\n{alarm.words}" for alarm in alarms]
    subject = str(alarms[0]) if len(alarms) == 1 else f"{len(alarms)} alarms"
    try:
        EmailMessage(
            f"Spellcaster: {subject}",
            "\n\n".join([*lines, "Nobody reads replies to this email."]) + "\n",
            settings.SERVER_EMAIL,
            [address for _, address in settings.ADMINS],
            headers={"Message-ID": new_message_id(), "Auto-Submitted": "auto-generated"},
        ).send()
    except Exception as error:
        logger.error(
            "The email about %s alarms was not sent: %s", len(alarms), error_summary(error)
        )
        Alarm.objects.filter(pk__in=[alarm.pk for alarm in alarms]).update(told_at=None)
        return 0
    return len(alarms)


@transaction.atomic
def _claimed(now: datetime) -> list[Alarm]:
    """Mark alarms as sent by this call, and return them."""
    untold = Alarm.objects.select_for_update().filter(told_at=None, ended_at=None)
    alarms = list(untold.order_by("raised_at", "pk")[:MOST_TOLD])
    Alarm.objects.filter(pk__in=[alarm.pk for alarm in alarms]).update(told_at=now)
    return alarms
