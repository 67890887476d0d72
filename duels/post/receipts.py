"""Context about the reader's own seal, for emails that respond to their replies.

This context is computed when the email is sent, because by then the wizard may have sealed again or
the turn may have been played.
"""

from collections.abc import Mapping
from typing import Any

import engine.orders
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.loaded.loading import load_open_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Orders, Seat, Stage
from duels.post.models import Notice
from duels.queries.rows import questions_for


def seal_words(turn: OpenTurn, seat: Seat, fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return the orders or answers sealed in the turn's current stage, as sentences."""
    if turn.row.stage == Stage.ANSWERS:
        return tuple(
            f"{question.text} {question.words_by_option[option]}"
            for question in questions_for(turn.row, seat)
            if (option := fields.get(question.id))
        )
    return adjudication.orders_as_sentences(
        turn.position, seat.code, engine.orders.from_fields(fields)
    )


def receipt_context(notice: Notice, details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context about the reader's seal, or about a newer open turn."""
    turn = load_open_turn(notice.the_duel.pk)
    seat = turn.seat_of(notice.wizard) if turn else None
    if turn is None or seat is None or turn.row.pk != notice.turn_id:
        return {"is_played": True, "open_turn": turn.row if turn else None}
    seal = turn.current_seals.get(seat.pk)
    now = turn.row.stage == Stage.ANSWERS, turn.row.batch
    sealed_in = details["asks"], details.get("batch", turn.row.batch)
    if details["commitment"] and (now != sealed_in or seal is None):
        return {"is_revealed": True}
    if seal is None:
        return {}
    words, is_taken_back = _readable_seal_words(turn, seat, seal), not seal.is_sealed
    if not details["commitment"]:
        return {"has_sealed": True, "is_taken_back": is_taken_back, "sealed_now": words}
    return {
        "is_superseded": seal.commitment != details["commitment"],
        "is_taken_back": is_taken_back,
        "sentences": words,
        "commitment": seal.commitment,
    }


def _readable_seal_words(turn: OpenTurn, seat: Seat, seal: Orders) -> tuple[str, ...]:
    try:
        return seal_words(turn, seat, turn.sealed_fields(seal))
    except MissingKey:
        return ()
