"""Alarms for the operator: raised once, emailed once, and ended when the problem is fixed.

Emails about alarms are sent through `duels.delivery.outbox`, but are retried without limit. The
periodic task that delivers other email sends them too, so they never delay turns.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage

from duels.delivery import outbox
from duels.delivery.message_ids import new_headers
from duels.errors import error_summary
from duels.models import Alarm, AlarmKind, OutboxStatus, Turn

logger = logging.getLogger(__name__)

MAX_ALARMS_AT_ONCE = 50  # alarms in one email
MAX_RETRY_PAUSE = timedelta(minutes=10)  # maximum time between attempts to send an alarm
FAILURE_COLUMNS = ("last_error", "failed_at")  # set when a turn cannot be played


def raise_alarm(kind: AlarmKind, about: str, words: str, now: datetime) -> bool:
    """Raise an alarm unless it exists already. Return whether it is new."""
    _, is_raised = Alarm.objects.get_or_create(
        kind=kind,
        about=about,
        ended_at=None,
        defaults={"words": words, "created_at": now, "due_at": now},
    )
    if is_raised:
        logger.critical("%s: %s", about, words)
    return is_raised


def end_alarm(kind: AlarmKind, about: str, now: datetime) -> bool:
    standing = Alarm.objects.filter(kind=kind, about=about, ended_at=None)
    return standing.update(ended_at=now) > 0


def end_alarms_except(kind: AlarmKind, still_open: Collection[str], now: datetime) -> int:
    """End all alarms of this kind except those about `still_open`. Return the number ended."""
    ended = Alarm.objects.filter(kind=kind, ended_at=None).exclude(about__in=still_open)
    return ended.update(ended_at=now)


def turn_alarm_name(turn_id: int) -> str:
    return f"turn {turn_id}"


def end_failure_alarm(turn: Turn, now: datetime) -> None:
    """End the alarm about a turn that is no longer stuck. The caller saves the turn."""
    if turn.failed_at is not None:
        end_alarm(AlarmKind.TURN, turn_alarm_name(turn.pk), now)
    turn.last_error = ""
    turn.failed_at = None


def email_alarms(*, now: datetime) -> int:
    """Email unsent alarms to `ADMINS`, or try again later. Return how many were sent."""
    if not settings.ADMINS:
        return 0
    outbox.requeue_stuck(Alarm.objects.all(), now)
    alarms = _claim_due_alarms(now)
    if not alarms:
        return 0
    lines = [f"{alarm.created_at:%Y-%m-%d %H:%M} UTC  {alarm}\n{alarm.words}" for alarm in alarms]
    subject = str(alarms[0]) if len(alarms) == 1 else f"{len(alarms)} alarms"
    try:
        EmailMessage(
            f"Spellcaster: {subject}",
            "\n\n".join([*lines, "Nobody reads replies to this email."]) + "\n",
            settings.SERVER_EMAIL,
            [address for _, address in settings.ADMINS],
            headers=new_headers(),
        ).send()
    except Exception as error:
        failure = error_summary(error)
        logger.error("The email about %s alarms was not sent: %s", len(alarms), failure)
        for alarm in alarms:
            outbox.retry_later(
                alarm, failure, now, most_attempts=None, longest_pause=MAX_RETRY_PAUSE
            )
        return 0
    outbox.mark_sent(alarms, now)
    return len(alarms)


def _claim_due_alarms(now: datetime) -> list[Alarm]:
    due = Alarm.objects.filter(status=OutboxStatus.QUEUED, ended_at=None, due_at__lte=now)
    oldest = list(
        due.order_by("created_at", "pk").values_list("pk", flat=True)[:MAX_ALARMS_AT_ONCE]
    )
    if not oldest:
        return []
    claimed = outbox.claim_rows(Alarm.objects.filter(pk__in=oldest), oldest[0], now)
    return list(Alarm.objects.filter(pk__in=claimed).order_by("created_at", "pk"))
