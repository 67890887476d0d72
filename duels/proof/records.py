"""The record of a finished duel, with all data needed to replay and verify it.

`engine.proof.record` defines the format, and `docs/RECORDS.md` explains how to check a record by
hand. The site stores the link of each turn when the turn closes, so a record reveals later changes
to rows. Old duels, whose stored links do not cover whole turns (`Duel.link_format` 1), get new
links with the record.

When an account is closed, the wizard's name is replaced everywhere in the record. Draws and all
data that links cover stay the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine.orders
import engine.play
import engine.proof
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.models import Act, ActKind, Duel, Orders, RejectedSeal, Seat, Speech, Stage, Turn
from duels.referees.log.act_log import former_wizards
from duels.sealing import links, seals, seeds
from engine.proof import RECORD_FORMAT, RECORD_VERSION, UNCOVERED_DICE_VERSION, markers_at_end


@dataclass(frozen=True)
class _PlayedTurn:
    """A closed turn, with the position after it and all its seals in order."""

    turn: Turn
    after: engine.play.Position
    seals: Sequence[Orders]
    rejected: Sequence[RejectedSeal] = ()


def duel_record(duel: Duel) -> dict[str, Any]:
    """Return the record of a duel as plain JSON."""
    turns = _closed_turns(duel)
    seats = list(Seat.objects.filter(duel=duel).order_by("place"))
    final = engine.play.load_position(duel.final_position)
    codes = {former.wizard.pk: former.seat for former in former_wizards(duel)}
    codes |= {seat.wizard_id: seat.code for seat in seats}
    said = Speech.objects.filter(duel=duel).order_by("pk")
    logged = Act.objects.filter(duel=duel).order_by("ordinal")
    acts = [{**act.entry, "chain": act.chain} for act in logged]
    written: dict[str, Any] = {
        "format": RECORD_FORMAT,
        "version": RECORD_VERSION if links.is_dice_covered(duel) else UNCOVERED_DICE_VERSION,
        "duel": duel.pk,
        "ruleset": duel.ruleset,
        "options": list(duel.options),
        "wizards": [{"name": wizard.name, "pronouns": wizard.pronouns} for wizard in final.wizards],
        "setup": duel.setup,
        "dice": _dice_data(duel),
        "salts": links.field_salts(duel),
        "chain": links.first_link(duel, len(final.wizards)),
        "turns": [_turn_data(played, acts) for played in turns if not played.turn.voided_in],
        "void_turns": [
            {**_turn_data(played, acts), "voided_in": played.turn.voided_in}
            for played in turns
            if played.turn.voided_in
        ],
        "acts": acts,
        "speeches": [_speech_data(duel, speech, codes) for speech in said],
        "ended": _end_data(duel, final),
    }
    if links.is_linked_with_record(duel):
        _recompute_links(duel, written)
    _link_end(written)
    return written


def _closed_turns(duel: Duel) -> list[_PlayedTurn]:
    """Return all closed turns, including void turns, ordered by rollback and ordinal."""
    closed = Turn.with_voided.filter(duel=duel, stage__in=[Stage.RESOLVED, Stage.VOID])
    turns = list(closed.order_by("voided_in", "ordinal"))
    sealed: dict[int, list[Orders]] = defaultdict(list)
    rows = Orders.objects.filter(turn__in=turns).select_related("seat")
    for row in rows.order_by("pk"):
        sealed[row.turn_id].append(row)
    rejected: dict[int, list[RejectedSeal]] = defaultdict(list)
    if links.is_dice_covered(duel) and any(turn.rejections for turn in turns):
        for attempt in RejectedSeal.objects.filter(turn__in=turns).select_related("seat"):
            rejected[attempt.turn_id].append(attempt)
    by_place = {(turn.voided_in, turn.ordinal): turn for turn in turns}
    played = []
    for turn in turns:
        following = by_place.get((turn.voided_in, turn.ordinal + 1))
        after = _position_after(duel, turn, following, sealed[turn.pk])
        played.append(_PlayedTurn(turn, after, sealed[turn.pk], rejected[turn.pk]))
    return played


def _position_after(
    duel: Duel, turn: Turn, following: Turn | None, sealed: Sequence[Orders]
) -> engine.play.Position:
    """Return the position after the turn, which is the start of the next turn.

    If the turn ended the duel but has become void, this position is not stored. In that case,
    replay the turn with its recorded draws.
    """
    position = adjudication.position_after_departures(turn)
    if turn.stage == Stage.VOID or position.outcome:
        return position
    if following is not None:
        return adjudication.position_at_start(following)
    if not turn.voided_in:
        return engine.play.load_position(duel.final_position)
    in_force = [row for row in sealed if not row.superseded]
    orders, answers = _played_orders_and_answers(in_force, position)
    after, _ = engine.play.resolve(
        position,
        {wizard: engine.orders.from_fields(flat) for wizard, flat in orders.items()},
        answers,
        adjudication.recorded_dice([turn]),
    )
    return after


def _played_orders_and_answers(
    in_force: Iterable[Orders], position: engine.play.Position
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Return the orders of acting wizards, and all answers. Later answers replace earlier ones."""
    orders: dict[str, dict[str, str]] = {}
    answers: dict[str, str] = {}
    acting = engine.play.acting_wizards(position)
    for row in sorted(in_force, key=lambda row: row.batch):
        if row.stage == Stage.ANSWERS:
            answers |= seals.decrypt_seal(row.body).orders
        elif row.seat.code in acting:
            orders[row.seat.code] = seals.decrypt_seal(row.body).orders
    return orders, answers


