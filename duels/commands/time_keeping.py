"""Commands that change clocks at a player's request: pause, resume, and give time to an
opponent."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from duels.clocks import clock
from duels.clocks.budget import Budget
from duels.clocks.clock import MAX_TURN_TIME, NO_CLOCK, Pace
from duels.commands.awaiting import store_clock, timing_of, update_clocks
from duels.commands.error_isolation import run_for_each
from duels.commands.locking import lock_first_duel, lock_turn_of_player, open_turn_of
from duels.errors import Refused
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import Duel, DuelStatus, Seat, Wizard
from duels.post.kinds.pause_asked import PauseAsked
from duels.post.kinds.paused import Paused
from duels.post.kinds.time_given import TimeGiven
from duels.post.kinds.went_on import WentOn
from duels.post.public import NoticeKind, notify

# The sweep ends a pause after this time, so that no duel stays paused forever.
MAX_PAUSE = timedelta(days=30)


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
    turn, seat = lock_turn_of_player(duel_id, wizard, now=now)
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
    _set_paused(turn, now, is_paused=duel.paused_at is None)
    return duel


@transaction.atomic
def decline_pause(*, duel_id: int, wizard: Wizard, is_paused: bool | None, now: datetime) -> Duel:
    """Cancel all requests to pause or to resume, including the wizard's own."""
    turn, _ = lock_turn_of_player(duel_id, wizard, now=now)
    _check_pause_seen(turn.duel, is_paused)
    Seat.objects.filter(duel=turn.duel).update(asks_pause=False)
    return turn.duel


@transaction.atomic
def give_time(
    *, duel_id: int, wizard: Wizard, opponent_code: str, seen_stamp: str | None, now: datetime
) -> Duel:
    """Give the opponent `opponent_code` (such as "w1") as much extra time as for a whole turn.

    Time can be given until the deadline has been processed, but no clock may exceed
    `MAX_TURN_TIME`. `seen_stamp` is the `Clock.stamp` of the opponent's clock as shown to the
    wizard, so that a form sent twice gives time only once.
    """
    turn, seat = lock_turn_of_player(duel_id, wizard, now=now)
    duel, timing = turn.duel, timing_of(turn.row)
    _check_has_clock(duel)
    opponent = next((other for other in turn.seats if other.code == opponent_code), None)
    if opponent is None or opponent is seat:
        raise Refused("unknown_opponent", "Choose one of your opponents.", field="to")
    has_clock = opponent.awaited and opponent.clock != NO_CLOCK
    if not has_clock or hides_questions(turn.row.kind):
        text = f"The duel is not waiting for {opponent.wizard} now."
        raise Refused("not_awaited", text, field="to")
    if seen_stamp is not None and seen_stamp != opponent.clock.stamp:
        text = (
            f"The clock of {opponent.wizard} has changed. Check it, and give more time if you "
            "still want to."
        )
        raise Refused("time_has_changed", text, field="seen")
    more = timing.whole
    assert more is not None
    left = opponent.clock_left or (opponent.due_at or now) - now
    if left + more > MAX_TURN_TIME:
        text = f"{opponent.wizard} cannot have more than {MAX_TURN_TIME.days} days."
        raise Refused("time_enough", text, field="to")
    store_clock(opponent, clock.extended_clock(opponent.clock, timing, more, now))
    occasion = f"turn {turn.row.pk} {turn.row.batch} at {now.timestamp():.6f}"
    readers = [opponent.wizard]
    notify(TimeGiven, readers, duel, now, turn=turn.row, about=wizard, occasion=occasion)
    return duel


def end_pauses(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """End pauses that have lasted too long. Return how many were ended, and how many failed."""
    long_paused = Duel.objects.filter(
        status=DuelStatus.RUNNING,
        paused_at__lte=now - MAX_PAUSE,
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
    if duel.is_halted or duel.paused_at is None or duel.paused_at > now - MAX_PAUSE:
        return False
    _set_paused(open_turn_of(duel), now, is_paused=False)
    return True


def _check_pause_seen(duel: Duel, is_paused: bool | None) -> None:
    """Raise `Refused` if the duel has been paused or resumed since the wizard's page was loaded."""
    if is_paused is not None and is_paused != (duel.paused_at is not None):
        change = "paused" if duel.paused_at is not None else "resumed"
        text = f"This duel has been {change} in the meantime. Nothing has changed."
        raise Refused("pause_has_changed", text)


def _check_has_clock(duel: Duel) -> None:
    if Pace.parse(duel.pace).is_unhurried:
        raise Refused("no_clock", "This duel has no clock, so it does not need a pause.")


def _set_paused(turn: OpenTurn, now: datetime, *, is_paused: bool) -> None:
    seats = Seat.objects.filter(duel=turn.duel)
    if is_paused:  # all players agreed, so they are present
        seats.update(missed_turns=0)
    turn.duel.paused_at = now if is_paused else None
    update_clocks(turn, now)
    turn.duel.save(update_fields=["paused_at"])
    seats.update(asks_pause=False)
    players = [seat for seat in turn.seats if seat.is_playing]
    _notify(Paused if is_paused else WentOn, turn, players, now)


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
