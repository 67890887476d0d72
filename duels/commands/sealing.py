"""Orders: drafted, sealed, sealed anew, taken back; and answers to questions after the reveal."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

import engine
from duels import adjudication, seals
from duels.commands.locking import locked_turn, seat_of
from duels.commands.opening import nudge
from duels.errors import IllegalOrders, Refused, Stale, Unwarned, Version
from duels.models import Draft, DuelStatus, Orders, Seat, Stage, Turn, Wizard


@transaction.atomic
def seal_orders(
    *,
    turn_id: int,
    wizard: Wizard,
    fields: Mapping[str, str],
    form_seal: str,
    now: datetime,
    seen: Collection[str] | None = None,
) -> Orders:
    """The wizard's orders for this turn are sealed, or were sealed so already.

    Raises `IllegalOrders` with every fault, `Stale` when the form was made from another seal than
    the one that stands (`form_seal`: its commitment, "" for none), and `Unwarned` when these orders
    deserve a warning that is not among those that were `seen` (None: nobody reads warnings).
    """
    turn = locked_turn(turn_id)
    seat = seat_of(turn.duel, wizard)
    orders = _read(fields)
    flat = engine.fields(orders)
    current = _live(turn, seat, Stage.ORDERS, 0)
    if current is not None and current.is_sealed and _fields(current) == flat:
        return current
    position = _acted_in(turn, seat)
    _check_fresh(current, flat, form_seal)
    faults = engine.check(position, seat.code, orders)
    if faults:
        raise IllegalOrders(faults, fields)
    if seen is not None:
        _check_warned(position, seat, orders, seen)
    return _sealed(turn, seat, current, flat, now)


@transaction.atomic
def answer_questions(
    *, turn_id: int, wizard: Wizard, answers: Mapping[str, str], form_seal: str, now: datetime
) -> Orders:
    """The wizard's answers to all that he is asked in this turn are sealed, like orders."""
    turn = locked_turn(turn_id)
    seat = seat_of(turn.duel, wizard)
    given = {name: value for name, value in answers.items() if value}
    current = _live(turn, seat, Stage.ANSWERS, turn.batch)
    if current is not None and current.is_sealed and _fields(current) == given:
        return current
    _check_open(turn, Stage.ANSWERS)
    asked = [question for question in turn.questions if question["wizard"] == seat.code]
    if not asked:
        raise Refused("not_asked", "There is no question for you in this turn.")
    _check_fresh(current, given, form_seal)
    faults = _faults_of_answers(asked, given)
    if faults:
        raise IllegalOrders(faults, answers)
    return _sealed(turn, seat, current, given, now)


@transaction.atomic
def unseal(*, turn_id: int, wizard: Wizard, now: datetime) -> Orders:
    """The seal is taken back: the turn waits again. What was sealed last stays for a deadline."""
    turn = locked_turn(turn_id)
    seat = seat_of(turn.duel, wizard)
    if not turn.is_open:
        raise Refused("turn_over", "This turn has been played.")
    current = _live(turn, seat, Stage(turn.stage), turn.batch)
    if current is None:
        raise Refused("not_sealed", "You have sealed nothing that could be taken back.")
    if current.taken_back_at is None:
        current.taken_back_at = now
        current.save(update_fields=["taken_back_at"])
        if seat.code in awaited_in(turn):
            _mark_awaited(turn, seat, now)
    return current


@transaction.atomic
def save_draft(
    *, turn_id: int, wizard: Wizard, fields: Mapping[str, str], now: datetime
) -> Draft | None:
    """What the wizard has begun to write is kept for him, legal or not. Nobody waits for it.

    None where it says what he has sealed: then there is no draft.
    """
    turn = locked_turn(turn_id)
    seat = seat_of(turn.duel, wizard)
    _acted_in(turn, seat)
    orders = _read(fields)
    current = _live(turn, seat, Stage.ORDERS, 0)
    if current is not None and _fields(current) == engine.fields(orders):
        Draft.objects.filter(turn=turn, seat=seat).delete()
        return None
    written = {name: value for name, value in fields.items() if value}
    draft, _ = Draft.objects.update_or_create(
        turn=turn,
        seat=seat,
        defaults={"body": seals.closed_draft(written), "saved_at": now},
    )
    return draft


@transaction.atomic
def drop_draft(*, turn_id: int, wizard: Wizard) -> None:
    """The wizard's draft is gone; his sheet begins again with what he has sealed, or empty."""
    turn = locked_turn(turn_id)
    Draft.objects.filter(turn=turn, seat=seat_of(turn.duel, wizard)).delete()


def awaited_in(turn: Turn) -> tuple[str, ...]:
    """The wizards whose seals the turn needs in its present stage, sealed already or not."""
    if turn.stage == Stage.ORDERS:
        return engine.awaited(adjudication.position_of(turn))
    return tuple(dict.fromkeys(question["wizard"] for question in turn.questions))


