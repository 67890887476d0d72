"""Commands that enforce deadlines: reminders, extensions, default orders, forfeits and claims.
Promise 9

Each wizard who must still act in a turn has their own clock. A deadline is processed once, while
its duel is locked. Calling these commands twice, or late, gives the same result.
"""

import logging
import operator
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime

from django.db import transaction

import engine.orders
import engine.play
import engine.words
from duels import models
from duels.clocks import clock
from duels.clocks.budget import Budget
from duels.commands import awaiting
from duels.commands.alarms import end_alarms_except, raise_alarm
from duels.commands.end_steps import end_during_turn
from duels.commands.endings import remove_wizard
from duels.commands.halting import halt
from duels.commands.locking import lock_duel, lock_turn_of_player, open_turn_of
from duels.commands.release_check import held_rulesets
from duels.commands.sealing import store_seal
from duels.delivery.nudging import request_resolution
from duels.errors import Refused, error_summary
from duels.loaded.open_turn import OpenTurn
from duels.post.kinds.excused import Excused
from duels.post.kinds.played_for import PlayedFor
from duels.post.kinds.reminder import Reminder
from duels.post.public import NoticeKind, new_notice, queue_notices
from engine.play import DRAW

logger = logging.getLogger(__name__)

# Maximum number of duels per sweep, to keep sweeps short. The next sweep handles the rest.
MAX_DUELS_AT_ONCE = 1000


@dataclass(frozen=True)
class DeadlineCounts:
    """Counts of reminders sent, extensions used, default orders played and duels ended."""

    reminders: int = 0
    excuses: int = 0
    defaults: int = 0
    ended: int = 0

    def __add__(self, other: "DeadlineCounts") -> "DeadlineCounts":
        return DeadlineCounts(*map(operator.add, astuple(self), astuple(other)))


def due_duels(now: datetime, limit: int) -> list[int]:
    """Return the duels that have a deadline or reminder due now, oldest first."""
    awaited = models.Seat.objects.filter(awaited=True, duel__status=models.DuelStatus.RUNNING)
    found: dict[int, None] = {}
    for moment in ("due_at", "remind_at"):  # separate queries, so that each uses an index
        due = awaited.filter(**{f"{moment}__lte": now}).order_by(moment)
        found |= dict.fromkeys(due.values_list("duel", flat=True)[:limit])
    return list(found)[:limit]


def process_due_deadlines(
    *, now: datetime, budget: Budget, outage: models.Outage | None = None
) -> tuple[DeadlineCounts, int]:
    """Process due deadlines in all duels. Return the counts, and the number of duels that failed.

    A failure is logged and does not hold up other duels. Once the budget is spent, the remaining
    duels wait for the next call.
    """
    counts, failed = DeadlineCounts(), 0
    still_failing: set[str] = set()
    for duel_id in due_duels(now, MAX_DUELS_AT_ONCE):
        if budget.is_spent:
            still_failing.add(_alarm_name(duel_id))
            continue
        try:
            counts += process_deadlines(duel_id=duel_id, now=now, outage=outage)
        except Exception as error:
            failed += 1
            failure = error_summary(error)
            ids = {"duel": duel_id}
            logger.error("Failed to process deadlines of duel %s: %s", duel_id, failure, extra=ids)
            raise_alarm(models.AlarmKind.DEADLINE, _alarm_name(duel_id), failure, now)
            still_failing.add(_alarm_name(duel_id))
    end_alarms_except(models.AlarmKind.DEADLINE, still_failing, now)
    return counts, failed


def _alarm_name(duel_id: int) -> str:
    return f"duel {duel_id}"


@transaction.atomic
def process_deadlines(
    *, duel_id: int, now: datetime, outage: models.Outage | None = None
) -> DeadlineCounts:
    """Process the due deadlines of this duel, if it is running.

    Deadlines that passed during an outage of the site are ignored, and the lost time is given back.
    """
    duel = lock_duel(duel_id)
    if duel.status != models.DuelStatus.RUNNING:
        return DeadlineCounts()
    turn = open_turn_of(duel)
    if duel.ruleset in held_rulesets(now=now):
        halt(duel, "held_at", now)
        return DeadlineCounts()
    if outage is not None:
        _restore_outage_time(turn, outage, now)
    late = [seat for seat in turn.seats if _is_due(seat, now)]
    counts = _send_reminders(turn, [seat for seat in turn.seats if seat not in late], now)
    counts += _use_extensions(turn, [seat for seat in late if seat.excuses_left], now)
    missing = [seat for seat in late if seat.awaited and _is_due(seat, now)]
    return counts + _play_defaults(turn, missing, now)