def _speech_data(duel: Duel, speech: Speech, codes: Mapping[int, str]) -> dict[str, Any]:
    return {
        "wizard": codes[speech.wizard_id],
        "ordinal": speech.ordinal,
        "after_end": duel.was_over_at(speech.said_at),
        "words": "" if speech.removed_at else speech.words,
        "said_at": speech.said_at.isoformat(),
        **({"removed": True} if speech.removed_at else {}),
    }


def _end_data(duel: Duel, final: engine.play.Position) -> dict[str, Any]:
    assert duel.ended_at is not None
    ended: dict[str, Any] = {
        "how": str(duel.ended),
        "result": duel.result or None,
        "at": links.time_text(duel.ended_at),
    }
    if final.rules.markers:
        ended["markers"] = markers_at_end(final, duel.ended, duel.result)
    if seeds.ended_without_seed(duel):
        ended["seed_lost"] = True
    return ended


def _dice_data(duel: Duel) -> dict[str, Any]:
    """Return the seeds, None if lost, and any draws that were fixed in advance."""
    stated, draws = seeds.seeds_of(duel), links.draws_fixed_at_start(duel)
    if draws is None:
        return {"kind": engine.proof.DICE_BY_SEED, "seeds": stated}
    return {"kind": engine.proof.DICE_RECORDED, "draws": dict(draws), "seeds": stated}


