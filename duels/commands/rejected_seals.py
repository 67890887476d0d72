"""Attempts to seal orders or answers, and storage of rejected attempts. rules: promise 14

A dishonest site knows the seed, so it could reject seals until one results in draws that suit it.
The record therefore lists every attempt. A rejected seal has no effect on the duel.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F

import engine.orders
import engine.play
import engine.proof
from duels.commands.duel_limits import MOST_SEALS
from duels.commands.locking import loaded_seat_of, lock_turn
from duels.commands.suspensions import check_may_act
from duels.errors import IllegalOrders, MissingKey, Refused
from duels.loaded.open_turn import OpenTurn
from duels.models import DuelStatus, RejectedSeal, Seat, Stage, Turn, Wizard, WizardKind
from duels.sealing import seals
from duels.typed_text import clean_text, with_plain_line_ends


def parse_orders(fields: Mapping[str, str]) -> engine.orders.Orders:
    """Parse orders from these fields, and tidy their message.

    Raise `IllegalOrders` if the fields are invalid or the message contains control characters.
    """
    said = with_plain_line_ends(fields.get(engine.orders.SAY, "")).strip()
    try:
        orders = engine.orders.from_fields({**fields, engine.orders.SAY: said})
        clean = clean_text(said)
        return (
            orders
            if clean == said
            else engine.orders.from_fields({**fields, engine.orders.SAY: clean})
        )
    except engine.play.InvalidData as error:
        fault = engine.play.Fault(
            "invalid_field", error.field, "turn:orders", f"This {error.text}."
        )
        raise IllegalOrders([fault], fields) from None


@dataclass(frozen=True)
class SealAttempt:
    """Orders or answers that a wizard is trying to seal.

    `batch` is the round of questions that the answers belong to, or 0 for orders. `chance` is
    random text from the wizard's browser.
    """

    turn_id: int
    wizard: Wizard
    stage: Stage
    batch: int
    fields: Mapping[str, str]
    chance: str
    now: datetime

    @contextmanager
    def lock_turn_and_seat(self) -> Iterator[tuple[OpenTurn, Seat]]:
        """Lock the turn, and yield it with the wizard's seat. If the block raises `Refused`, roll
        back its changes and store the attempt."""
        try:
            with transaction.atomic():
                turn = lock_turn(self.turn_id, with_draft_of=self.wizard)
                seat = loaded_seat_of(turn, self.wizard)
                check_may_act(seat.wizard, self.now)
                if not engine.proof.is_valid_chance(self.chance):
                    raise self._invalid_chance_error()
                yield turn, seat
        except Refused as refused:
            _store_rejected(self, refused.code)
            raise

    def _invalid_chance_error(self) -> IllegalOrders:
        """Return the error for a `chance` that would put arbitrary text into a seal."""
        text = "The field “chance” must be empty or have 32 hexadecimal digits."
        rule = f"turn:{self.stage}"
        fault = engine.play.Fault("invalid_chance", engine.proof.CHANCE, rule, text)
        return IllegalOrders([fault], self.fields)


@transaction.atomic
def _store_rejected(attempt: SealAttempt, code: str) -> None:
    """Store orders or answers that were rejected for this reason, if the turn is still open.

    Do not store anything that could not be a seal in this stage of the turn, or attempts by the
    practice opponent, because the site itself seals for it.
    """
    wizard, batch = attempt.wizard, attempt.batch
    if wizard.kind == WizardKind.PRACTICE:
        return
    try:
        turn = lock_turn(attempt.turn_id, updates_polls=False)
        flat = _sealable_fields(turn, attempt)
    except Refused:
        return
    seat = turn.seat_of(wizard)
    if seat is None or flat is None or not engine.proof.is_valid_chance(attempt.chance):
        return
    kept = RejectedSeal.objects.filter(turn=turn.row, seat=seat)
    if kept.count() >= MOST_SEALS:
        return
    try:
        seal = turn.new_seal(seat, flat, attempt.chance, batch)
    except MissingKey:
        return
    if kept.filter(commitment=seal.commitment, code=code).exists():
        return
    latest = max((each.sealed_at for each in turn.all_seals), default=turn.row.opened_at)
    RejectedSeal.objects.create(
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
    Turn.objects.filter(pk=turn.row.pk).update(rejections=F("rejections") + 1)


def _sealable_fields(turn: OpenTurn, attempt: SealAttempt) -> dict[str, str] | None:
    """Return the fields that would have been sealed, or None if nothing could have been sealed."""
    row, seat, fields = turn.row, turn.seat_of(attempt.wizard), attempt.fields
    if turn.duel.status != DuelStatus.RUNNING or row.stage != attempt.stage or seat is None:
        return None
    if attempt.stage == Stage.ORDERS:
        is_acting = seat.code in engine.play.acting_wizards(turn.position)
        return dict(engine.orders.fields(parse_orders(fields))) if is_acting else None
    if not 1 <= attempt.batch <= row.batch:
        return None
    asked = turn.questions_of(attempt.batch)
    options = {each.id: each.options for each in asked if each.wizard == seat.code}
    given = {name: value for name, value in fields.items() if value in options.get(name, ())}
    return given or None
