"""Ending a duel before the rules do: by resigning, or by agreeing on a draw."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

import engine
from duels import adjudication
from duels.commands.asking import ask_again
from duels.commands.awaiting import await_wizards
from duels.commands.locking import locked_duel, open_turn_of, seat_in, seat_of
from duels.commands.opening import close_turn, end_duel
from duels.commands.suspensions import check_may_act
from duels.errors import KeyGone, Refused
from duels.models import (
    Duel,
    Ended,
    Orders,
    Outcome,
    Seat,
    Stage,
    Wizard,
)
from duels.nudging import nudge_resolution
from duels.open_turn import OpenTurn
from duels.post.public import NoticeKind, notice, queue, was_told
from engine import DRAW

# What changes in a turn's row when somebody leaves the duel in it.
LEFT_AS = {Ended.RESIGNED: Outcome.RESIGNED, Ended.REMOVED: Outcome.REMOVED}
LEAVING = {Ended.RESIGNED: engine.resign, Ended.REMOVED: engine.remove}
LEFT = ("events", "resigned", "forfeited", "removed")


@transaction.atomic
def resign(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """The wizard is out of the duel at once and casts nothing; twice is as good as once."""
    duel = locked_duel(duel_id)
    if seat_of(duel, wizard).outcome == Outcome.RESIGNED:
        return duel
    turn = open_turn_of(duel)
    duel, seat = turn.duel, seat_in(turn, wizard)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are out of this duel already.")
    put_out(turn, seat, Ended.RESIGNED, now)
    return duel


def put_out(turn: OpenTurn, seat: Seat, how: Ended, now: datetime) -> None:
    """The wizard, who is still in the duel, is out of it: by resigning, or because time ran out, or
    by a referee, which in the game is the same as resigning.

    `how`: what ends the duel if only one wizard is left.
    """
    row = turn.row
    leave = LEAVING.get(how, engine.forfeit)
    after, events = leave(turn.position, seat.code)
    await_wizards(row, turn.seats, turn.awaited - {seat.code}, now)
    seat.outcome = LEFT_AS.get(how, Outcome.FORFEITED)
    seat.save(update_fields=["outcome"])
    row.resigned = [*row.resigned, seat.code]
    if how not in LEFT_AS:
        row.forfeited = [*row.forfeited, seat.code]
    if how == Ended.REMOVED:
        row.removed = [*row.removed, seat.code]
    row.events = engine.dump((*adjudication.loaded_events(row.events), *events))
    if after.outcome:
        # What the others have sealed will not be played; it is opened with all the rest.
        Orders.objects.filter(turn=row).update(superseded=True)
        for seal in turn.all_seals:
            seal.superseded = True
        close_turn(turn, after, now)
        end_duel(turn, after, how, after.outcome, now)
        return
    # All asked this wizard as well: whoever still wants a draw, or a pause, says so again.
    Seat.objects.filter(duel=turn.duel).update(draw_offered_in=None, asks_pause=False)
    _go_on_without(replace(turn), seat, now)


@transaction.atomic
def offer_draw(*, duel_id: int, wizard: Wizard, now: datetime, agrees: bool = False) -> Duel:
    """The wizard offers a draw; once every standing wizard has, the duel is drawn.

    `agrees`: to another's offer, which must stand: whoever agrees does not mean to offer one.
    """
    duel = locked_duel(duel_id)
    seat_of(duel, wizard)
    check_may_act(wizard, now)
    turn = open_turn_of(duel)
    duel, seat = turn.duel, seat_in(turn, wizard)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are out of this duel already.")
    if duel.is_practice:
        raise Refused("practice", "The practice opponent plays to the end. You may resign.")
    others = [other for other in turn.seats if other is not seat and other.outcome == Outcome.NONE]
    offering = [other for other in others if other.offers_draw_in(turn.row.ordinal)]
    if agrees and not offering:
        raise Refused("not_offered", "Nobody offers you a draw any more.")
    if len(offering) == len(others):
        close_turn(turn, turn.position, now, stage=Stage.VOID)
        end_duel(turn, turn.position, Ended.AGREED, DRAW, now)
    elif seat.draw_offered_in != turn.row.ordinal:
        seat.draw_offered_in = turn.row.ordinal
        seat.save(update_fields=["draw_offered_in"])
        _tell_of_offer(turn, seat, others, now)
    return duel


@transaction.atomic
def decline_draw(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """No offer of a draw stands any more, neither the others' nor one's own."""
    duel = locked_duel(duel_id)
    seat = seat_of(duel, wizard)
    open_turn_of(duel)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are out of this duel already.")
    Seat.objects.filter(duel=duel).update(draw_offered_in=None)
    return duel


@transaction.atomic
def withdraw_draw(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """The wizard's own offer of a draw does not stand any more; those of others do. A mail that
    was to tell of it and is not sent yet is out of date by that."""
    duel = locked_duel(duel_id)
    seat = seat_of(duel, wizard)
    open_turn_of(duel)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are out of this duel already.")
    Seat.objects.filter(pk=seat.pk).update(draw_offered_in=None)
    return duel


def _tell_of_offer(turn: OpenTurn, seat: Seat, others: list[Seat], now: datetime) -> None:
    """Said once in a turn, however often it is offered and declined."""
    if was_told(NoticeKind.DRAW_OFFERED, turn=turn.row, about=seat.wizard):
        return
    queue(
        notice(
            NoticeKind.DRAW_OFFERED,
            other.wizard,
            turn.duel,
            now,
            turn=turn.row,
            about=seat.wizard,
            occasion=f"turn {turn.row.pk} by {seat.pk}",
        )
        for other in others
    )


def _go_on_without(turn: OpenTurn, gone: Seat, now: datetime) -> None:
    """The turn of the others goes on. Seals that the resignation has made illegal are void."""
    row = turn.row
    if row.stage == Stage.ANSWERS and _asks_at_every_step(turn) and _asked_again(turn, now):
        return
    # Nobody need say which of their hands would have been bound. rules: R163
    row.questions = [
        question
        for question in row.questions
        if gone.code not in (question["wizard"], question["about"])
    ]
    row.save(update_fields=[*LEFT, "questions"])
    void = _void_seals(turn, gone) if row.stage == Stage.ORDERS else []
    Orders.objects.filter(pk__in=[seal.pk for seal in void]).update(superseded=True)
    left = replace(turn, seals=tuple(seal for seal in turn.seals if seal not in void))
    await_wizards(row, left.seats, left.unsealed, now)
    queue(
        notice(
            NoticeKind.YOUR_TURN,
            seal.seat.wizard,
            turn.duel,
            now,
            turn=row,
            occasion=f"turn {row.pk} void {seal.pk}",
        )
        for seal in void
        if seal.seat_id != gone.pk
    )
    nudge_resolution(row.pk)


def _asks_at_every_step(turn: OpenTurn) -> bool:
    return turn.position.rules.asking is engine.Asking.AT_EVERY_STEP


def _asked_again(turn: OpenTurn, now: datetime) -> bool:
    """What is open without the wizard who left is the next batch. Not so where nobody can tell what
    is open, since a key is gone: then the turn stands, and what was asked of others stays asked."""
    turn.row.save(update_fields=LEFT)
    try:
        with transaction.atomic():
            ask_again(turn, now)
    except KeyGone:
        return False
    nudge_resolution(turn.row.pk)
    return True


def _void_seals(turn: OpenTurn, gone: Seat) -> list[Orders]:
    """The seals that are worth nothing without this wizard: theirs, and those now illegal.

    What nobody can read stays as it lies: its key may come back.
    """
    return [
        seal
        for seal in turn.seals
        if seal.seat_id == gone.pk or (not turn.is_lost(seal) and turn.faults_of(seal))
    ]