@transaction.atomic
def claim_duel(*, duel_id: int, wizard: models.Wizard, now: datetime) -> models.Duel:
    """Remove absent wizards from the duel at the request of this wizard."""
    turn, seat = lock_turn_of_player(duel_id, wizard, now=now)
    ordinal = turn.row.ordinal
    absent = [each for each in turn.seats if each.is_absent_in(ordinal) and each is not seat]
    if not absent or seat.is_absent_in(ordinal):
        text = (
            "You can claim a duel only after default orders were played twice in a row for an "
            "opponent."
        )
        raise Refused("nothing_to_claim", text)
    gone = [each for each in absent if not awaiting.clock_is_stopped(each)]
    if not gone:
        raise _clock_stopped_refusal(turn.duel, [each.wizard.name for each in absent])
    return _remove_wizards(turn, gone, models.DuelEnding.CLAIMED, now)


def _clock_stopped_refusal(duel: models.Duel, names: Sequence[str]) -> Refused:
    if duel.is_halted:
        text = "A referee has paused this duel. You can claim it only after a referee resumes it."
        return Refused("halted", text)
    if duel.paused_at is not None:
        return Refused("paused", "The duel is paused. You can claim it only after it resumes.")
    are = "is" if len(names) == 1 else "are"
    text = (
        f"{engine.words.and_list(names)} {are} on vacation. "
        "You cannot claim the duel until the vacation is over."
    )
    return Refused("on_vacation", text)


def _is_due(seat: models.Seat, now: datetime) -> bool:
    return seat.awaited and seat.due_at is not None and seat.due_at <= now


def _restore_outage_time(turn: OpenTurn, outage: models.Outage, now: datetime) -> None:
    """Give overdue wizards the time that they had left before the outage, once per turn."""
    for seat in turn.seats:
        if seat.given_back_in == turn.row.ordinal:
            continue
        if _is_due(seat, now) and seat.due_at and outage.since <= seat.due_at <= outage.until:
            seat.given_back_in = turn.row.ordinal
            seat.save(update_fields=["given_back_in"])
            timing = awaiting.timing_of(turn.row)
            since = max(outage.since, turn.row.opened_at)
            awaiting.store_clock(seat, clock.restored_clock(seat.clock, timing, since, now))


def _send_reminders(turn: OpenTurn, seats: list[models.Seat], now: datetime) -> DeadlineCounts:
    """Remind wizards whose time is nearly up, once in each stage of a turn."""
    reminded = [seat for seat in seats if seat.awaited and seat.remind_at and seat.remind_at <= now]
    for seat in reminded:
        awaiting.store_clock(seat, clock.reminded_clock(seat.clock))
    occasions = {seat: f"{_stage_occasion(turn)} {seat.clock.stamp}" for seat in reminded}
    _notify(Reminder, turn, occasions, now)
    return DeadlineCounts(reminders=len(reminded))


def _use_extensions(turn: OpenTurn, seats: list[models.Seat], now: datetime) -> DeadlineCounts:
    """Use one extension for each of these overdue wizards, which adds half of the turn's time."""
    for seat in seats:
        seat.excuses_left -= 1
        seat.save(update_fields=["excuses_left"])
        turn.row.excused = [*turn.row.excused, seat.code]
        turn.row.save(update_fields=["excused"])
        awaiting.store_clock(
            seat, clock.clock_with_extension(seat.clock, awaiting.timing_of(turn.row), now)
        )
    left = {seat: f"{_stage_occasion(turn)} {seat.excuses_left} left" for seat in seats}
    _notify(Excused, turn, left, now)
    return DeadlineCounts(excuses=len(seats))