def _read(fields: Mapping[str, str]) -> engine.Orders:
    try:
        return engine.from_fields(fields)
    except engine.InvalidData as error:
        fault = engine.Fault("invalid_field", error.field, "turn:orders", _sentence(error.text))
        raise IllegalOrders([fault], fields) from None


def _sentence(text: str) -> str:
    return f"This {text}."


def _live(turn: Turn, seat: Seat, stage: Stage, batch: int) -> Orders | None:
    live = Orders.objects.filter(turn=turn, seat=seat, stage=stage, batch=batch, superseded=False)
    return live.order_by().first()  # one at most: no other rows need be joined to order it


def _fields(orders: Orders) -> dict[str, str]:
    return seals.opened(orders.body).orders


def _check_open(turn: Turn, stage: Stage) -> None:
    if turn.duel.status != DuelStatus.RUNNING:
        raise Refused("duel_not_running", "This duel is not being played.")
    if not turn.is_open:
        raise Refused("turn_over", "This turn has been played.")
    if turn.stage == Stage.ANSWERS and stage == Stage.ORDERS:
        raise Refused("revealed", "The gestures of this turn have been revealed.")
    if turn.stage == Stage.ORDERS and stage == Stage.ANSWERS:
        raise Refused("not_asked", "There is no question for you in this turn.")


def _acted_in(turn: Turn, seat: Seat) -> engine.Position:
    """What the turn is played from. Refuses whoever does not act in it, or can seal no more.

    Who does not act is told so first: he must not learn whether an extra turn has questions.
    """
    position = adjudication.position_of(turn)
    if turn.is_open and seat.code not in engine.acting(position):
        raise Refused("not_acting", "You do not act in this turn.", rule="turn:orders")
    _check_open(turn, Stage.ORDERS)
    return position


def _check_fresh(current: Orders | None, fields: Mapping[str, str], form_seal: str) -> None:
    commitment = current.commitment if current else ""
    if form_seal == commitment:
        return
    there = _fields(current) if current else {}
    sealed_at = current.sealed_at.isoformat() if current else ""
    raise Stale(
        current=Version(there, commitment, sealed_at), yours=Version(dict(fields), form_seal)
    )


def _check_warned(
    position: engine.Position, seat: Seat, orders: engine.Orders, seen: Collection[str]
) -> None:
    """Refuses to seal what its wizard has not been warned of. rules: F13"""
    cautions = adjudication.cautions(position, seat.code, orders)
    unseen = [caution for caution in cautions if adjudication.warning_of(caution) not in seen]
    if unseen:
        raise Unwarned(unseen)


def _faults_of_answers(
    asked: Sequence[Mapping[str, Any]], given: Mapping[str, str]
) -> list[engine.Fault]:
    """What keeps these answers from being sealed: every question wants one of its options. F32"""
    faults = []
    questions = {question["id"]: question for question in asked}
    for name in given.keys() - questions.keys():
        faults.append(
            engine.Fault("unknown_question", name[:80], "turn:answers", "Nobody asked this.")
        )
    for name, question in questions.items():
        if name not in given:
            text = "This has to be answered."
            faults.append(engine.Fault("answer_missing", name, "turn:answers", text))
        elif given[name] not in question["options"]:
            text = f"The answer is one of: {', '.join(question['words'])}."
            faults.append(engine.Fault("answer_not_allowed", name, "turn:answers", text))
    return faults


def _sealed(
    turn: Turn, seat: Seat, current: Orders | None, fields: Mapping[str, str], now: datetime
) -> Orders:
    """Write a new seal over the current one, stop waiting, and nudge."""
    if current is not None:
        current.superseded = True
        current.save(update_fields=["superseded"])
    seal = seals.new_seal(
        fields,
        place=seals.seal_place(
            duel_id=turn.duel_id,
            ordinal=turn.ordinal,
            wizard=seat.code,
            stage=turn.stage,
            batch=turn.batch,
        ),
    )
    orders = Orders.objects.create(
        turn=turn,
        seat=seat,
        stage=turn.stage,
        batch=turn.batch,
        body=seals.closed(seal),
        commitment=seal.commitment,
        sealed_at=now,
    )
    Draft.objects.filter(turn=turn, seat=seat).delete()
    _mark_awaited(turn, seat, None)
    nudge(turn)
    return orders


def _mark_awaited(turn: Turn, seat: Seat, since: datetime | None) -> None:
    """The turn waits for this wizard since then, or does not."""
    # The duel is locked: nobody else counts meanwhile.
    turn.missing += (since is not None) - seat.awaited
    turn.save(update_fields=["missing"])
    seat.awaited, seat.awaited_since = since is not None, since
    # Who has orders to give has read what led to them.
    seat.read_turn = max(seat.read_turn, turn.ordinal - 1) if since is None else seat.read_turn
    seat.save(update_fields=["awaited", "awaited_since", "read_turn"])
