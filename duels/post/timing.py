"""Decisions about whether a notice is sent now, later, or not at all.

`plan_delivery` decides when the notice is due. A notice is not sent if it is outdated, or if its
reader does not want it or has read the news on the site. A reader who stays on the site has
five minutes to read the news there.
"""

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q

from duels.accounts.preferences import time_zone_of
from duels.caching.poll_cache import is_wizard_on_site
from duels.delivery.outbox import DeliveryDecision, Send, Skip, Wait
from duels.models import OutboxStatus, Seat
from duels.post import loading
from duels.post.kinds.registry import codes_of_kinds, kind_of
from duels.post.limits import is_over_limit
from duels.post.models import DroppedFor, EmailTiming, MailChoice, Notice

READING_TIME: Final = timedelta(minutes=5)
RECHECK_INTERVAL: Final = timedelta(minutes=1)  # then check whether the reader has left the site


def plan_delivery(notice: Notice, now: datetime) -> DeliveryDecision:
    """Return the decision about this notice at this time, without changing anything."""
    reader, kind = loading.reader_of(notice), kind_of(notice)
    if not reader.address:
        return Skip(DroppedFor.NO_ADDRESS)
    if notice.is_insisted_on or kind.is_requested:
        return Send()
    choice, seat = reader.choice, reader.seat
    when = reader.duel_choice or EmailTiming(choice.when)
    if when == EmailTiming.OFF or not kind.is_wanted(choice):
        return Skip(DroppedFor.UNWANTED)
    if is_outdated(notice, seat):
        return Skip(DroppedFor.OUTDATED)
    if not choice.though_here:
        if has_read(notice, seat):
            return Skip(DroppedFor.READ)
        read_until = notice.created_at + READING_TIME
        if now < read_until and is_wizard_on_site(notice.wizard_id):
            return Wait(min(read_until, now + RECHECK_INTERVAL))
    if when == EmailTiming.VISIT and not kind.is_urgent and _has_unread_notice(notice, seat):
        return Skip(DroppedFor.ALREADY_NOTIFIED)
    if is_over_limit(notice, now):
        return Skip(DroppedFor.RATE_LIMITED)
    if when == EmailTiming.DAILY and not kind.is_urgent:
        return _plan_daily(notice, choice, now)
    return Send()


def next_hour(hour: int, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the next time when it is this hour there, or the next hour if clocks skip it."""
    local = now.astimezone(zone)
    today = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    for days in range(3):
        day = today + timedelta(days=days)
        moment = day.astimezone(UTC)
        if moment > now:
            return moment
    raise AssertionError("no day has this hour")


def _plan_daily(notice: Notice, choice: MailChoice, now: datetime) -> DeliveryDecision:
    if notice.daily_at is not None and notice.daily_at > now:
        return Wait(notice.daily_at, notice.daily_at)
    if notice.daily_at is not None and not _is_daily_email_sent(notice):
        return Send()
    moment = next_hour(choice.hour, time_zone_of(notice.wizard), now)
    return Wait(moment, moment)


def _is_daily_email_sent(notice: Notice) -> bool:
    """Return whether the daily email was sent, or is being sent, without this notice."""
    others = Notice.objects.filter(wizard=notice.wizard_id, daily_at=notice.daily_at)
    sending = Q(status=OutboxStatus.SENDING) & ~Q(claimed_at=notice.claimed_at)
    return others.filter(Q(status=OutboxStatus.SENT) | sending).exists()


def _has_unread_notice(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the reader has not looked at the duel since the last email about it.

    Emails that the reader has requested do not count.
    """
    of_duel = Q(turn__isnull=False) | Q(speech__isnull=False)
    requested = codes_of_kinds(lambda kind: kind.is_requested)
    earlier = Notice.objects.filter(
        of_duel, wizard=notice.wizard, duel=notice.duel, status=OutboxStatus.SENT
    ).exclude(Q(pk=notice.pk) | Q(kind__in=requested) | Q(is_insisted_on=True))
    last = earlier.select_related("turn").order_by("-sent_at", "-pk").first()
    return last is not None and not has_read(last, seat)


def has_read(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the reader has probably read the news already."""
    return seat is not None and kind_of(notice).has_read(notice, seat)


def is_outdated(notice: Notice, seat: Seat | None) -> bool:
    """Return whether the news no longer applies, or a newer notice replaces this one."""
    if notice.turn is not None and notice.turn.voided_in:
        return True  # a referee has made the turn void
    return kind_of(notice).is_outdated(notice, seat)
