"""How a duel starts, how each of its turns is opened, and how it is closed."""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

import engine
from duels import adjudication, seals, tasks
from duels.commands.markers import move_markers
from duels.commands.notices import notice, queue
from duels.commands.nudging import nudge_after_commit
from duels.models import (
    SMALLEST_DUEL,
    Draft,
    Duel,
    DuelStatus,
    Ended,
    NoticeKind,
    Orders,
    Outcome,
    Seat,
    Stage,
    Turn,
    TurnKind,
)
from engine.position import DRAW, STANDING

LOT = secrets.SystemRandom()
# What changes in a turn's row when it is closed.
CLOSED = (
    *("stage", "closed_at", "events", "resigned", "questions", "missing", "chain"),
    *("last_error", "failed_at"),
)


def start_duel(duel: Duel, seats: Sequence[Seat], now: datetime, *, by_lot: bool = True) -> Turn:
    """Places are drawn by lot or as they come, the dice get their seed, and turn 1 is open."""
    places = list(range(len(seats)))
    if by_lot:
        LOT.shuffle(places)
    for seat, place in zip(seats, places, strict=True):
        seat.place = place
    Seat.objects.bulk_update(seats, ["place"])
    seats = sorted(seats, key=lambda seat: seat.place or 0)
    seed = seals.new_seed()
    duel.seed = seals.encrypt(seed)
    duel.seed_commitment = seals.seed_commitment(seed)
    duel.status = DuelStatus.RUNNING
    duel.started_at = now
    duel.save(update_fields=["seed", "seed_commitment", "status", "started_at"])
    turn = open_turn(duel, adjudication.beginning(duel, seats), 1, now)
    queue(notice(NoticeKind.STARTED, seat.wizard, duel, now, turn=turn) for seat in seats)
    if not turn.missing:
        nudge(turn)
    return turn


def open_turn(duel: Duel, position: engine.Position, ordinal: int, now: datetime) -> Turn:
    """A turn begins from this position; whoever has something to decide is waited for."""
    awaited = engine.awaited(position)
    turn = Turn.objects.create(
        duel=duel,
        ordinal=ordinal,
        number=position.turn,
        kind=TurnKind(position.kind),
        position=engine.dump(position),
        missing=len(awaited),
        opened_at=now,
    )
    # Nobody is waited for at this instant: the turn before was complete.
    Seat.objects.filter(duel=duel, place__in=_places(awaited)).update(
        awaited=True, awaited_since=now
    )
    nudge_practice(turn)
    return turn


def await_wizards(turn: Turn, awaited: Collection[str], now: datetime) -> None:
    """The open turn waits for these wizards and for nobody else."""
    places = _places(awaited)
    seats = Seat.objects.filter(duel=turn.duel)
    seats.filter(awaited=True).exclude(place__in=places).update(awaited=False, awaited_since=None)
    seats.filter(awaited=False, place__in=places).update(awaited=True, awaited_since=now)
    turn.missing = len(places)
    nudge_practice(turn)


def _places(wizards: Collection[str]) -> list[int]:
    return [int(code.removeprefix("w")) for code in wizards]


def nudge(turn: Turn) -> None:
    """Once the change is committed, look whether the turn can be resolved.

    After every seal, whoever was last: two wizards who seal at once need not see each other. An
    absent broker does not undo what was saved; the sweep finds the turn.
    """
    nudge_after_commit(tasks.resolve_turn, turn.pk)


def nudge_practice(turn: Turn) -> None:
    """In a practice duel the opponent looks, once the change is committed, what he has to do."""
    if turn.duel.is_practice:
        nudge_after_commit(tasks.practise, turn.pk)


def end_duel(duel: Duel, position: engine.Position, how: Ended, result: str, now: datetime) -> None:
    """The duel is over with this result: everything about it is open from now on."""
    duel.seed = adjudication.seed_of(duel)
    duel.status = DuelStatus.OVER
    duel.ended = how
    duel.ended_at = now
    duel.result = result
    duel.final_position = engine.dump(position)
    duel.save(update_fields=["seed", "status", "ended", "ended_at", "result", "final_position"])
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    for seat in seats:
        seat.awaited, seat.awaited_since = False, None
        # Who fell or resigned before has lost already, whatever the others agree on; but one who
        # was raised on the very last turn may have won. rules: R174
        if seat.outcome == Outcome.NONE or seat.code == result:
            seat.outcome = _outcome(seat.code, result)
    Seat.objects.bulk_update(seats, ["awaited", "awaited_since", "outcome"])
    if not duel.is_practice:
        move_markers(duel, seats, position, result, now)
    _open_bodies(duel)
    Draft.objects.filter(turn__duel=duel).delete()
    queue(notice(NoticeKind.OVER, seat.wizard, duel, now) for seat in seats)


def note_outcomes(turn: Turn, position: engine.Position) -> None:
    """Who fell in a duel that goes on has lost it, until he is raised from the dead. rules: R54"""
    if len(position.wizards) == SMALLEST_DUEL:
        return  # when one of two falls, the duel is over
    seats = Seat.objects.filter(duel=turn.duel)
    standing = [wizard.seat for wizard in position.wizards if wizard.standing == STANDING]
    fallen = seats.exclude(place__in=standing).filter(outcome=Outcome.NONE)
    fallen.update(outcome=Outcome.LOST, awaited=False, awaited_since=None)
    raised = seats.filter(place__in=standing, outcome=Outcome.LOST)
    raised.update(outcome=Outcome.NONE)


def close_turn(turn: Turn, stage: Stage, now: datetime) -> None:
    """The turn is played, or will not be; nothing can be sealed in it any more."""
    turn.stage = stage
    turn.closed_at = now
    turn.questions = []
    turn.missing = 0
    turn.last_error = ""
    turn.failed_at = None
    turn.save(update_fields=CLOSED)


def linked(turn: Turn, orders: Collection[Orders], after: engine.Position) -> str:
    """The hash that ties this resolved turn to all before it.

    Over nothing that changes when an account is closed; `duels.records` says how to recompute it.
    """
    previous = Turn.objects.filter(duel=turn.duel_id, ordinal=turn.ordinal - 1).order_by()
    return seals.chain_hash(
        previous.values_list("chain", flat=True).first() or turn.duel.seed_commitment,
        {
            "ordinal": turn.ordinal,
            "number": turn.number,
            "kind": turn.kind,
            "resigned": turn.resigned,
            "commitments": adjudication.commitments(orders),
            "answers": adjudication.commitments(orders, Stage.ANSWERS),
            "damage": adjudication.damage(after),
        },
    )


def _outcome(wizard: str, result: str) -> Outcome:
    if result == DRAW:
        return Outcome.DREW
    return Outcome.WON if result == wizard else Outcome.LOST


def _open_bodies(duel: Duel) -> None:
    """The seals that were played lie open, so that no key is needed to read the record."""
    rows = list(
        Orders.objects.filter(turn__duel=duel, turn__stage=Stage.RESOLVED, superseded=False)
    )
    for row in rows:
        row.body = seals.unlocked(row.body)
    Orders.objects.bulk_update(rows, ["body"])