def _play_defaults(turn: OpenTurn, seats: list[models.Seat], now: datetime) -> DeadlineCounts:
    """Seal default orders or answers for these wizards, and remove those who have missed too many
    turns.

    An unanswered question does not count as a missed turn for a wizard who has left the duel.
    rules: R214
    """
    if not seats:
        return DeadlineCounts()
    for seat in seats:
        if seat.is_playing and seat.missed_in != turn.row.ordinal:
            seat.missed_turns += 1
            seat.missed_in = turn.row.ordinal
            seat.save(update_fields=["missed_turns", "missed_in"])
    gone = [
        seat
        for seat in seats
        if seat.is_playing and seat.missed_turns > models.MISSED_TURNS_BEFORE_CLAIM
    ]
    staying = [seat for seat in seats if seat not in gone]
    if gone and not any(seat.is_playing and not _is_absent(seat, seats) for seat in turn.seats):
        end_during_turn(turn, models.DuelEnding.ABANDONED, DRAW, now)
        return DeadlineCounts(ended=1)
    sealed = {seat: seal_default(turn, seat, now) for seat in staying}
    awaiting.await_wizards(
        turn.row, turn.seats, turn.awaited - {seat.code for seat in staying}, now
    )
    occasions = {seat: f"seal {orders.pk}" for seat, orders in sealed.items()}
    _notify(PlayedFor, turn, occasions, now)
    request_resolution(turn.row.pk)
    duel = _remove_wizards(turn, gone, models.DuelEnding.TIME, now)
    return DeadlineCounts(defaults=len(staying), ended=int(duel.is_over))


def _is_absent(seat: models.Seat, late_seats: Sequence[models.Seat]) -> bool:
    """Return whether this wizard is absent.

    An absent wizard has missed a turn, has sealed nothing since, and either is late (in
    `late_seats`) or has nothing to decide. A wizard with time left is not absent.
    """
    return bool(seat.missed_turns) and (seat in late_seats or not seat.awaited)


def _remove_wizards(
    turn: OpenTurn, seats: Sequence[models.Seat], ending: models.DuelEnding, now: datetime
) -> models.Duel:
    """Remove these wizards from the locked duel one by one until it ends. Return the duel."""
    for gone in seats:
        if turn.duel.is_over:
            break
        turn = open_turn_of(turn.duel)  # each departure changes the turn
        seat = next(seat for seat in turn.seats if seat.pk == gone.pk)
        remove_wizard(turn, seat, ending, now)
    return turn.duel


def seal_default(turn: OpenTurn, seat: models.Seat, now: datetime) -> models.Orders:
    """Seal default orders or answers for a wizard who must still act in this turn."""
    fields, current = _default_fields(turn, seat), turn.current_seals.get(seat.pk)
    return store_seal(turn, seat, current, fields, now, source=models.SealSource.DEFAULT)


def _stage_occasion(turn: OpenTurn) -> str:
    """Return text that identifies this stage of the turn, for the occasion of a notice."""
    return f"turn {turn.row.pk} {turn.row.batch}"


def _default_fields(turn: OpenTurn, seat: models.Seat) -> Mapping[str, str]:
    """Return the fields to seal for a wizard whose time is up.

    If the wizard took back orders that are still legal, return those. Otherwise return default
    orders, which cast nothing. rules: promise 9
    """
    current = turn.current_seals.get(seat.pk)
    if turn.row.stage == models.Stage.ANSWERS:
        mine = [each for each in turn.row.questions if each["wizard"] == seat.code]
        usual = {question["id"]: question["default"] for question in mine}
        return turn.sealed_fields(current) if current is not None else usual
    if current is not None and not turn.faults_of_seal(current):
        return turn.sealed_fields(current)
    return engine.orders.fields(engine.play.default_orders(turn.position, seat.code))


def _notify(
    kind: type[NoticeKind], turn: OpenTurn, occasions: Mapping[models.Seat, str], now: datetime
) -> None:
    queue_notices(
        new_notice(kind, seat.wizard, turn.duel, now, turn=turn.row, occasion=occasion)
        for seat, occasion in occasions.items()
    )
