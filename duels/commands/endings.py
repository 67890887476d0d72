"""Commands that end a duel early, by resigning or by agreeing on a draw."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

import engine.play
from duels.commands.awaiting import await_wizards
from duels.commands.duel_end import DuelEnd
from duels.commands.end_steps import end_duel, end_during_turn
from duels.commands.locking import lock_duel, lock_turn_of_player, seat_of
from duels.commands.opening import ask_questions, close_turn
from duels.delivery.nudging import request_resolution
from duels.errors import MissingKey, Refused
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, DuelEnding, Orders, Outcome, Seat, Stage, Wizard
from duels.post.kinds.draw_declined import DrawDeclined
from duels.post.kinds.draw_offered import DrawOffered
from duels.post.kinds.your_turn import YourTurn
from duels.post.public import has_notice, notify
from engine.play import DRAW

OUTCOMES_OF_LEAVING = {DuelEnding.RESIGNED: Outcome.RESIGNED, DuelEnding.REMOVED: Outcome.REMOVED}
DEPARTURE_COLUMNS = ("events", "resigned", "forfeited", "removed")


@transaction.atomic
def resign(
    *,
    duel_id: int,
    wizard: Wizard,
    now: datetime,
    ordinal: int | None = None,
    roll_backs: int | None = None,
) -> Duel:
    """Remove the wizard from the duel at once, without playing their orders. A repeated call has no
    effect.

    `ordinal` and `roll_backs` identify the turn shown on the wizard's page, as in `offer_draw`.
    """
    duel = lock_duel(duel_id)
    if seat_of(duel, wizard).outcome == Outcome.RESIGNED:
        return duel
    turn, seat = lock_turn_of_player(duel_id, wizard)
    if not _has_turn_numbers(turn, ordinal, roll_backs):
        text = "The duel has changed since you opened the page. You have not resigned. Look again."
        raise Refused("turn_changed", text)
    remove_wizard(turn, seat, DuelEnding.RESIGNED, now)
    return turn.duel


def remove_wizard(turn: OpenTurn, seat: Seat, ending: DuelEnding, now: datetime) -> DuelEnd | None:
    """Remove a wizard from a duel that they are still in.

    `ending` says whether they resigned, ran out of time or were removed by a referee. If this ends
    the duel, `ending` is recorded as the reason. Return the end, or None if the duel continues.
    """
    row = turn.row
    outcome = OUTCOMES_OF_LEAVING.get(ending, Outcome.FORFEITED)
    _, leave = adjudication.DEPARTURES[outcome]
    after, events = leave(turn.position, seat.code)
    await_wizards(row, turn.seats, turn.awaited - {seat.code}, now)
    seat.outcome = outcome
    seat.save(update_fields=["outcome"])
    for column in {Outcome.RESIGNED, outcome}:  # `resigned` contains all who left
        setattr(row, column, [*getattr(row, column), seat.code])
    row.events = engine.play.dump((*adjudication.load_stored_events(row.events), *events))
    if after.outcome:
        # The other wizards' sealed orders are not played, but they become public too.
        Orders.objects.filter(turn=row).update(superseded=True)
        for seal in turn.all_seals:
            seal.superseded = True
        close_turn(turn, after, now)
        return end_duel(turn, after, ending, after.outcome, now)
    # Earlier requests were made while this wizard was in the duel, so wizards who still want a draw
    # or a pause must ask again.
    Seat.objects.filter(duel=turn.duel).update(draw_offered_in=None, asks_pause=False)
    _continue_without(replace(turn), seat, now)
    return None


@transaction.atomic
def offer_draw(
    *,
    duel_id: int,
    wizard: Wizard,
    ordinal: int | None,
    now: datetime,
    roll_backs: int | None = None,
    agrees: bool = False,
) -> Duel:
    """Offer a draw. The duel is drawn once every wizard still in it has offered one.

    If `agrees`, accept an offer made by another wizard, but do not make a new one. `ordinal`
    and `roll_backs` identify the turn shown on the wizard's page, so that a late agreement does not
    accept a later offer. They are None if the form did not contain them.
    """
    turn, seat = lock_turn_of_player(duel_id, wizard, now=now)
    duel = turn.duel
    if duel.is_practice:
        raise Refused("practice", "The practice opponent never agrees to a draw. You can resign.")
    _check_turn_seen(turn, ordinal, roll_backs)
    others = [other for other in turn.seats if other is not seat and other.is_playing]
    offering = [other for other in others if other.offers_draw_in(turn.row.ordinal)]
    if agrees and not offering:
        raise Refused("not_offered", "The draw offer has been withdrawn or has expired.")
    if len(offering) == len(others):
        end_during_turn(turn, DuelEnding.AGREED, DRAW, now)
    elif seat.draw_offered_in != turn.row.ordinal:
        seat.draw_offered_in = turn.row.ordinal
        seat.draw_declined_in = None
        seat.save(update_fields=["draw_offered_in", "draw_declined_in"])
        if not has_notice(DrawOffered.code, turn=turn.row, about=wizard):  # once per turn
            readers, occasion = [each.wizard for each in others], f"turn {turn.row.pk} by {seat.pk}"
            notify(DrawOffered, readers, duel, now, turn=turn.row, about=wizard, occasion=occasion)
    return duel


@transaction.atomic
def decline_draw(
    *,
    duel_id: int,
    wizard: Wizard,
    ordinal: int | None,
    now: datetime,
    roll_backs: int | None = None,
) -> Duel:
    """Cancel all draw offers and their queued emails, and notify the others who made one."""
    turn, seat = lock_turn_of_player(duel_id, wizard)
    duel = turn.duel
    _check_turn_seen(turn, ordinal, roll_backs)
    offers = [each for each in turn.seats if each.offers_draw_in(turn.row.ordinal)]
    declined = [each for each in offers if each.pk != seat.pk]
    Seat.objects.filter(duel=duel).update(draw_offered_in=None)
    declined_seats = Seat.objects.filter(pk__in=[each.pk for each in declined])
    declined_seats.update(draw_declined_in=turn.row.ordinal)
    readers = [each.wizard for each in declined]
    occasion = f"turn {turn.row.pk} by {seat.pk}"
    notify(DrawDeclined, readers, duel, now, turn=turn.row, about=wizard, occasion=occasion)
    return duel


@transaction.atomic
def withdraw_draw(
    *,
    duel_id: int,
    wizard: Wizard,
    ordinal: int | None,
    now: datetime,
    roll_backs: int | None = None,
) -> Duel:
    """Withdraw the wizard's own offer of a draw, and its emails if they are still queued."""
    turn, seat = lock_turn_of_player(duel_id, wizard)
    _check_turn_seen(turn, ordinal, roll_backs)
    Seat.objects.filter(pk=seat.pk).update(draw_offered_in=None)
    return turn.duel


