"""Commands that end a duel early, by resigning or by agreeing on a draw."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

import engine.play
from duels.commands.asking import ask_remaining_questions
from duels.commands.awaiting import await_wizards
from duels.commands.duel_end import DuelEnd
from duels.commands.end_steps import end_duel, end_during_turn
from duels.commands.locking import loaded_seat_of, lock_duel, open_turn_of, seat_of
from duels.commands.opening import close_turn
from duels.commands.suspensions import check_may_act
from duels.delivery.nudging import request_resolution
from duels.errors import MissingKey, Refused
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, Ended, Orders, Outcome, Seat, Stage, Wizard
from duels.post.kinds.draw_declined import DrawDeclined
from duels.post.kinds.draw_offered import DrawOffered
from duels.post.kinds.your_turn import YourTurn
from duels.post.public import has_notice, notify
from engine.play import DRAW

# For each way to leave a duel: the seat's outcome, the engine's function and the turn's columns.
OUTCOMES_OF_LEAVING = {Ended.RESIGNED: Outcome.RESIGNED, Ended.REMOVED: Outcome.REMOVED}
ENGINE_CALLS = {Ended.RESIGNED: engine.play.resign, Ended.REMOVED: engine.play.remove}
LEFT_COLUMNS = ("events", "resigned", "forfeited", "removed")


@transaction.atomic
def resign(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """Remove the wizard from the duel at once, without playing their orders. A repeated call has no
    effect."""
    duel = lock_duel(duel_id)
    if seat_of(duel, wizard).outcome == Outcome.RESIGNED:
        return duel
    turn = open_turn_of(duel)
    duel, seat = turn.duel, loaded_seat_of(turn, wizard)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are already out of this duel.")
    remove_wizard(turn, seat, Ended.RESIGNED, now)
    return duel


def remove_wizard(turn: OpenTurn, seat: Seat, ending: Ended, now: datetime) -> DuelEnd | None:
    """Remove a wizard from a duel that they are still in.

    `ending` says whether they resigned, ran out of time or were removed by a referee. If this ends
    the duel, `ending` is recorded as the reason. Return the end, or None if the duel continues.
    """
    row = turn.row
    leave = ENGINE_CALLS.get(ending, engine.play.forfeit)
    after, events = leave(turn.position, seat.code)
    await_wizards(row, turn.seats, turn.awaited - {seat.code}, now)
    seat.outcome = OUTCOMES_OF_LEAVING.get(ending, Outcome.FORFEITED)
    seat.save(update_fields=["outcome"])
    row.resigned = [*row.resigned, seat.code]
    if ending not in OUTCOMES_OF_LEAVING:
        row.forfeited = [*row.forfeited, seat.code]
    if ending == Ended.REMOVED:
        row.removed = [*row.removed, seat.code]
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
    agrees: bool = False,
) -> Duel:
    """Offer a draw. The duel is drawn once every wizard still in it has offered one.

    If `agrees`, accept an offer made by another wizard, but do not make a new one. `ordinal` is the
    turn shown on the wizard's page, so that a late agreement does not accept a later offer. It is
    None if the form did not contain it.
    """
    duel = lock_duel(duel_id)
    seat_of(duel, wizard)
    check_may_act(wizard, now)
    turn = open_turn_of(duel)
    duel, seat = turn.duel, loaded_seat_of(turn, wizard)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are already out of this duel.")
    if duel.is_practice:
        raise Refused("practice", "The practice opponent never agrees to a draw. You can resign.")
    _check_turn_seen(turn, ordinal)
    others = [other for other in turn.seats if other is not seat and other.outcome == Outcome.NONE]
    offering = [other for other in others if other.offers_draw_in(turn.row.ordinal)]
    if agrees and not offering:
        raise Refused("not_offered", "The draw offer has been withdrawn or has expired.")
    if len(offering) == len(others):
        end_during_turn(turn, Ended.AGREED, DRAW, now)
    elif seat.draw_offered_in != turn.row.ordinal:
        seat.draw_offered_in = turn.row.ordinal
        seat.save(update_fields=["draw_offered_in"])
        _notify_of_offer(turn, seat, others, now)
    return duel


@transaction.atomic
def decline_draw(*, duel_id: int, wizard: Wizard, ordinal: int | None, now: datetime) -> Duel:
    """Cancel all draw offers, including the wizard's own, and notify the others who made one.

    Emails about the offers are not sent if they are still in the queue.
    """
    duel = lock_duel(duel_id)
    seat = seat_of(duel, wizard)
    turn = open_turn_of(duel)
    _check_turn_seen(turn, ordinal)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are already out of this duel.")
    offers = [each for each in turn.seats if each.offers_draw_in(turn.row.ordinal)]
    Seat.objects.filter(duel=duel).update(draw_offered_in=None)
    readers = [each.wizard for each in offers if each.pk != seat.pk]
    occasion = f"turn {turn.row.pk} by {seat.pk}"
    notify(DrawDeclined, readers, duel, now, turn=turn.row, about=wizard, occasion=occasion)
    return duel


@transaction.atomic
def withdraw_draw(*, duel_id: int, wizard: Wizard, ordinal: int | None, now: datetime) -> Duel:
    """Withdraw the wizard's own offer of a draw, but not the offers of others.

    Emails about the offer are not sent if they are still in the queue.
    """
    duel = lock_duel(duel_id)
    seat = seat_of(duel, wizard)
    _check_turn_seen(open_turn_of(duel), ordinal)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are already out of this duel.")
    Seat.objects.filter(pk=seat.pk).update(draw_offered_in=None)
    return duel


def _check_turn_seen(turn: OpenTurn, ordinal: int | None) -> None:
    """Raise `Refused` if the wizard's page showed an earlier turn, because offers expire with their
    turn."""
    if ordinal is not None and ordinal != turn.row.ordinal:
        text = "That turn has been played, and its draw offers have expired. Nothing has changed."
        raise Refused("offer_expired", text)


def _notify_of_offer(turn: OpenTurn, seat: Seat, others: list[Seat], now: datetime) -> None:
    """Notify the others that this wizard offers a draw, at most once per turn."""
    if has_notice(DrawOffered.code, turn=turn.row, about=seat.wizard):
        return
    readers, occasion = [other.wizard for other in others], f"turn {turn.row.pk} by {seat.pk}"
    notify(
        DrawOffered, readers, turn.duel, now, turn=turn.row, about=seat.wizard, occasion=occasion
    )


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
    row.save(update_fields=[*LEFT_COLUMNS, "questions"])
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
    """Ask again the questions that are still open after this departure. Return whether this
    succeeded.

    This fails if a key is missing, because the open questions cannot be determined without it. The
    turn then stays blocked.
    """
    turn.row.save(update_fields=LEFT_COLUMNS)
    try:
        with transaction.atomic():
            ask_remaining_questions(turn, now)
    except MissingKey:
        return False
    request_resolution(turn.row.pk)
    return True


def _void_seals(turn: OpenTurn, departed: Seat) -> list[Orders]:
    """Return the seals that become void when this wizard leaves: their own, and those that are now
    illegal.

    Leave out seals that cannot be decrypted, because their key may be restored.
    """
    return [
        seal
        for seal in turn.seals
        if seal.seat_id == departed.pk or (not turn.is_lost(seal) and turn.faults_of_seal(seal))
    ]
