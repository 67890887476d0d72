"""Resolving a turn: once, whatever calls twice, late, at the same instant, or dies half-way."""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

import engine
from duels import adjudication
from duels.commands.asking import ask
from duels.commands.locking import locked_turn
from duels.commands.notices import notice, queue
from duels.commands.opening import (
    await_wizards,
    close_turn,
    end_duel,
    linked,
    note_outcomes,
    open_turn,
)
from duels.commands.sealing import awaited_in
from duels.errors import Refused, ResolutionFailed, described
from duels.models import (
    DuelStatus,
    Ended,
    NoticeKind,
    Orders,
    Outcome,
    Seat,
    Stage,
    Turn,
)

logger = logging.getLogger(__name__)

# Turns that need nobody follow each other at once. After so many it may well be that nobody will
# ever decide anything again: then somebody has to wish the duel to go on.
MOST_TURNS_AT_ONCE = 20


def resolve_turn(*, turn_id: int, now: datetime | None = None) -> bool:
    """The turn is resolved if all that it waits for is sealed. Answers whether this call did it.

    Raises `ResolutionFailed` when the engine or the database refuses: nothing has changed then,
    the failure is logged, shown in the admin, and tried again by the sweep.
    """
    now = now or timezone.now()
    try:
        return _resolve(turn_id, now)
    except Refused:
        return False  # a message that came later than the turn could wait for it
    except Exception as error:
        failure = described(error)
        if isinstance(error, engine.IllegalOrders):
            faults = (fault for some in error.faults.values() for fault in some)
            failure += f" ({', '.join(sorted({fault.code for fault in faults}))})"
    turns = Turn.objects.filter(pk=turn_id)
    turns.update(attempts=F("attempts") + 1, last_error=failure, failed_at=now)
    duel_id = turns.values_list("duel_id", flat=True).first()
    logger.error("Turn %s of duel %s did not resolve: %s", turn_id, duel_id, failure)
    raise ResolutionFailed(f"turn {turn_id} of duel {duel_id}: {failure}")


@transaction.atomic
def _resolve(turn_id: int, now: datetime) -> bool:
    turn = locked_turn(turn_id)
    if turn.duel.status != DuelStatus.RUNNING or not turn.is_open:
        return False
    resolved = 0
    following: Turn | None = turn
    while following is not None and resolved < MOST_TURNS_AT_ONCE:
        turn = following
        if resolved and turn.missing:
            break  # a turn opened just now, in which nobody can have sealed yet
        orders = _sealed_in(turn)
        if not _is_complete(turn, orders) or _asks(turn, orders, now):
            break
        following = _play(turn, orders, now)
        resolved += 1
    else:
        if following is not None and not following.missing:
            await_wizards(following, engine.acting(adjudication.start_of(following)), now)
            following.save(update_fields=["missing"])
    if resolved and following is not None:
        _announce(following, now)
    return resolved > 0


def _sealed_in(turn: Turn) -> list[Orders]:
    """All that stands sealed in the turn, by place."""
    live = Orders.objects.filter(turn=turn, superseded=False)
    return list(live.select_related("seat").order_by("seat__place", "batch"))


def _is_complete(turn: Turn, orders: Sequence[Orders]) -> bool:
    """Whether everybody whom this stage of the turn waits for has sealed."""
    sealed = {
        row.seat.code
        for row in orders
        if row.is_sealed and row.stage == turn.stage and row.batch == turn.batch
    }
    return sealed.issuperset(awaited_in(turn))


def _asks(turn: Turn, orders: Sequence[Orders], now: datetime) -> bool:
    """Whether the reveal leaves questions; if so, they are asked and the turn waits for answers."""
    questions = adjudication.asked(turn, orders)
    if questions:
        ask(turn, questions, orders, now)
    return bool(questions)


def _play(turn: Turn, orders: Sequence[Orders], now: datetime) -> Turn | None:
    """Close the turn with what happens in it. Answers the next turn, None when the duel is over."""
    before = adjudication.position_of(turn)
    after, events = engine.resolve(
        before,
        adjudication.played(before, orders),
        adjudication.answers(orders),
        adjudication.dice(turn.duel, orders),
    )
    turn.events = engine.dump((*adjudication.loaded_events(turn.events), *events))
    turn.chain = linked(turn, orders, after)
    close_turn(turn, Stage.RESOLVED, now)
    if after.outcome:
        end_duel(turn.duel, after, Ended.RULES, after.outcome, now)
        return None
    note_outcomes(turn, after)
    return open_turn(turn.duel, after, turn.ordinal + 1, now)


def _announce(turn: Turn, now: datetime) -> None:
    """Everybody who is still in the duel hears of the turn that is open now."""
    seats = Seat.objects.filter(duel=turn.duel, outcome=Outcome.NONE).select_related("wizard")
    queue(notice(NoticeKind.YOUR_TURN, seat.wizard, turn.duel, now, turn=turn) for seat in seats)
