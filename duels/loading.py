"""Turns, with their duel, seats and seals, each loaded with one statement.

Nothing is locked here: whoever changes a turn locks its duel first (`duels.commands.locking`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField

from duels.joined_rows import Columns, fetched
from duels.models import Draft, Duel, Orders, Seat, Stage, Turn, Wizard
from duels.open_turn import OpenTurn

DUEL, TURN, SEAT = Columns(Duel, "duel"), Columns(Turn, "turn"), Columns(Seat, "seat")
WIZARD, SEAL, DRAFT = Columns(Wizard, "wizard"), Columns(Orders, "seal"), Columns(Draft, "draft")
PARTS: tuple[Columns[Any], ...] = (DUEL, TURN, SEAT, WIZARD, SEAL, DRAFT)

# A row for each seat and each of its live seals in the turn, and for answers out of force: they
# tell who has been asked.
COLUMNS = ", ".join(part.sql for part in PARTS)
SEATS_AND_SEALS = """
    LEFT JOIN duels_seat seat ON seat.duel_id = duel.id
    LEFT JOIN duels_wizard wizard ON wizard.id = seat.wizard_id
    LEFT JOIN duels_orders seal
        ON seal.turn_id = turn.id AND seal.seat_id = seat.id
        AND (NOT seal.superseded OR seal.stage = 'answers')
    LEFT JOIN duels_draft draft
        ON draft.turn_id = turn.id AND draft.seat_id = seat.id AND seat.wizard_id = %s
"""
IN_ORDER = "ORDER BY seat.place, seat.id, seal.stage DESC, seal.batch"

# Beside the rows: the hash of the turn before.
BY_TURN = f"""
    SELECT {COLUMNS}, previous.chain
    FROM duels_turn turn
    JOIN duels_duel duel ON duel.id = turn.duel_id
    LEFT JOIN duels_turn previous
        ON previous.duel_id = turn.duel_id AND previous.ordinal = turn.ordinal - 1
        AND previous.voided_in = 0
    {SEATS_AND_SEALS}
    WHERE turn.id = %s
    {IN_ORDER}
"""
# Beside the rows: the last speech.
BY_DUEL = f"""
    SELECT {COLUMNS}, (SELECT MAX(said.id) FROM duels_speech said WHERE said.duel_id = duel.id)
    FROM duels_duel duel
    LEFT JOIN duels_turn turn
        ON turn.duel_id = duel.id
        AND turn.ordinal = (
            SELECT MAX(newest.ordinal) FROM duels_turn newest
            WHERE newest.duel_id = duel.id AND newest.voided_in = 0
        )
        AND turn.voided_in = 0
    {SEATS_AND_SEALS}
    WHERE duel.id = %s
    {IN_ORDER}
"""


@dataclass(frozen=True)
class LoadedDuel:
    """A duel with its seats, and its newest turn with what is sealed in it."""

    duel: Duel
    seats: tuple[Seat, ...]  # by place, each with its wizard
    newest: OpenTurn | None  # the open turn, or the last one; None before the start
    last_speech: int  # its key; 0 without one

    def seat_of(self, wizard: Wizard | None) -> Seat | None:
        """The seat of this wizard; None for those who have none."""
        if wizard is None:
            return None
        return next((seat for seat in self.seats if seat.wizard_id == wizard.pk), None)


def load_turn(turn_id: int, *, draft_of: Wizard | None = None) -> OpenTurn | None:
    """This turn as it stands, with one wizard's draft; None where there is none."""
    rows = fetched(BY_TURN, [draft_of.pk if draft_of else None, turn_id])
    if not rows:
        return None
    chain_before = rows[0][-1] or ""
    return _assembled(rows, chain_before).newest


def load_duel(duel_id: int, *, draft_of: Wizard | None = None) -> LoadedDuel | None:
    """This duel as it stands, with one wizard's draft; None where there is none."""
    if duel_id > BigIntegerField.MAX_BIGINT:  # the database takes no such number
        return None
    rows = fetched(BY_DUEL, [draft_of.pk if draft_of else None, duel_id])
    return _assembled(rows, last_speech=rows[0][-1] or 0) if rows else None


def _assembled(
    rows: Sequence[Sequence[Any]], chain_before: str = "", last_speech: int = 0
) -> LoadedDuel:
    """What these rows hold; each seat and wizard is made once, however many seals it has."""
    of_duel, of_turn, *_ = _parted(rows[0])
    duel = DUEL.instance(of_duel)
    turn = TURN.instance(of_turn) if TURN.holds(of_turn) else None
    seats: dict[int, Seat] = {}
    seals: list[Orders] = []
    draft: Draft | None = None
    for row in rows:
        _, _, of_seat, of_wizard, of_seal, of_draft = _parted(row)
        if not SEAT.holds(of_seat):
            continue
        seat = seats.get(of_seat[SEAT.key])
        if seat is None:
            seat = seats[of_seat[SEAT.key]] = SEAT.instance(of_seat)
            seat.duel, seat.wizard = duel, WIZARD.instance(of_wizard)
        if turn is not None and SEAL.holds(of_seal):
            seal = SEAL.instance(of_seal)
            seal.turn, seal.seat = turn, seat
            seals.append(seal)
        if DRAFT.holds(of_draft):
            draft = DRAFT.instance(of_draft)
    seated = tuple(seats.values())
    newest = None
    if turn is not None:
        turn.duel = duel
        newest = OpenTurn(
            turn,
            seated,
            seals=tuple(seal for seal in seals if not seal.superseded),
            answered=frozenset(seal.seat.code for seal in seals if seal.stage == Stage.ANSWERS),
            draft=draft,
            chain_before=chain_before,
        )
    return LoadedDuel(duel, seated, newest, last_speech)


def _parted(row: Sequence[Any]) -> list[Sequence[Any]]:
    """The columns of each of `PARTS`."""
    return [row[at : at + len(part)] for at, part in STARTS]


STARTS = [
    (sum(len(before) for before in PARTS[:number]), part) for number, part in enumerate(PARTS)
]
