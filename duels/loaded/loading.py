"""Functions that load a turn, with its duel, seats and seals, in one statement.

`load_turn` and `load_duel` do not lock anything. Commands that change a turn lock its duel first:
they call `duels.commands.locking`, which uses `load_locked_turn`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from duels.loaded.joined_rows import ModelColumns, fetch_locked_rows, fetch_rows
from duels.loaded.open_turn import OpenTurn
from duels.models import Draft, Duel, Orders, Seat, Stage, Turn, Wizard

DUEL_COLUMNS = ModelColumns(Duel, "duel")
TURN_COLUMNS = ModelColumns(Turn, "turn", DUEL_COLUMNS.end)
SEAT_COLUMNS = ModelColumns(Seat, "seat", TURN_COLUMNS.end)
WIZARD_COLUMNS = ModelColumns(Wizard, "wizard", SEAT_COLUMNS.end)
SEAL_COLUMNS = ModelColumns(Orders, "seal", WIZARD_COLUMNS.end)
DRAFT_COLUMNS = ModelColumns(Draft, "draft", SEAL_COLUMNS.end)

# Each row has a seat and one of its seals in the turn. Commands need all seals, because a link
# covers all of them. Pages need seals that are not superseded, and all answers, which show which
# wizards have been asked.
SELECTED_COLUMNS_SQL = ", ".join(
    columns.sql
    for columns in (
        DUEL_COLUMNS,
        TURN_COLUMNS,
        SEAT_COLUMNS,
        WIZARD_COLUMNS,
        SEAL_COLUMNS,
        DRAFT_COLUMNS,
    )
)
SEATS_JOIN_SQL = """
    LEFT JOIN duels_seat seat ON seat.duel_id = duel.id
    LEFT JOIN duels_wizard wizard ON wizard.id = seat.wizard_id
"""
SEALS_JOIN_SQL = "LEFT JOIN duels_orders seal ON seal.turn_id = turn.id AND seal.seat_id = seat.id"
SHOWN_SEALS_SQL = "(NOT seal.superseded OR seal.stage = 'answers')"
DRAFT_JOIN_SQL = """
    LEFT JOIN duels_draft draft
        ON draft.turn_id = turn.id AND draft.seat_id = seat.id AND seat.wizard_id = %s
"""
ORDER_BY_SQL = "ORDER BY seat.place, seat.id, seal.stage DESC, seal.batch, seal.id"

# Each row also has the previous turn's hash.
SELECT_TURN_SQL = f"""
    SELECT {SELECTED_COLUMNS_SQL}, previous.chain
    FROM duels_turn turn
    JOIN duels_duel duel ON duel.id = turn.duel_id
    LEFT JOIN duels_turn previous
        ON previous.duel_id = turn.duel_id AND previous.ordinal = turn.ordinal - 1
        AND previous.voided_in = 0
    {SEATS_JOIN_SQL} {SEALS_JOIN_SQL} {DRAFT_JOIN_SQL}
"""
SELECT_BY_TURN_SQL = f"{SELECT_TURN_SQL} WHERE turn.id = %s {ORDER_BY_SQL}"
SELECT_OPEN_TURN_SQL = f"""
    {SELECT_TURN_SQL}
    WHERE turn.duel_id = %s AND turn.stage IN ('orders', 'answers') AND turn.voided_in = 0
    {ORDER_BY_SQL}
"""
# This lock allows other transactions to write rows that refer to the duel, because its key does not
# change.
LOCK_DUEL_OF_TURN_SQL = """
    SELECT duel.id FROM duels_duel duel
    JOIN duels_turn turn ON turn.duel_id = duel.id
    WHERE turn.id = %s
    FOR NO KEY UPDATE OF duel
"""
# Each row also has the primary key of the duel's last chat message.
SELECT_BY_DUEL_SQL = f"""
    SELECT {SELECTED_COLUMNS_SQL},
        (SELECT MAX(said.id) FROM duels_speech said WHERE said.duel_id = duel.id)
    FROM duels_duel duel
    LEFT JOIN duels_turn turn
        ON turn.duel_id = duel.id
        AND turn.ordinal = (
            SELECT MAX(newest.ordinal) FROM duels_turn newest
            WHERE newest.duel_id = duel.id AND newest.voided_in = 0
        )
        AND turn.voided_in = 0
    {SEATS_JOIN_SQL} {SEALS_JOIN_SQL} AND {SHOWN_SEALS_SQL} {DRAFT_JOIN_SQL}
    WHERE duel.id = %s
    {ORDER_BY_SQL}