def _turn_data(played: _PlayedTurn, acts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    turn = played.turn
    start = adjudication.position_at_start(turn)
    position = adjudication.position_after_departures(turn)
    has_gestures = turn.stage == Stage.RESOLVED and not position.outcome
    covered = links.covered_turn(
        turn,
        played.seals,
        played.rejected,
        start=start,
        position_after=played.after,
        events=adjudication.load_stored_events(turn.events),
        played=has_gestures,
    )
    opened = [_decrypted_seal(row) for row in played.seals]
    in_force = [row for row in played.seals if not row.superseded and has_gestures]
    orders, answers = _played_orders_and_answers(in_force, position)
    if played.rejected:
        covered["rejected"] = [
            {**stated, **_rejected_contents(row)}
            for stated, row in zip(covered["rejected"], played.rejected, strict=True)
        ]
    removed = {code: _removal_ordinal(turn, code, acts) for code in turn.silenced}
    for code in removed:
        orders.get(code, {}).pop(engine.orders.MESSAGE_FIELD, None)
    return {
        **covered,
        "seals": [
            {**stated, **_seal_contents(seal, removed.get(stated["wizard"]))}
            for stated, seal in zip(covered["seals"], opened, strict=True)
        ],
        "orders": orders,
        "answers": answers,
        "damage": {wizard.id: wizard.damage for wizard in played.after.wizards},
        "chain": turn.chain,
    }


def _decrypted_seal(row: Orders) -> seals.Seal | None:
    """Return the contents of a seal, or None for a superseded seal whose key is missing."""
    try:
        return seals.decrypt_seal(row.body)
    except MissingKey:
        if row.superseded:
            return None
        raise


def _removal_ordinal(turn: Turn, code: str, acts: Sequence[Mapping[str, Any]]) -> int:
    """Return the ordinal of the act that removed a wizard's message in this turn.

    This is the last such act or, for a void turn, the last such act before the turn became void.
    """
    done = (str(ActKind.REMOVE_WORDS), turn.ordinal, code)
    found = 0
    for act in acts:
        if turn.voided_in and act["facts"].get("roll_back") == turn.voided_in:
            break
        if (act["act"], act["turn"], act["seat"]) == done:
            found = act["ordinal"]
    assert found, "only an act can remove a message"
    return found


def _seal_contents(seal: seals.Seal | None, removal: int | None) -> dict[str, Any]:
    """Return the contents of a seal, without the message that an act has removed."""
    if seal is None:
        return {"hashes": None, "fields": None, "salts": None}
    fields, salts = dict(seal.fields), dict(seal.salts)
    if removal is None or engine.orders.MESSAGE_FIELD not in fields:
        return {"hashes": seal.hashes, "fields": fields, "salts": salts}
    del fields[engine.orders.MESSAGE_FIELD], salts[engine.orders.MESSAGE_FIELD]
    removed = {engine.orders.MESSAGE_FIELD: removal}
    return {"hashes": seal.hashes, "fields": fields, "salts": salts, "removed": removed}


def _rejected_contents(row: RejectedSeal) -> dict[str, Any]:
    """Return the contents of a rejected seal, without the message, if the key is known."""
    try:
        seal = seals.decrypt_seal(row.body)
    except MissingKey:
        return _seal_contents(None, None)
    shown = [name for name in seal.fields if name != engine.orders.MESSAGE_FIELD]
    return {
        "hashes": seal.hashes,
        "fields": {name: seal.fields[name] for name in shown},
        "salts": {name: seal.salts[name] for name in (*shown, engine.proof.PADDING_FIELD)},
    }


def _recompute_links(duel: Duel, written: dict[str, Any]) -> None:
    """Compute a new link for every turn, including void turns.

    Each branch of void turns follows an earlier turn, which either counts or became void in a later
    rollback.
    """
    counting = [written["chain"]]
    for turn in written["turns"]:
        counting.append(_link_of_turn_data(duel, counting[-1], turn))
    following: dict[tuple[int, int], str] = {}  # the previous hash by rollback and ordinal
    by_branch = sorted(written["void_turns"], key=lambda row: (-row["voided_in"], row["ordinal"]))
    for turn in by_branch:
        ordinal, number = turn["ordinal"], turn["voided_in"]
        later = [back for back, at in following if at == ordinal and back >= number]
        before = following[min(later), ordinal] if later else counting[ordinal - 1]
        following[number, ordinal + 1] = _link_of_turn_data(duel, before, turn)


def _link_of_turn_data(duel: Duel, previous: str, turn: dict[str, Any]) -> str:
    last_act = links.hash_of_last_act(duel, turn["acts"])
    turn["chain"] = links.link_of_turn(duel, previous, turn, last_act)
    return str(turn["chain"])


def _link_end(written: dict[str, Any]) -> None:
    turns, void_turns, acts = written["turns"], written["void_turns"], written["acts"]
    unopened = [
        seal["commitment"]
        for turn in (*turns, *void_turns)
        for seal in turn["seals"]
        if seal["fields"] is None
    ]
    ended = written["ended"]
    before = turns[-1]["chain"] if turns else written["chain"]
    covered = engine.proof.end_link_data(ended, void_turns, acts, unopened)
    if "seed_lost" in ended:
        covered["turns"] = engine.proof.unsalted_links(written)
    ended["chain"] = engine.proof.link(before, covered)
