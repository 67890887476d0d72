"""Functions that start a duel, open its turns, ask their questions and close them."""

import secrets
from collections.abc import Sequence
from datetime import datetime

import engine
import engine.play
from duels import models
from duels.commands import callbacks
from duels.commands.alarms import FAILURE_COLUMNS, end_failure_alarm
from duels.commands.awaiting import await_wizards
from duels.delivery.nudging import request_resolution
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.post.kinds.claimable import Claimable
from duels.post.kinds.question import Question
from duels.post.kinds.started import Started
from duels.post.public import notify
from duels.sealing import links
from duels.sealing.seeds import begin_seed
from engine.play import STANDING

SECURE_RANDOM = secrets.SystemRandom()
# Columns of a turn that change when it is closed.
COLUMNS_OF_CLOSED_TURN = (
    *"stage closed_at events resigned forfeited removed questions chain release acts".split(),
    *FAILURE_COLUMNS,
)


def start_duel(
    duel: models.Duel, seats: Sequence[models.Seat], now: datetime, *, by_lot: bool = True
) -> models.Turn:
    """Start the duel: assign places (at random or in order), seed the dice, and open turn 1.

    A duel with a guest is friendly, even if the guest signs up before it ends. If the duel's draws
    are fixed in advance, assign places in order, because draws refer to wizards by place.
    """
    places = list(range(len(seats)))
    if by_lot and duel.recorded_draws is None:
        SECURE_RANDOM.shuffle(places)
    for seat, place in zip(seats, places, strict=True):
        seat.place = place
        seat.excuses_left = duel.excuses
    models.Seat.objects.bulk_update(seats, ["place", "excuses_left"])
    seats = sorted(seats, key=lambda seat: seat.place or 0)
    begin_seed(duel)
    duel.status = models.DuelStatus.RUNNING
    duel.rated = duel.rated and not any(seat.wizard.is_guest for seat in seats)
    duel.link_format = models.VERSION_COVERING_DICE
    duel.chain = links.new_first_link(duel, len(seats))
    duel.started_at = now
    duel.save(
        update_fields=[
            "seed",
            "seed_commitment",
            "status",
            "rated",
            "started_at",
            "link_format",
            "chain",
        ]
    )
    turn = open_turn(duel, seats, adjudication.initial_position(duel, seats), now)
    notify(Started, [seat.wizard for seat in seats], duel, now, turn=turn.row)
    for callback in callbacks.duel_start_callbacks:
        callback(duel, turn.row, now)
    if not turn.awaited:
        request_resolution(turn.row.pk)
    return turn.row


def open_turn(
    duel: models.Duel,
    seats: Sequence[models.Seat],
    position: engine.play.Position,
    now: datetime,
    *,
    previous_turn: models.Turn | None = None,
    roll_backs: int | None = None,
) -> OpenTurn:
    """Open a turn from this position, and make it wait for every wizard who has a choice.

    `previous_turn` is the turn that resulted in this position, if any. `roll_backs` is the duel's
    number of rollbacks, if the duel has been rolled back since that turn.
    """
    if previous_turn is not None and previous_turn.closed_at is not None:
        now = max(now, previous_turn.closed_at)
    if roll_backs is None:
        roll_backs = previous_turn.roll_backs if previous_turn else 0
    row = models.Turn.objects.create(
        duel=duel,
        ordinal=previous_turn.ordinal + 1 if previous_turn else 1,
        number=position.turn,
        kind=models.TurnKind(position.kind),
        position=engine.play.dump(position),
        opened_at=now,
        roll_backs=roll_backs,
    )
    await_wizards(row, seats, engine.play.deciding_wizards(position), now)
    _notify_of_absence(row, seats, now)
    return OpenTurn(row, tuple(seats), chain_before=previous_turn.chain if previous_turn else "")


