"""The record of a finished duel: what the engine needs to play it again, and the opened seals.

Format: `engine.replay`. Beside each turn's orders stand its seals with fields and salts, so that
anyone can recompute the commitments (`engine.commitment`) that were shown while it was played.

**The chain.** A turn's `chain` ties it to all turns before it: it is SHA-256, in hexadecimal, over
the `chain` of the turn before, as text, and right after it the canonical JSON (keys sorted, no
spaces, UTF-8) of an object of these:

    ordinal, number, kind, commitments, damage    as they stand in the turn
    resigned    likewise; [] where it is not there
    forfeited   likewise; left out where it is not there
    answers     the `commitment` of each of its `seals` of stage "answers", in their order

Before the first turn stands `seed_commitment`: SHA-256 over the bytes of the dice's seed. A turn
that was not played ("played": false) has no link.

**Speeches.** What was said between turns and after the end stands in `speeches`, in its order: who,
with which turn open (its ordinal) or after the end, the words, and when. No link is made over it:
words change nothing that is played. What was said with a turn is in that turn's orders.

The chain outlives a wizard who leaves. When an account is closed, its wizard's name is another
everywhere in the record; but nothing changes over which a link is made, and no draw.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import engine
from duels import adjudication, seals
from duels.act_log import former_wizards
from duels.models import Duel, Orders, Seat, Source, Speech, Stage, Turn
from engine import markers_at_end

FORMAT = "spellcaster-record"
VERSION = 2


def record(duel: Duel) -> dict[str, Any]:
    """The whole duel as plain JSON."""
    closed = Turn.objects.filter(duel=duel, stage__in=[Stage.RESOLVED, Stage.VOID])
    # Of a turn that was not played only resignations are to be told.
    turns = [
        turn for turn in closed.order_by("ordinal") if turn.stage == Stage.RESOLVED or turn.resigned
    ]
    seats = list(Seat.objects.filter(duel=duel).order_by("place"))
    by_turn: dict[int, list[Orders]] = defaultdict(list)
    played = Orders.objects.filter(turn__in=turns, turn__stage=Stage.RESOLVED)
    rows = played.filter(superseded=False).select_related("seat")
    for row in rows.order_by("stage", "batch", "seat__place"):
        by_turn[row.turn_id].append(row)
    final = adjudication.loaded_position(duel.final_position)
    codes = {former.wizard.pk: former.seat for former in former_wizards(duel)}
    codes |= {seat.wizard_id: seat.code for seat in seats}
    said = Speech.objects.filter(duel=duel).order_by("pk")
    led_to = [*(adjudication.start_of(turn) for turn in turns[1:]), final]
    return {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": duel.ruleset,
        "options": list(duel.options),
        "wizards": [{"name": wizard.name, "pronouns": wizard.pronouns} for wizard in final.wizards],
        "setup": duel.setup,
        "dice": _dice(duel),
        "seed_commitment": duel.seed_commitment,
        "turns": [
            _turn(turn, by_turn[turn.pk], position)
            for turn, position in zip(turns, led_to, strict=False)
        ],
        "speeches": [_speech(duel, speech, codes) for speech in said],
        "ended": _ended(duel, final),
    }


def _speech(duel: Duel, speech: Speech, codes: Mapping[int, str]) -> dict[str, Any]:
    return {
        "wizard": codes[speech.wizard_id],
        "ordinal": speech.ordinal,
        "after_end": duel.was_over_at(speech.said_at),
        "words": "" if speech.removed_at else speech.words,
        "said_at": speech.said_at.isoformat(),
        **({"removed": True} if speech.removed_at else {}),
    }


def _ended(duel: Duel, final: engine.Position) -> dict[str, Any]:
    ended: dict[str, Any] = {"how": duel.ended, "result": duel.result or None}
    if final.rules.markers and not duel.is_practice:
        ended["markers"] = markers_at_end(final, duel.ended)
    return ended


def _dice(duel: Duel) -> dict[str, Any]:
    if duel.recorded_draws is not None:
        return {"kind": "recorded", "draws": duel.recorded_draws}
    return {"kind": "hmac", "seed": adjudication.seed_of(duel)}


def _turn(turn: Turn, rows: list[Orders], after: engine.Position) -> dict[str, Any]:
    acting = set(engine.acting(adjudication.position_of(turn)))
    opened = [(row, seals.opened(row.body)) for row in rows]
    entry: dict[str, Any] = {
        "ordinal": turn.ordinal,
        "number": turn.number,
        "kind": turn.kind,
        "commitments": adjudication.commitments(rows),
        "orders": {
            row.seat.code: seal.orders
            for row, seal in opened
            if row.stage == Stage.ORDERS and row.seat.code in acting
        },
        "answers": {
            question: answer
            for row, seal in opened
            if row.stage == Stage.ANSWERS
            for question, answer in seal.orders.items()
        },
        "damage": adjudication.damage(after),
        "seals": [
            {
                "wizard": row.seat.code,
                "stage": row.stage,
                "batch": row.batch,
                "sealed_at": row.sealed_at.isoformat(),
                "commitment": row.commitment,
                "fields": dict(seal.fields),
                "salts": dict(seal.salts),
                **({"source": row.source} if row.source != Source.PLAYER else {}),
            }
            for row, seal in opened
        ],
        "chain": turn.chain,
    }
    if turn.resigned:
        entry["resigned"] = list(turn.resigned)
    if turn.forfeited:
        entry["forfeited"] = list(turn.forfeited)
    if turn.stage == Stage.VOID:
        entry["played"] = False
    return entry