def _check_turn_seen(turn: OpenTurn, ordinal: int | None, roll_backs: int | None) -> None:
    """Raise `Refused` for a page of an earlier turn, because offers expire with their turn."""
    if not _has_turn_numbers(turn, ordinal, roll_backs):
        text = "That turn has been played, and its draw offers have expired. Nothing has changed."
        raise Refused("offer_expired", text)


def _has_turn_numbers(turn: OpenTurn, ordinal: int | None, roll_backs: int | None) -> bool:
    """Return whether these numbers are those of the turn. None matches every turn."""
    return ordinal in (None, turn.row.ordinal) and roll_backs in (None, turn.row.roll_backs)


def _continue_without(turn: OpenTurn, departed: Seat, now: datetime) -> None:
    """Continue the turn without this wizard. Seals that are now illegal become void."""
    row = turn.row
    asks_again = turn.position.rules.asking is engine.play.QuestionMode.AT_EVERY_STEP
    if row.stage == Stage.ANSWERS and asks_again and _ask_remaining_questions(turn, now):
        return
    # Drop questions to the departed wizard, and questions about their hands. rules: R163
    row.questions = [
        question
        for question in row.questions
        if departed.code not in (question["wizard"], question["about"])
    ]
    row.save(update_fields=[*DEPARTURE_COLUMNS, "questions"])
    void = _void_seals(turn, departed) if row.stage == Stage.ORDERS else []
    Orders.objects.filter(pk__in=[seal.pk for seal in void]).update(superseded=True)
    left = replace(turn, seals=tuple(seal for seal in turn.seals if seal not in void))
    await_wizards(row, left.seats, left.unsealed_wizards, now)
    for seal in void:
        if seal.seat_id != departed.pk:
            occasion = f"turn {row.pk} void {seal.pk}"
            notify(YourTurn, [seal.seat.wizard], turn.duel, now, turn=row, occasion=occasion)
    request_resolution(row.pk)


def _ask_remaining_questions(turn: OpenTurn, now: datetime) -> bool:
    """Ask the questions that are still open, as a new batch. Return False if a key is missing.

    Answers that were sealed in the interrupted batch count if their questions are asked again.
    Answers that were taken back do not count. Without the key, the open questions cannot be
    determined, and the turn stays blocked. rules: turn:stepwise
    """
    turn.row.save(update_fields=DEPARTURE_COLUMNS)
    back = [seal for seal in turn.seals if seal.stage == Stage.ANSWERS and not seal.is_sealed]
    sealed = replace(turn, seals=tuple(seal for seal in turn.seals if seal not in back))
    try:
        with transaction.atomic():
            Orders.objects.filter(pk__in=[seal.pk for seal in back]).update(superseded=True)
            ask_questions(sealed, sealed.open_questions(), now)
    except MissingKey:
        return False
    request_resolution(turn.row.pk)
    return True


def _void_seals(turn: OpenTurn, departed: Seat) -> list[Orders]:
    """Return this wizard's seals and those that are now illegal, if they can be decrypted."""
    return [
        seal
        for seal in turn.seals
        if seal.seat_id == departed.pk or (not turn.is_lost(seal) and turn.faults_of_seal(seal))
    ]
