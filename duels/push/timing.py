"""Decisions about whether a push notification is sent now, a little later, or not at all.

The decision is made each time a notification is due. A notification is not sent if it is outdated,
or if its reader does not want it or has read the news on the site. A reader who is looking at the
duel has some time to read the news there. A page that is open but not being read does not prevent
the notification.
"""

from datetime import datetime, timedelta
from typing import Final

from duels.caching import poll_cache
from duels.delivery.outbox import DeliveryDecision, Send, Skip, Wait
from duels.models import Seat, Stage, Turn
from duels.push import endpoints, queries
from duels.push.device_limits import is_over_limit
from duels.push.models import Push, PushDroppedFor, PushKind

RECHECK_INTERVAL: Final = timedelta(seconds=30)
READING_TIME: Final = timedelta(minutes=5)


def plan_delivery(push: Push, now: datetime) -> DeliveryDecision:
    """Return the decision about this notification at this time, without changing anything."""
    if push.subscription is None:
        return Skip(PushDroppedFor.GONE)
    if not endpoints.is_allowed(push.subscription.endpoint):
        return Skip(PushDroppedFor.REFUSED)
    if push.kind == PushKind.TEST:
        return Send()
    if not is_wanted(push):
        return Skip(PushDroppedFor.UNWANTED)
    turn = push.turn
    if turn is None:  # a private message
        return Skip(PushDroppedFor.LIMITED) if is_over_limit(push, now) else Send()
    seat = Seat.objects.filter(duel=push.duel_id, wizard=push.wizard_id).first()
    if seat is None or not turn.is_open or not seat.awaited or _has_newer_push(push):
        return Skip(PushDroppedFor.OUTDATED)
    if _has_read(push, turn, seat):
        return Skip(PushDroppedFor.READ)
    if now < push.created_at + READING_TIME and _is_looking(turn, seat):
        return Wait(now + RECHECK_INTERVAL)
    if is_over_limit(push, now):
        return Skip(PushDroppedFor.LIMITED)
    return Send()


def is_wanted(push: Push) -> bool:
    """Return whether the reader wants notifications of this kind."""
    choice = queries.push_choice(push.wizard)
    wanted = {PushKind.REMINDER: choice.reminders, PushKind.MESSAGE: choice.messages}
    return wanted.get(PushKind(push.kind), choice.turns)


def _has_newer_push(push: Push) -> bool:
    """Return whether the device has a newer notification about the same duel, which replaces it."""
    newer = Push.objects.filter(
        subscription=push.subscription_id, duel=push.duel_id, pk__gt=push.pk
    )
    return newer.exists()


def _has_read(push: Push, turn: Turn, seat: Seat) -> bool:
    """Return whether the reader has probably seen this turn.

    Readers who have read the report at the beginning of the turn have seen the turn. For reminders,
    return False.
    """
    begins = push.kind == PushKind.TURN and turn.stage == Stage.ORDERS and turn.ordinal > 1
    return begins and seat.read_turn >= turn.ordinal - 1


def _is_looking(turn: Turn, seat: Seat) -> bool:
    """Return whether the wizard has looked at the duel's page very recently."""
    return seat.code in poll_cache.read_cached_poll(turn.duel_id, seat.code).seen_at
