"""Commands that change clocks at a player's request: pause, resume, and give time to an
opponent."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from duels.clocks import clock
from duels.clocks.budget import Budget
from duels.clocks.clock import LONGEST
from duels.commands.awaiting import pace_of, store_clock, update_clocks, waits_for_answers
from duels.commands.isolated import run_for_each
from duels.commands.locking import loaded_seat_of, lock_duel, lock_first_duel, open_turn_of, seat_of
from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import Duel, DuelStatus, Seat, Wizard
from duels.post.kinds.pause_asked import PauseAsked
from duels.post.kinds.paused import Paused
from duels.post.kinds.time_given import TimeGiven
from duels.post.kinds.went_on import WentOn
from duels.post.public import NoticeKind, notify

# The sweep ends a pause after this time, so that no duel stays paused forever.
LONGEST_PAUSE = timedelta(days=30)


@transaction.atomic
def request_pause(
    *,
    duel_id: int,
    wizard: Wizard,
    is_paused: bool | None,
    now: datetime,
    agrees: bool = False,
) -> Duel:
    """Ask to pause a duel, or to resume a paused one. This happens once all players have asked.

    While the duel is paused, its clocks are stopped, but orders can be sealed and turns are played.
    If `agrees`, agree to another wizard's request, but do not make a new one. `is_paused` is
    whether the wizard's page showed the duel as paused, so that a late request to pause is not
    taken for a request to resume.
    """
    turn, seat = _open_turn_and_seat(duel_id, wizard, now)
    duel = turn.duel
    _check_has_clock(duel)
    _check_pause_seen(duel, is_paused)
    if duel.is_halted:
        raise Refused("halted", "A referee has paused this duel. Wait until a referee resumes it.")
    if seat.asks_pause:
        return duel
    others = [other for other in turn.seats if other is not seat and other.is_playing]
    if agrees and not any(other.asks_pause for other in others):
        raise Refused("not_requested", "The request has been withdrawn. Nothing has changed.")
    seat.asks_pause = True
    seat.save(update_fields=["asks_pause"])
    if not all(other.asks_pause for other in others):
        _notify(PauseAsked, turn, others, now, about=wizard)
        return duel
    if duel.paused_at is None:
        _pause_duel(turn, now)
    else:
        _resume_duel(turn, now)
    return duel


@transaction.atomic
def decline_pause(*, duel_id: int, wizard: Wizard, is_paused: bool | None, now: datetime) -> Duel:
    """Cancel all requests to pause or to resume, including the wizard's own."""
    turn, _ = _open_turn_and_seat(duel_id, wizard, now)
    _check_pause_seen(turn.duel, is_paused)
    Seat.objects.filter(duel=turn.duel).update(asks_pause=False)
    return turn.duel


@transaction.atomic
def give_time(
    *, duel_id: int, wizard: Wizard, opponent_code: str, seen_stamp: str | None, now: datetime
) -> Duel:
    """Give the opponent `opponent_code` (such as "w1") as much extra time as for a whole turn.

    Time can be given until the deadline has been processed, but no clock may exceed `LONGEST`.
    `seen_stamp` is the `Clock.stamp` of the opponent's clock as shown to the wizard, so that a form
    sent twice gives time only once.
    """
    turn, seat = _open_turn_and_seat(duel_id, wizard, now)
    duel, pace = turn.duel, pace_of(turn.duel)
    _check_has_clock(duel)
    opponent = next((other for other in turn.seats if other.code == opponent_code), None)
    if opponent is None or opponent is seat:
        raise Refused("unknown_opponent", "Choose one of your opponents.", field="to")
    is_hidden = hides_questions(turn.row.kind)
    if (
        is_hidden
        or not opponent.awaited
        or (opponent.due_at is None and opponent.clock_left is None)
    ):
        text = f"The duel is not waiting for {opponent.wizard} now."
        raise Refused("not_awaited", text, field="to")
    if seen_stamp is not None and seen_stamp != opponent.clock.stamp:
        text = (
            f"The clock of {opponent.wizard} has changed. Check it, and give more time if you "
            "still want to."
        )
        raise Refused("time_has_changed", text, field="seen")
    more = clock.stage_time(pace, for_answers=waits_for_answers(turn.row))
    assert more is not None
    left = opponent.clock_left or (opponent.due_at or now) - now
    if left + more > LONGEST:
        text = f"{opponent.wizard} cannot have more than {LONGEST.days} days."
        raise Refused("time_enough", text, field="to")
    later = clock.extended_clock(
        opponent.clock, pace, more, now, for_answers=waits_for_answers(turn.row)
    )
    store_clock(opponent, later)
    occasion = f"turn {turn.row.pk} {turn.row.batch} at {now.timestamp():.6f}"
    readers = [opponent.wizard]
    notify(TimeGiven, readers, duel, now, turn=turn.row, about=wizard, occasion=occasion)
    return duel