"""


@dataclass(frozen=True)
class LoadedDuel:
    """A duel with its seats, and its newest turn with its seals."""

    duel: Duel
    seats: tuple[Seat, ...]  # the duel's seats with their wizards, in order of place
    newest: OpenTurn | None  # the open turn or, at the end, the last turn; None before the start
    last_speech: int  # the last chat message's primary key, or 0


def load_turn(turn_id: int) -> OpenTurn | None:
    """Return this turn without drafts, or None if there is no such turn."""
    return _newest_turn_in_rows(fetch_rows(SELECT_BY_TURN_SQL, [None, turn_id]))


def load_locked_turn(turn_id: int, *, with_draft_of: Wizard | None = None) -> OpenTurn | None:
    """Lock this turn's duel, then return the turn with one wizard's draft, or None."""
    parameters = [turn_id, with_draft_of.pk if with_draft_of else None, turn_id]
    now, rows = fetch_locked_rows(LOCK_DUEL_OF_TURN_SQL, SELECT_BY_TURN_SQL, parameters)
    turn = _newest_turn_in_rows(rows)
    return replace(turn, locked_at=now) if turn is not None else None


def load_open_turn(duel_id: int) -> OpenTurn | None:
    """Return the open turn of this duel, or None if it has none."""
    return _newest_turn_in_rows(fetch_rows(SELECT_OPEN_TURN_SQL, [None, duel_id]))


def _newest_turn_in_rows(rows: Sequence[Sequence[Any]]) -> OpenTurn | None:
    if not rows:
        return None
    chain_before = rows[0][-1] or ""
    return _assemble_duel(rows, chain_before).newest


def load_duel(duel_id: int, *, with_draft_of: Wizard | None = None) -> LoadedDuel | None:
    """Return the current duel with one wizard's draft, or None if there is no such duel."""
    rows = fetch_rows(SELECT_BY_DUEL_SQL, [with_draft_of.pk if with_draft_of else None, duel_id])
    return _assemble_duel(rows, last_speech=rows[0][-1] or 0) if rows else None


def _assemble_duel(
    rows: Sequence[Sequence[Any]], chain_before: str = "", last_speech: int = 0
) -> LoadedDuel:
    """Return the duel in these rows, with only one instance for each seat and wizard."""
    duel = DUEL_COLUMNS.make_instance(rows[0])
    turn = TURN_COLUMNS.make_instance(rows[0]) if rows[0][TURN_COLUMNS.key] else None
    seats: dict[int, Seat] = {}
    seals: list[Orders] = []
    draft: Draft | None = None
    for row in rows:
        if row[SEAT_COLUMNS.key] is None:
            continue
        seat = seats.get(row[SEAT_COLUMNS.key])
        if seat is None:
            seat = seats[row[SEAT_COLUMNS.key]] = SEAT_COLUMNS.make_instance(row)
            seat.duel, seat.wizard = duel, WIZARD_COLUMNS.make_instance(row)
        if turn is not None and row[SEAL_COLUMNS.key]:
            seal = SEAL_COLUMNS.make_instance(row)
            seal.turn, seal.seat = turn, seat
            seals.append(seal)
        if row[DRAFT_COLUMNS.key]:
            draft = DRAFT_COLUMNS.make_instance(row)
    seated = tuple(seats.values())
    newest = None
    if turn is not None:
        turn.duel = duel
        newest = OpenTurn(
            turn,
            seated,
            seals=tuple(seal for seal in seals if not seal.superseded),
            all_seals=tuple(sorted(seals, key=lambda seal: seal.pk)),
            answered=frozenset(seal.seat.code for seal in seals if seal.stage == Stage.ANSWERS),
            draft=draft,
            chain_before=chain_before,
        )
    return LoadedDuel(duel, seated, newest, last_speech)
