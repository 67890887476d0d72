"""Commands that draft, seal and unseal orders, and seal answers to questions after the reveal.

Attempts to seal orders or answers that are rejected are stored, because a dishonest site knows the
seed, so it could reject seals until one results in draws that suit it. The record therefore lists
every attempt. A rejected seal has no effect on the duel. rules: promise 14
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F

import engine.orders
import engine.play
import engine.proof
from duels import errors, models
from duels.commands.awaiting import await_wizards
from duels.commands.locking import loaded_seat_of, lock_turn
from duels.commands.suspensions import check_may_act, check_may_speak
from duels.delivery.nudging import request_resolution
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.sealing import seals
from duels.typed_text import clean_text, with_plain_line_ends

MAX_SEALS_PER_TURN: Final = 100  # seals per wizard and stage; the database keeps all of them


def parse_orders(fields: Mapping[str, str]) -> engine.orders.Orders:
    """Parse orders from these fields, and tidy their message.

    Raise `IllegalOrders` if the fields are invalid or the message contains control characters.
    """
    said = with_plain_line_ends(fields.get(engine.orders.MESSAGE_FIELD, "")).strip()
    try:
        orders = engine.orders.from_fields({**fields, engine.orders.MESSAGE_FIELD: said})
        clean = clean_text(said)
        if clean != said:
            orders = engine.orders.from_fields({**fields, engine.orders.MESSAGE_FIELD: clean})
        return orders
    except engine.play.InvalidData as error:
        fault = engine.play.Fault(
            "invalid_field", error.field, "turn:orders", f"This {error.text}."
        )
        raise errors.IllegalOrders([fault], fields) from None


@dataclass(frozen=True)
class SealAttempt:
    """Orders or answers that a wizard is trying to seal.

    `batch` is the round of questions that the answers belong to, or 0 for orders. `chance` is
    random text from the wizard's browser.
    """

    turn_id: int
    wizard: models.Wizard
    stage: models.Stage
    batch: int
    fields: Mapping[str, str]
    chance: str
    now: datetime

    @contextmanager
    def lock_turn_and_seat(self) -> Iterator[tuple[OpenTurn, models.Seat]]:
        """Lock the turn, and yield it with the wizard's seat. If the block raises `Refused`, roll
        back its changes and store the attempt."""
        try:
            with transaction.atomic():
                turn = lock_turn(self.turn_id, with_draft_of=self.wizard)
                seat = loaded_seat_of(turn, self.wizard)
                check_may_act(seat.wizard, self.now)
                if not engine.proof.is_valid_random_number(self.chance):
                    raise self._invalid_chance_error()
                yield turn, seat
        except errors.Refused as refused:
            _store_rejected(self, refused.code)
            raise

    def _invalid_chance_error(self) -> errors.IllegalOrders:
        """Return the error for a `chance` that would put arbitrary text into a seal."""
        text = "The field “chance” must be empty or have 32 hexadecimal digits."
        rule = f"turn:{self.stage}"
        fault = engine.play.Fault("invalid_chance", engine.proof.RANDOM_NUMBER_FIELD, rule, text)
        return errors.IllegalOrders([fault], self.fields)


@transaction.atomic
def _store_rejected(attempt: SealAttempt, code: str) -> None:
    """Store orders or answers that were rejected for this reason, if the turn is still open.

    Do not store anything that could not be a seal in this stage of the turn, or attempts by the
    practice opponent, because the site itself seals for it.
    """
    wizard, batch = attempt.wizard, attempt.batch
    if wizard.kind == models.WizardKind.PRACTICE:
        return
    try:
        turn = lock_turn(attempt.turn_id, updates_polls=False)
        flat = _sealable_fields(turn, attempt)
    except errors.Refused:
        return
    seat = turn.seat_of(wizard)
    if seat is None or flat is None or not engine.proof.is_valid_random_number(attempt.chance):
        return
    kept = models.RejectedSeal.objects.filter(turn=turn.row, seat=seat)
    if kept.count() >= MAX_SEALS_PER_TURN:
        return
    try:
        seal = turn.new_seal(seat, flat, attempt.chance, batch)
    except errors.MissingKey:
        return
    if kept.filter(commitment=seal.commitment, code=code).exists():
        return
    latest = max((each.sealed_at for each in turn.all_seals), default=turn.row.opened_at)
    models.RejectedSeal.objects.create(
        turn=turn.row,
        seat=seat,
        stage=turn.row.stage,
        batch=batch,
        before=turn.seal_count(seat, batch),
        body=seals.encrypt_seal(seal),
        commitment=seal.commitment,
        code=code,
        rejected_at=max(attempt.now, latest),
    )
    models.Turn.objects.filter(pk=turn.row.pk).update(rejections=F("rejections") + 1)


def _sealable_fields(turn: OpenTurn, attempt: SealAttempt) -> dict[str, str] | None:
    """Return the fields that would have been sealed, or None if nothing could have been sealed."""
    row, seat, fields = turn.row, turn.seat_of(attempt.wizard), attempt.fields
    if turn.duel.status != models.DuelStatus.RUNNING or row.stage != attempt.stage or seat is None:
        return None
    if attempt.stage == models.Stage.ORDERS:
        is_acting = seat.code in engine.play.acting_wizards(turn.position)
        return dict(engine.orders.fields(parse_orders(fields))) if is_acting else None
    if not 1 <= attempt.batch <= row.batch:
        return None
    asked = turn.questions_of(attempt.batch)
    options = {each.id: each.options for each in asked if each.wizard == seat.code}
    given = {name: value for name, value in fields.items() if value in options.get(name, ())}
    return given or None


def seal_orders(
    *,
    turn_id: int,
    wizard: models.Wizard,
    fields: Mapping[str, str],
    form_seal: str,
    now: datetime,
    seen: Collection[str] | None = None,
    chance: str = "",
) -> models.Orders:
    """Seal the wizard's orders for this turn, unless the same orders are already sealed.

    `form_seal` is the commitment of the seal that the form was based on, or "". `chance` is random
    text from the wizard's browser, which is not part of the orders. `seen` contains the keys of the
    warnings that the wizard has seen. If it is None, orders are not checked for warnings, because
    the caller has checked them or there is nobody to read them.

    Raise `IllegalOrders` with all faults, `StaleForm` if the current seal is not `form_seal`, and
    `UnreadWarnings` if the orders cause a warning that is not in `seen`. Rejected orders are stored
    for the record.
    """
    attempt = SealAttempt(turn_id, wizard, models.Stage.ORDERS, 0, fields, chance, now)
    with attempt.lock_turn_and_seat() as (turn, seat):
        orders = parse_orders(fields)
        flat = engine.orders.fields(orders)
        if flat.get("say"):
            check_may_speak(turn.duel, seat.wizard, field="say")
        current = turn.seal_of(seat, models.Stage.ORDERS)
        if current is not None and current.is_sealed and turn.seal_contains(current, flat):
            return current
        _check_acting(turn, seat)
        _check_form_is_current(turn, current, flat, form_seal)
        faults = engine.play.check(turn.position, seat.code, orders)
        if faults:
            raise errors.IllegalOrders(faults, fields)
        if seen is not None:  # rules: F13
            warnings = adjudication.form_cautions(turn.position, seat.code, fields)
            unseen = [each for each in warnings if adjudication.warning_key(each) not in seen]
            if unseen:
                raise errors.UnreadWarnings(unseen)
        return _seal_for_player(turn, seat, current, flat, attempt)


def answer_questions(
    *,
    turn_id: int,
    wizard: models.Wizard,
    answers: Mapping[str, str],
    form_seal: str,
    now: datetime,
    batch: int,
    chance: str = "",
) -> models.Orders:
    """Seal the wizard's answers to all questions in this round, like `seal_orders`.

    Raise `Refused` if the open round of questions is not `batch`. Its questions may look the same,
    but are not those that the wizard has answered.
    """
    attempt = SealAttempt(turn_id, wizard, models.Stage.ANSWERS, batch, answers, chance, now)
    with attempt.lock_turn_and_seat() as (turn, seat):
        given = {name: value for name, value in answers.items() if value}
        current = turn.seal_of(seat, models.Stage.ANSWERS, batch)
        if current is not None and current.is_sealed and turn.seal_contains(current, given):
            return current
        check_question_round(turn, seat, batch)
        asked = _questions_for(turn, seat)
        _check_form_is_current(turn, current, given, form_seal)
        faults = _faults_of_answers(asked, given)
        if faults:
            raise errors.IllegalOrders(faults, answers)
        return _seal_for_player(turn, seat, current, given, attempt)


@transaction.atomic
def unseal(*, turn_id: int, wizard: models.Wizard, now: datetime) -> models.Orders:
    """Take back the wizard's seal, so that the turn waits for them again.

    If the wizard does not seal again before the deadline, the orders that they took back are
    played.
    """
    turn = lock_turn(turn_id)
    seat = loaded_seat_of(turn, wizard)
    check_may_act(seat.wizard, now)
    if not turn.row.is_open:
        raise errors.Refused("turn_over", "This turn has been played.")
    current = turn.current_seals.get(seat.pk)
    if current is None:
        raise errors.Refused("not_sealed", "You have no sealed orders to unseal.")
    if current.taken_back_at is None:
        current.taken_back_at = now
        current.save(update_fields=["taken_back_at"])
        if seat.code in turn.needed_wizards:
            waiting = {*turn.awaited, seat.code}
            await_wizards(turn.row, turn.seats, waiting, now, is_taken_back=True)
    return current


@transaction.atomic
def save_draft(
    *, turn_id: int, wizard: models.Wizard, fields: Mapping[str, str], now: datetime
) -> models.Draft | None:
    """Save unfinished orders, legal or not. If they are already sealed, delete the draft."""
    turn = lock_turn(turn_id, with_draft_of=wizard, updates_polls=False)
    seat = loaded_seat_of(turn, wizard)
    check_may_act(seat.wizard, now)
    _check_acting(turn, seat)
    orders = parse_orders(fields)
    current = turn.seal_of(seat, models.Stage.ORDERS)
    if current is not None and turn.seal_contains(current, engine.orders.fields(orders)):
        _drop_draft(turn)
        return None
    written = {name: value for name, value in fields.items() if value}
    draft = turn.draft or models.Draft(turn=turn.row, seat=seat)
    draft.body, draft.saved_at = seals.encrypt_draft(written), now
    draft.save()
    return draft


@transaction.atomic
def drop_draft(*, turn_id: int, wizard: models.Wizard) -> None:
    """Delete the wizard's draft. Their order sheet then shows their sealed orders, or is empty."""
    turn = lock_turn(turn_id, with_draft_of=wizard, updates_polls=False)
    loaded_seat_of(turn, wizard)
    _drop_draft(turn)


