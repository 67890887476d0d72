"""Ending a duel before the rules do: by resigning, or by agreeing on a draw."""

from datetime import datetime

from django.db import transaction

import engine
from duels import adjudication
from duels.commands.asking import ask_again
from duels.commands.locking import locked_duel, open_turn_of, seat_of
from duels.commands.notices import notice, queue
from duels.commands.opening import await_wizards, close_turn, end_duel, linked, nudge
from duels.commands.sealing import awaited_in
from duels.errors import Refused
from duels.models import (
    Duel,
    Ended,
    Notice,
    NoticeKind,
    Orders,
    Outcome,
    Seat,
    Stage,
    Turn,
    Wizard,
)
from engine.position import DRAW


@transaction.atomic
def resign(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """The wizard is out of the duel at once and casts nothing; twice is as good as once."""
    duel = locked_duel(duel_id)
    seat = seat_of(duel, wizard)
    if seat.outcome == Outcome.RESIGNED:
        return duel
    turn = open_turn_of(duel)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are out of this duel already.")
    after, events = engine.resign(adjudication.position_of(turn), seat.code)
    seat.outcome = Outcome.RESIGNED
    seat.awaited, seat.awaited_since = False, None
    seat.save(update_fields=["outcome", "awaited", "awaited_since"])
    turn.resigned = [*turn.resigned, seat.code]
    turn.events = engine.dump((*adjudication.loaded_events(turn.events), *events))
    if after.outcome:
        # What the others have sealed will not be played, so it is never opened.
        Orders.objects.filter(turn=turn).update(superseded=True)
        turn.chain = linked(turn, [], after)
        close_turn(turn, Stage.RESOLVED, now)
        end_duel(duel, after, Ended.RESIGNED, after.outcome, now)
        return duel
    # The offers were made to him as well: whoever still wants a draw says so again.
    Seat.objects.filter(duel=duel).update(draw_offered_in=None)
    _go_on_without(turn, seat, after, now)
    return duel


@transaction.atomic
def offer_draw(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """The wizard offers a draw; once every standing wizard has, the duel is drawn."""
    duel = locked_duel(duel_id)
    seat = seat_of(duel, wizard)
    turn = open_turn_of(duel)
    if seat.outcome != Outcome.NONE:
        raise Refused("out_of_it", "You are out of this duel already.")
    if duel.is_practice:
        raise Refused("practice", "The practice opponent plays to the end. You may resign.")
    seats = list(Seat.objects.filter(duel=duel, outcome=Outcome.NONE).select_related("wizard"))
    others = [other for other in seats if other.pk != seat.pk]
    if all(other.offers_draw_in(turn.ordinal) for other in others):
        close_turn(turn, Stage.VOID, now)
        end_duel(duel, adjudication.position_of(turn), Ended.AGREED, DRAW, now)
    elif seat.draw_offered_in != turn.ordinal:
        seat.draw_offered_in = turn.ordinal
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


def _tell_of_offer(turn: Turn, seat: Seat, others: list[Seat], now: datetime) -> None:
    """Said once in a turn, however often it is offered and declined."""
    said = Notice.objects.filter(kind=NoticeKind.DRAW_OFFERED, turn=turn, about=seat.wizard)
    if said.exists():
        return
    queue(
        notice(
            NoticeKind.DRAW_OFFERED,
            other.wizard,
            turn.duel,
            now,
            turn=turn,
            about=seat.wizard,
            occasion=f"turn {turn.pk} by {seat.pk}",
        )
        for other in others
    )


def _go_on_without(turn: Turn, gone: Seat, position: engine.Position, now: datetime) -> None:
    """The turn of the others goes on. Seals that the resignation has made illegal are void."""
    live = Orders.objects.filter(turn=turn, superseded=False).select_related("seat__wizard")
    if turn.stage == Stage.ANSWERS and position.rules.asks_late:
        turn.save(update_fields=["events", "resigned"])
        ask_again(turn, list(live), now)
        nudge(turn)
        return
    # Nobody need say which of his hands would have been bound. rules: R163
    turn.questions = [
        question
        for question in turn.questions
        if gone.code not in (question["wizard"], question["about"])
    ]
    void = []
    if turn.stage == Stage.ORDERS:
        void = [row for row in live if _is_void(row, gone, position)]
        Orders.objects.filter(pk__in=[row.pk for row in void]).update(superseded=True)
    sealed = {
        row.seat.code
        for row in live
        if row.is_sealed and row.batch == turn.batch and row not in void
    }
    await_wizards(turn, [code for code in awaited_in(turn) if code not in sealed], now)
    turn.save(update_fields=["events", "resigned", "questions", "missing"])
    queue(
        notice(
            NoticeKind.YOUR_TURN,
            row.seat.wizard,
            turn.duel,
            now,
            turn=turn,
            occasion=f"turn {turn.pk} void {row.pk}",
        )
        for row in void
        if row.seat_id != gone.pk
    )
    nudge(turn)


def _is_void(row: Orders, gone: Seat, position: engine.Position) -> bool:
    if row.seat_id == gone.pk:
        return True
    orders = adjudication.orders_by_wizard([row])[row.seat.code]
    return bool(engine.check(position, row.seat.code, orders))
