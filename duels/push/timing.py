"""When a notification is sent: now, a little later, or not at all, and why.

Asked when its moment has come, each time. Nothing is sent that is out of date by then, that its
reader does not want, or has read on the site. Somebody who looks at the duel just now is given time
to read it there; an open page at which nobody reads swallows nothing.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from duels import poll_cache
from duels.models import Seat, Stage, Turn
from duels.push import endpoints, queries
from duels.push.limits import is_over_limit
from duels.push.models import Push, PushDroppedFor, PushKind

LOOK_AGAIN: Final = timedelta(seconds=30)
READING_TIME: Final = timedelta(minutes=5)


@dataclass(frozen=True)
class Send:
    """Now."""


@dataclass(frozen=True)
class Wait:
    """Look again at that moment."""

    until: datetime


@dataclass(frozen=True)
class Drop:
    """Never."""

    why: PushDroppedFor


Plan = Send | Wait | Drop


def plan(push: Push, now: datetime) -> Plan:
    """What becomes of this notification now. Asks rows and the cache, and changes nothing."""
    if push.subscription is None:
        return Drop(PushDroppedFor.GONE)
    if not endpoints.is_allowed(push.subscription.endpoint):
        return Drop(PushDroppedFor.REFUSED)
    if push.kind == PushKind.TEST:
        return Send()
    if not is_wanted(push):
        return Drop(PushDroppedFor.UNWANTED)
    turn = push.turn
    assert turn is not None
    seat = Seat.objects.filter(duel=push.duel_id, wizard=push.wizard_id).first()
    if seat is None or not turn.is_open or not seat.awaited or _has_newer(push):
        return Drop(PushDroppedFor.OUTDATED)
    if _has_read(push, turn, seat):
        return Drop(PushDroppedFor.READ)
    if now < push.created_at + READING_TIME and _is_looking(turn, seat):
        return Wait(now + LOOK_AGAIN)
    if is_over_limit(push, now):
        return Drop(PushDroppedFor.LIMITED)
    return Send()


def is_wanted(push: Push) -> bool:
    """Whether its reader wants notifications of this kind."""
    choice = queries.push_choice(push.wizard)
    return choice.reminders if push.kind == PushKind.REMINDER else choice.turns


def _has_newer(push: Push) -> bool:
    """Whether the device is told something newer of the same duel, which would take its place."""
    newer = Push.objects.filter(
        subscription=push.subscription_id, duel=push.duel_id, pk__gt=push.pk
    )
    return newer.exists()


def _has_read(push: Push, turn: Turn, seat: Seat) -> bool:
    """Whether the reader has seen that this turn waits for them, as far as the site can know: they
    have read the report that it begins with. What time is left is no news of that sort."""
    begins = push.kind == PushKind.TURN and turn.stage == Stage.ORDERS and turn.ordinal > 1
    return begins and seat.read_turn >= turn.ordinal - 1


def _is_looking(turn: Turn, seat: Seat) -> bool:
    """Whether the duel's page has just been open before its wizard."""
    return seat.code in poll_cache.read(turn.duel_id, seat.code).seen_at