def check_question_round(turn: OpenTurn, seat: models.Seat, batch: int) -> None:
    """Raise `Refused` unless this round of questions is open and has questions for this wizard."""
    _check_open(turn, models.Stage.ANSWERS)
    if not _questions_for(turn, seat):
        raise errors.Refused("not_asked", "You have no question to answer in this turn.")
    if batch != turn.row.batch:
        text = (
            f"These answers are for round {batch} of the questions, but round {turn.row.batch} is "
            "open now. Nothing has been sealed. Answer the open questions."
        )
        raise errors.Refused("round_over", text)


def _questions_for(turn: OpenTurn, seat: models.Seat) -> list[Mapping[str, Any]]:
    return [question for question in turn.row.questions if question["wizard"] == seat.code]


def _drop_draft(turn: OpenTurn) -> None:
    if turn.draft is not None:
        models.Draft.objects.filter(pk=turn.draft.pk).delete()


def _check_open(turn: OpenTurn, stage: models.Stage) -> None:
    if turn.duel.status != models.DuelStatus.RUNNING:
        raise errors.Refused("duel_not_running", "This duel is not running.")
    if not turn.row.is_open:
        raise errors.Refused("turn_over", "This turn has been played.")
    if turn.row.stage == models.Stage.ANSWERS and stage == models.Stage.ORDERS:
        raise errors.Refused("revealed", "The gestures of this turn have already been revealed.")
    if turn.row.stage == models.Stage.ORDERS and stage == models.Stage.ANSWERS:
        raise errors.Refused("not_asked", "You have no question to answer in this turn.")