def end_pauses(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """End pauses that have lasted too long. Return how many were ended, and how many failed."""
    long_paused = Duel.objects.filter(
        status=DuelStatus.RUNNING,
        paused_at__lte=now - LONGEST_PAUSE,
        halted_at=None,
        stopped_at=None,
        held_at=None,
    ).order_by("paused_at")
    found = long_paused.values_list("pk", flat=True)
    return run_for_each(found, partial(_end_pause, now=now), budget, "Failed to end pause of duel")


@transaction.atomic
def _end_pause(duel_id: int, *, now: datetime) -> bool:
    duel = lock_first_duel(Duel.objects.filter(pk=duel_id))
    if duel is None or duel.status != DuelStatus.RUNNING:
        return False
    if duel.is_halted or duel.paused_at is None or duel.paused_at > now - LONGEST_PAUSE:
        return False
    _resume_duel(open_turn_of(duel), now)
    return True


def _open_turn_and_seat(duel_id: int, wizard: Wizard, now: datetime) -> tuple[OpenTurn, Seat]:
    """Return the duel's open turn, and the wizard's seat in it. Raise `Refused` if they are no
    longer playing."""
    duel = lock_duel(duel_id)
    seat_of(duel, wizard)
    check_may_act(wizard, now)
    turn = open_turn_of(duel)
    seat = loaded_seat_of(turn, wizard)
    if not seat.is_playing:
        raise Refused("out_of_it", "You are already out of this duel.")
    return turn, seat


def _check_pause_seen(duel: Duel, is_paused: bool | None) -> None:
    """Raise `Refused` if the duel has been paused or resumed since the wizard's page was loaded."""
    if is_paused is not None and is_paused != (duel.paused_at is not None):
        change = "paused" if duel.paused_at is not None else "resumed"
        text = f"This duel has been {change} in the meantime. Nothing has changed."
        raise Refused("pause_has_changed", text)


def _check_has_clock(duel: Duel) -> None:
    if pace_of(duel).is_unhurried:
        raise Refused("no_clock", "This duel has no clock, so it does not need a pause.")


def _pause_duel(turn: OpenTurn, now: datetime) -> None:
    """Pause the duel. Reset everyone's missed turns, because by agreeing all have shown that they
    are present."""
    Seat.objects.filter(duel=turn.duel).update(missed_turns=0)
    turn.duel.paused_at = now
    update_clocks(turn, now)
    _save_and_notify(turn, Paused, now)


def _resume_duel(turn: OpenTurn, now: datetime) -> None:
    turn.duel.paused_at = None
    update_clocks(turn, now)
    _save_and_notify(turn, WentOn, now)


def _save_and_notify(turn: OpenTurn, kind: type[NoticeKind], now: datetime) -> None:
    turn.duel.save(update_fields=["paused_at"])
    Seat.objects.filter(duel=turn.duel).update(asks_pause=False)
    _notify(kind, turn, [seat for seat in turn.seats if seat.is_playing], now)


def _notify(
    kind: type[NoticeKind],
    turn: OpenTurn,
    seats: Sequence[Seat],
    now: datetime,
    *,
    about: Wizard | None = None,
) -> None:
    occasion = f"turn {turn.row.pk} by {about.pk if about else 0} at {now.timestamp():.6f}"
    readers = [seat.wizard for seat in seats]
    notify(kind, readers, turn.duel, now, turn=turn.row, about=about, occasion=occasion)
