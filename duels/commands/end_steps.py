"""The steps that end a duel. `END_STEPS` lists them in order, with one function for each.

All steps run in the transaction that ends the duel. Those of apps (`callbacks.duel_end_steps`)
come last.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import engine.play
from duels.commands import callbacks
from duels.commands.awaiting import await_wizards
from duels.commands.duel_end import DuelEnd, EndStep
from duels.commands.markers import move_markers, take_back_markers
from duels.commands.opening import close_turn
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import (
    Draft,
    Duel,
    DuelEnding,
    DuelStatus,
    Orders,
    Outcome,
    RejectedSeal,
    Seat,
    Stage,
    Turn,
)
from duels.post.kinds.over import Over
from duels.post.public import notify
from duels.sealing import seals
from duels.sealing.seeds import renew_seed, seed_or_none
from engine.play import DRAW, STANDING

logger = logging.getLogger(__name__)


def publish_seed(end: DuelEnd) -> None:
    """Decrypt the seed. If its key is missing, it stays encrypted; the record mentions this."""
    duel, seed = end.duel, seed_or_none(end.duel)
    if seed is None:
        logger.error("The key of the seed of duel %s is missing; the seed stays encrypted", duel.pk)
    else:
        duel.seed = seed
        duel.save(update_fields=["seed"])


def record_result(end: DuelEnd) -> None:
    """Store the result and each wizard's outcome.

    Wizards who fell or resigned earlier have lost, even if the others agree on a draw. However, a
    wizard who was raised from the dead on the very last turn may have won. rules: R174
    """
    duel = end.duel
    duel.status = DuelStatus.ANNULLED if end.is_annulled else DuelStatus.OVER
    duel.ended, duel.result = end.how, end.result
    if duel.ended_at is None:  # keep the original end if the result is changed
        duel.ended_at = end.now
        duel.final_position = engine.play.dump(end.position)
    duel.save(update_fields=["status", "ended", "ended_at", "result", "final_position"])
    for seat in end.seats:
        seat.duel_ended_at = duel.ended_at
        if end.is_annulled:
            seat.outcome = Outcome.NONE
        elif seat.outcome == Outcome.NONE or seat.code == end.result:
            outcome = Outcome.WON if seat.code == end.result else Outcome.LOST
            seat.outcome = Outcome.DREW if end.result == DRAW else outcome
    Seat.objects.bulk_update(end.seats, ["outcome", "duel_ended_at"])


def restore_outcomes(end: DuelEnd) -> None:
    """Restore each wizard's outcome from before this end. The caller saves the seats."""
    duel = end.duel
    end.facts["was"] = {"status": duel.status, "ended": duel.ended, "result": duel.result}
    turns = list(Turn.objects.filter(duel=duel).order_by("ordinal"))
    last = adjudication.position_at_start(turns[-1])
    alive = {wizard.id for wizard in last.wizards if wizard.standing == STANDING}
    for seat in end.seats:
        fallen = Outcome.NONE if seat.code in alive else Outcome.LOST
        left = (adjudication.departure_outcome(turn, seat.code) for turn in turns)
        seat.outcome = next(filter(None, left), fallen)


def decrypt_seals(end: DuelEnd) -> None:
    """Decrypt all seals, including superseded ones, so that the record can be read without a key.

    Seals whose key is missing stay encrypted, but the duel ends nevertheless.
    """
    sealed = list(Orders.objects.filter(turn__duel=end.duel))
    rejected = list(RejectedSeal.objects.filter(turn__duel=end.duel))
    rows: list[Orders | RejectedSeal] = [*sealed, *rejected]
    for row in rows:
        try:
            row.body = seals.decrypt_body(row.body)
        except MissingKey:
            logger.error("The key of %s of duel %s is missing", row, end.duel.pk)
    Orders.objects.bulk_update(sealed, ["body"])
    RejectedSeal.objects.bulk_update(rejected, ["body"])


def delete_drafts(end: DuelEnd) -> None:
    """Delete all drafts of the duel, because they can no longer be sealed."""
    Draft.objects.filter(turn__duel=end.duel).delete()


def notify_players(end: DuelEnd) -> None:
    """Notify all players. A duel that a referee has resumed can end again, with another notice."""
    duel = end.duel
    occasion = f"duel {duel.pk} after act {duel.last_act}" if duel.last_act else ""
    notify(Over, [seat.wizard for seat in end.seats], duel, end.now, occasion=occasion)


END_STEPS: Final = (
    EndStep(publish_seed),
    EndStep(record_result, restore_outcomes),
    EndStep(move_markers, take_back_markers),
    EndStep(decrypt_seals),
    EndStep(delete_drafts),
    EndStep(notify_players),
)


def end_duel(
    turn: OpenTurn, position: engine.play.Position, ending: DuelEnding, result: str, now: datetime
) -> DuelEnd:
    """End the duel after this closed turn, and make all its secrets public."""
    await_wizards(turn.row, turn.seats, (), now)
    end = DuelEnd(turn.duel, turn.seats, position, ending, result, now)
    for step in (*END_STEPS, *callbacks.duel_end_steps):
        step.apply(end)
    return end


def end_during_turn(turn: OpenTurn, ending: DuelEnding, result: str, now: datetime) -> DuelEnd:
    """End the duel in the middle of its open turn, which becomes void."""
    close_turn(turn, turn.position, now, stage=Stage.VOID)
    return end_duel(turn, turn.position, ending, result, now)


def undo_end(duel: Duel, seats: Sequence[Seat], now: datetime) -> DuelEnd:
    """Undo the end of a duel, which the caller then ends again or resumes. Return the end."""
    position = engine.play.load_position(duel.final_position)
    end = DuelEnd(duel, seats, position, DuelEnding(duel.ended), duel.result, now)
    for step in reversed((*END_STEPS, *callbacks.duel_end_steps)):
        if step.undo is not None:
            step.undo(end)
    return end


def end_with_other_result(undone_end: DuelEnd, ending: DuelEnding, result: str) -> DuelEnd:
    """End a duel again after its end was undone, with a different result."""
    end = DuelEnd(
        undone_end.duel, undone_end.seats, undone_end.position, ending, result, undone_end.now
    )
    for step in (*END_STEPS, *callbacks.duel_end_steps):
        if step.undo is not None:
            step.apply(end)
    return end


def resume_duel(duel: Duel, seats: Sequence[Seat], roll_backs: int) -> None:
    """Resume a duel whose end was undone. `roll_backs` is the number of rollbacks so far.

    Everything that is already public stays public, and the dice get a new seed. The caller saves
    the seats.
    """
    renew_seed(duel, roll_backs)
    duel.status = DuelStatus.RUNNING
    duel.ended = DuelEnding.NOT
    duel.ended_at = None
    duel.result = ""
    duel.final_position = None
    duel.paused_at = None
    duel.save(
        update_fields=(
            "seed seed_commitment seed_roll_backs past_seeds status ended ended_at result "
            "final_position paused_at"
        ).split()
    )
    for seat in seats:
        seat.duel_ended_at = None