def _check_acting(turn: OpenTurn, seat: models.Seat) -> None:
    """Raise `Refused` unless this wizard acts in the turn and can still seal orders.

    Check first whether they act, so that wizards who do not act in an extra turn cannot find out
    whether it has questions.
    """
    if turn.row.is_open and seat.code not in engine.play.acting_wizards(turn.position):
        raise errors.Refused("not_acting", "You do not act in this turn.", rule="turn:orders")
    _check_open(turn, models.Stage.ORDERS)


def _check_form_is_current(
    turn: OpenTurn, current: models.Orders | None, fields: Mapping[str, str], form_seal: str
) -> None:
    commitment = current.commitment if current else ""
    if form_seal == commitment:
        return
    there = turn.sealed_fields(current) if current and not turn.is_lost(current) else {}
    sealed_at = current.sealed_at.isoformat() if current else ""
    raise errors.StaleForm(
        current=errors.OrdersVersion(there, commitment, sealed_at),
        yours=errors.OrdersVersion(dict(fields), form_seal),
    )


def _faults_of_answers(
    asked_questions: Sequence[Mapping[str, Any]], given_answers: Mapping[str, str]
) -> list[engine.play.Fault]:
    """Return the faults of these answers. Every question needs an answer from its options.

    rules: F32
    """
    faults = []
    questions = {question["id"]: question for question in asked_questions}
    for name in given_answers.keys() - questions.keys():
        text = "This question is not open."
        faults.append(engine.play.Fault("unknown_question", name[:80], "turn:answers", text))
    for name, question in questions.items():
        if name not in given_answers:
            text = "Choose an answer."
            faults.append(engine.play.Fault("answer_missing", name, "turn:answers", text))
        elif given_answers[name] not in question["options"]:
            text = f"Choose one of these answers: {', '.join(question['words'])}."
            faults.append(engine.play.Fault("answer_not_allowed", name, "turn:answers", text))
    return faults