def _notify_of_absence(turn: models.Turn, seats: Sequence[models.Seat], now: datetime) -> None:
    """Notify the others if a wizard has missed enough turns that they can claim the duel.

    Call this only when both turns have been revealed. rules: promises 1, 9
    """
    for absent in seats:
        if (
            absent.missed_turns == models.MISSED_TURNS_BEFORE_CLAIM
            and absent.missed_in == turn.ordinal - 1
        ):
            others = [seat for seat in seats if not seat.is_absent_in(turn.ordinal)]
            notify(
                Claimable,
                [other.wizard for other in others if other.is_playing],
                turn.duel,
                now,
                turn=turn,
                about=absent.wizard,
                occasion=f"turn {turn.pk} without {absent.pk}",
            )


def update_outcomes(turn: OpenTurn, position: engine.play.Position, now: datetime) -> None:
    """Update the outcomes of wizards who have fallen or been raised from the dead. rules: R54"""
    if len(position.wizards) == models.MIN_WIZARDS:
        return  # a duel of two is over when one of them falls
    standing = {wizard.id for wizard in position.wizards if wizard.standing == STANDING}
    await_wizards(turn.row, turn.seats, turn.awaited & standing, now)
    has_changed = False
    for seat in turn.seats:
        is_standing = seat.code in standing
        if seat.outcome == (models.Outcome.LOST if is_standing else models.Outcome.NONE):
            seat.outcome = models.Outcome.NONE if is_standing else models.Outcome.LOST
            seat.save(update_fields=["outcome"])
            has_changed = True
    if has_changed:  # pause requests expire, because the players who must agree have changed
        models.Seat.objects.filter(duel=turn.duel).update(asks_pause=False)


def close_turn(
    turn: OpenTurn,
    position_after: engine.play.Position,
    now: datetime,
    *,
    stage: models.Stage = models.Stage.RESOLVED,
    played_events: Sequence[engine.play.Event] | None = None,
) -> None:
    """Close a turn that results in this position.

    Compute the hash that links the turn and all its seals to the earlier turns. `played_events` are
    the events of the gestures, or None if none were made. They follow those that the row already
    contains, which are departures. If the clock lags behind the last seal, the turn closes at the
    time of that seal.
    """
    row, duel = turn.row, turn.duel
    sealed = turn.all_seals
    rejected: list[models.RejectedSeal] = []
    if row.rejections and links.is_dice_covered(duel):
        found = models.RejectedSeal.objects.filter(turn=row).select_related("seat")
        rejected = list(found.order_by("pk"))
    row.stage = stage
    moments = [seal.sealed_at for seal in sealed] + [seal.rejected_at for seal in rejected]
    row.closed_at = max(now, row.opened_at, *moments)
    row.release = engine.RELEASE if stage == models.Stage.RESOLVED else ""
    row.acts = duel.last_act
    row.questions = []
    events = (*adjudication.load_stored_events(row.events), *(played_events or ()))
    if played_events is not None:
        row.events = engine.play.dump(events)
    end_failure_alarm(row, now)
    covered = links.covered_turn(
        row,
        sealed,
        rejected,
        start=turn.start,
        position_after=position_after,
        events=events,
        played=played_events is not None,
    )
    previous = turn.chain_before or links.first_link(duel, len(turn.seats))
    row.chain = links.link_of_turn(duel, previous, covered, links.hash_of_last_act(duel, row.acts))
    row.save(update_fields=COLUMNS_OF_CLOSED_TURN)


def ask_questions(turn: OpenTurn, questions: Sequence[engine.play.Question], now: datetime) -> None:
    """Make the turn wait for answers to these questions, if there are any. rules: turn:answers"""
    row = turn.row
    row.questions = turn.questions_to_store(questions)
    row.stage = models.Stage.ANSWERS
    row.batch += 1
    end_failure_alarm(row, now)  # an earlier attempt to play the turn may have failed
    row.save(update_fields=["stage", "batch", "questions", *FAILURE_COLUMNS])
    models.QuestionRound.objects.create(turn=row, batch=row.batch, asked_at=now)
    asked = {question.wizard for question in questions}
    await_wizards(row, turn.seats, asked, now)
    readers = [seat.wizard for seat in turn.seats if seat.code in asked]
    notify(Question, readers, turn.duel, now, turn=row)
