"""Storage of rejected orders and answers, for the record. rules: promise 14

A site that knows the seed could reject seals until one leads to draws that suit it. The record
therefore lists every attempt. A rejected seal affects nothing in the duel.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F

import engine.orders
import engine.play
import engine.proof
from duels.commands.duel_limits import MOST_SEALS
from duels.commands.locking import locked_turn
from duels.errors import IllegalOrders, MissingKey, Refused
from duels.loaded.open_turn import OpenTurn
from duels.models import DuelStatus, RejectedSeal, Stage, Turn, Wizard, WizardKind
from duels.sealing import seals
from duels.typed_text import clean_text, with_plain_line_ends


def read_orders(fields: Mapping[str, str]) -> engine.orders.Orders:
    """Parse orders from these fields, and clean up their message.

    Raise `IllegalOrders`, also for control characters in the message.
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


@transaction.atomic
def keep_rejected(
    stage: Stage,
    batch: int,
    turn_id: int,
    wizard: Wizard,
    fields: Mapping[str, str],
    chance: str,
    code: str,
    now: datetime,
) -> None:
    """Store orders or answers that were rejected for this reason, if their turn is still open.

    `batch` is the round of questions that the answers are for, 0 for orders. Anything that could
    not be a seal in this stage of the turn is not stored. Attempts by the practice opponent are not
    stored either, because the site itself seals for it.
    """
    if wizard.kind == WizardKind.PRACTICE:
        return
    try:
        turn = locked_turn(turn_id, changes_page=False)
        flat = _sealable(turn, stage, batch, wizard, fields)
    except Refused:
        return
    seat = turn.seat_of(wizard)
    if seat is None or flat is None or not engine.proof.is_valid_chance(chance):
        return
    kept = RejectedSeal.objects.filter(turn=turn.row, seat=seat)
    if kept.count() >= MOST_SEALS:
        return
    try:
        seal = turn.new_seal(seat, flat, chance, batch)
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
        before=turn.seals_made(seat, batch),
        body=seals.encrypt_seal(seal),
        commitment=seal.commitment,
        code=code,
        rejected_at=max(now, latest),
    )
    Turn.objects.filter(pk=turn.row.pk).update(rejections=F("rejections") + 1)


def _sealable(
    turn: OpenTurn, stage: Stage, batch: int, wizard: Wizard, fields: Mapping[str, str]
) -> dict[str, str] | None:
    """Return the fields that would have been sealed, or None if nothing could have been sealed."""
    row, seat = turn.row, turn.seat_of(wizard)
    if turn.duel.status != DuelStatus.RUNNING or row.stage != stage or seat is None:
        return None
    if stage == Stage.ORDERS:
        is_acting = seat.code in engine.play.acting_wizards(turn.position)
        return dict(engine.orders.fields(read_orders(fields))) if is_acting else None
    if not 1 <= batch <= row.batch:
        return None
    asked = turn.questions_of(batch)
    options = {each.id: each.options for each in asked if each.wizard == seat.code}
    given = {name: value for name, value in fields.items() if value in options.get(name, ())}
    return given or None
