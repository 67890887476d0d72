"""Checks of a turn's seals: their places, salts, hashes and order. rules: promise 14

Salts are computed from the seed, so that nobody can choose one. In older duels, the place of a seal
may lack the number of rollbacks, and its salts are random. `engine.proof.verify` reports how many
such seals there are.
"""

from collections.abc import Mapping
from typing import Any

from engine.orders import MESSAGE_FIELD
from engine.proof.chain import SALTS_BY_SITE
from engine.proof.commitment import (
    PADDING_FIELD,
    PLACE_FIELD,
    RANDOM_NUMBER_FIELD,
    combined_commitment,
    field_commitment,
    field_salt,
    is_valid_random_number,
    padded_commitments,
    place_value,
)
from engine.proof.record import Mismatch, check_same

Row = Mapping[str, Any]  # a record, or a part of one, whose schema has been checked


def check_seals(place: str, row: Row, turn: Row, *, roll_backs: int, seed: str | None) -> None:
    """Raise Mismatch at the first error in the seals of this turn.

    `roll_backs` is the number of rollbacks before the turn was opened. If the seed is lost (None),
    salts are accepted as they are stated.
    """
    made: dict[tuple[str, str, int], int] = {}
    for number, seal in enumerate(turn["seals"]):
        at = f"{place}.seals[{number}]"
        _check_batch(at, seal)
        key = (seal["wizard"], seal["stage"], seal["batch"])
        before = made.get(key, 0)
        made[key] = before + 1
        if None in (seal["fields"], seal["salts"], seal["hashes"]):
            _check_unopened(at, seal)
            continue
        _check_place(at, row, turn, seal, roll_backs)
        if seed is not None and not has_chosen_salts(seal):
            _check_salts(at, seal, seed, before)
        _check_hashes(at, turn, seal, is_by_seed=seed is not None)
    _check_order(place, turn)
    listed: set[tuple[str, str]] = set()
    for number, rejected in enumerate(turn.get("rejected", ())):
        key = (rejected["wizard"], rejected["stage"], rejected["batch"])
        at = f"{place}.rejected[{number}]"
        if (attempt := (rejected["commitment"], rejected["code"])) in listed:
            raise Mismatch(f"{at}.code", "is that of an earlier rejection of the same seal")
        listed.add(attempt)
        _check_rejected(at, row, turn, rejected, roll_backs, seed, made.get(key, 0))


def _check_rejected(
    place: str, row: Row, turn: Row, seal: Row, roll_backs: int, seed: str | None, made: int
) -> None:
    """Check a seal that the site rejected. `made` is the number of seals for the same place.

    It has the salts that it would have had if the site had accepted it. Only the hash of its
    message is stated.
    """
    _check_batch(place, seal)
    if seal["before"] > made:
        raise Mismatch(f"{place}.before", f"is {seal['before']}, but there are {made} seals")
    if not turn["opened_at"] <= seal["rejected_at"] <= turn["closed_at"]:
        raise Mismatch(f"{place}.rejected_at", "does not fit the times of its turn")
    if None in (seal["fields"], seal["salts"], seal["hashes"]):
        _check_unopened(place, {**seal, "superseded": True})
        return
    if has_chosen_salts(seal):
        raise Mismatch(f"{place}.fields.{RANDOM_NUMBER_FIELD}", "is missing")
    if MESSAGE_FIELD in seal["fields"]:
        raise Mismatch(f"{place}.fields.{MESSAGE_FIELD}", "must not be published, only its hash")
    _check_place(place, row, turn, seal, roll_backs)
    if seed is not None:
        _check_salts(place, seal, seed, seal["before"])
    _check_hashes(place, turn, {**seal, "superseded": True}, is_by_seed=seed is not None)


def _check_batch(place: str, seal: Row) -> None:
    """Check that orders have batch 0, so that a wizard has only one seal of orders in force.

    The draws depend on all orders in force, and a second seal would change them unnoticed.
    """
    if (seal["stage"] == "orders") != (seal["batch"] == 0):
        expected = "must be 0 for orders" if seal["stage"] == "orders" else "must be 1 or more"
        raise Mismatch(f"{place}.batch", expected)


def has_chosen_salts(seal: Row) -> bool:
    """Return whether the site drew the salts of this opened seal at random."""
    return RANDOM_NUMBER_FIELD not in seal["fields"]


def _check_unopened(place: str, seal: Row) -> None:
    """Check that a seal whose key was lost is superseded and has no contents."""
    for part in ("fields", "salts", "hashes"):
        if seal[part] is not None or not seal["superseded"]:
            raise Mismatch(f"{place}.{part}", "must be null, and the seal superseded")