def _seal_for_player(
    turn: OpenTurn,
    seat: models.Seat,
    current: models.Orders | None,
    fields: Mapping[str, str],
    attempt: SealAttempt,
) -> models.Orders:
    """Store a new seal, stop waiting for the wizard, and request the resolution of the turn."""
    if turn.seal_count(seat, turn.row.batch) >= MAX_SEALS_PER_TURN:
        text = f"You have sealed {MAX_SEALS_PER_TURN} times in this turn, which is the maximum. "
        raise errors.Refused("too_many_seals", text + "The latest orders still count.")
    now = attempt.now
    orders = store_seal(turn, seat, current, fields, now, chance=attempt.chance)
    _drop_draft(turn)
    await_wizards(turn.row, turn.seats, turn.awaited - {seat.code}, now, sealed_by=seat)
    request_resolution(turn.row.pk)
    return orders


def store_seal(
    turn: OpenTurn,
    seat: models.Seat,
    current: models.Orders | None,
    fields: Mapping[str, str],
    now: datetime,
    *,
    source: models.SealSource = models.SealSource.PLAYER,
    chance: str = "",
) -> models.Orders:
    """Store a new seal for the turn's stage. It supersedes the wizard's previous seal.

    Raise `MissingKey` if the duel's seed cannot be decrypted, because the salt is derived from it.
    """
    if current is not None:
        current.superseded = True
        current.save(update_fields=["superseded"])
    row, seal = turn.row, turn.new_seal(seat, fields, chance, turn.row.batch)
    return models.Orders.objects.create(
        turn=row,
        seat=seat,
        stage=row.stage,
        batch=row.batch,
        body=seals.encrypt_seal(seal),
        commitment=seal.commitment,
        source=source,
        sealed_at=max(now, current.sealed_at if current else row.opened_at),
    )