def _check_place(place: str, row: Row, turn: Row, seal: Row, roll_backs: int) -> None:
    fields = seal["fields"]
    is_chosen = has_chosen_salts(seal)
    if is_chosen and row.get("salts", SALTS_BY_SITE) != SALTS_BY_SITE:
        raise Mismatch(f"{place}.fields.{RANDOM_NUMBER_FIELD}", "is missing")
    where = place_value(
        duel=row["duel"],
        ordinal=turn["ordinal"],
        wizard=seal["wizard"],
        stage=seal["stage"],
        batch=seal["batch"],
        roll_backs=None if is_chosen else roll_backs,
    )
    check_same(f"{place}.fields.{PLACE_FIELD}", fields.get(PLACE_FIELD), where)
    if not is_chosen and not is_valid_random_number(fields[RANDOM_NUMBER_FIELD]):
        raise Mismatch(
            f"{place}.fields.{RANDOM_NUMBER_FIELD}", "must be 32 hexadecimal digits or empty"
        )
    if seal.get("source") == "default" and fields.get(RANDOM_NUMBER_FIELD):
        text = "must be empty, because no browser sent these default orders or answers"
        raise Mismatch(f"{place}.fields.{RANDOM_NUMBER_FIELD}", text)


def _check_salts(place: str, seal: Row, seed: str, before: int) -> None:
    """Check that each salt follows from the seed. `before` counts earlier seals for this place."""
    fields, salts = seal["fields"], seal["salts"]
    for name in (*fields, PADDING_FIELD):
        if name not in salts:
            raise Mismatch(f"{place}.salts.{name}", "is missing")
        why = f", computed from the seed for a place with {before} earlier seals"
        found = field_salt(seed, fields[PLACE_FIELD], before, name)
        check_same(f"{place}.salts.{name}", salts[name], found, why)


def _check_hashes(place: str, turn: Row, seal: Row, *, is_by_seed: bool) -> None:
    """Check the seal's hashes and commitment. `is_by_seed`: its salts match the seed."""
    fields, salts, hashes = seal["fields"], seal["salts"], seal["hashes"]
    for name in fields:
        if name not in salts:
            raise Mismatch(f"{place}.salts.{name}", "is missing")
        if name not in hashes:
            raise Mismatch(f"{place}.hashes.{name}", "is missing")
        found = field_commitment(salts[name], name, fields[name]).hex()
        if found != hashes[name]:
            part = _altered_part(turn, seal, name, found, is_by_seed)
            text = f"is not what was sealed: {name} commits to {found}, not to {hashes[name]}"
            raise Mismatch(f"{place}.{part}.{name}", text)
    closed = (MESSAGE_FIELD,) if "rejected_at" in seal else seal.get("removed", ())
    for part in ("hashes", "salts"):
        for name in seal[part]:
            is_removed = part == "hashes" and name in closed
            if name not in fields and (part, name) != ("salts", PADDING_FIELD) and not is_removed:
                raise Mismatch(f"{place}.{part}.{name}", "does not belong to any field")
    found = combined_commitment(padded_commitments(list(hashes.values()), salts))
    if seal["commitment"] != found and seal["commitment"] in turn["commitments"]:
        if is_by_seed and not has_chosen_salts(seal):
            raise Mismatch(f"{place}.fields", "are too few or too many")
        text = "or the list of fields is not what was sealed"
        raise Mismatch(f"{place}.salts.{PADDING_FIELD}", text)
    why = "" if is_by_seed and not has_chosen_salts(seal) else ", or salts.pad has changed"
    check_same(f"{place}.commitment", seal["commitment"], found, why)


def _altered_part(turn: Row, seal: Row, name: str, found: str, is_by_seed: bool) -> str:
    """Return the part of a seal in which the field was probably altered."""
    hashes = {**seal["hashes"], name: found}
    if (
        combined_commitment(padded_commitments(list(hashes.values()), seal["salts"]))
        == seal["commitment"]
    ):
        return "hashes"
    if is_by_seed and not has_chosen_salts(seal):
        return "fields"  # the seed has confirmed the salt
    if seal["superseded"] or name == PLACE_FIELD or not turn["played"]:
        return "salts" if name == PLACE_FIELD else "fields"
    is_order = seal["stage"] == "orders"
    known = turn["orders"].get(seal["wizard"], {}) if is_order else turn["answers"]
    return "salts" if known.get(name) == seal["fields"][name] else "fields"


def _check_order(place: str, turn: Row) -> None:
    """Check the seals' times, and that only the last one of each wizard, stage and batch counts."""
    last: dict[tuple[str, str, int], Row] = {}
    for number, seal in enumerate(turn["seals"]):
        at = f"{place}.seals[{number}]"
        key = (seal["wizard"], seal["stage"], seal["batch"])
        earlier = last.get(key)
        if earlier is not None and not earlier["superseded"]:
            raise Mismatch(f"{at}.superseded", "an earlier seal is still in force")
        since = earlier["sealed_at"] if earlier is not None else turn["opened_at"]
        if not since <= seal["sealed_at"] <= turn["closed_at"]:
            raise Mismatch(f"{at}.sealed_at", "does not fit the times of its turn")
        if (seal["taken_back_at"] or seal["sealed_at"]) < seal["sealed_at"]:
            raise Mismatch(f"{at}.taken_back_at", "is before it was sealed")
        last[key] = seal
