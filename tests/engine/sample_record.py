"""A valid record with a sealed turn and a resignation, and copies with different values."""

import copy
from typing import Any

from engine.proof.commitment import seal_commitment
from tests.engine.whole_records import whole_record

Json = dict[str, Any]
SALTS = {"left": "00" * 32, "left_subject": "11" * 32, "right": "22" * 32}
SEALED = {"left": "D", "left_subject": "w1", "right": "-"}
COMMITMENT = seal_commitment(SEALED, SALTS)
RECORD: Json = {
    "format": "spellcaster-record",
    "version": 2,
    "ruleset": "bartle-1",
    "options": [],
    "wizards": [{"name": "Ada", "pronouns": "she"}, {"name": "Bram", "pronouns": "he"}],
    "setup": None,
    "dice": {"kind": "hmac", "seed": "00ff"},
    "turns": [
        {"ordinal": 1, "number": 1, "kind": "normal", "commitments": [],
         "orders": {"w0": {"left": "S", "right": "W", "say": "En garde!"}},
         "answers": {}, "damage": {"w0": 0, "w1": 0}},
        {"ordinal": 2, "number": 2, "kind": "normal", "commitments": [COMMITMENT, ""],
         "orders": {"w0": SEALED, "w1": {"left": "W", "right": "W"}},
         "answers": {}, "damage": {"w0": 0, "w1": 1},
         "seals": [{"wizard": "w0", "fields": dict(SEALED), "salts": SALTS,
                    "commitment": COMMITMENT}]},
        {"ordinal": 3, "number": 3, "kind": "normal", "resigned": ["w1"], "played": False,
         "commitments": [], "orders": {}, "answers": {}, "damage": {"w1": 1}},
    ],
    "ended": {"how": "resigned", "result": "w0"},
}  # fmt: skip
# A record with every kind of proof, including a rollback and a resignation.
WHOLE_RECORD = whole_record(3)


def changed(*path: str | int, to: object) -> Json:
    """Return the valid record with another value at this path."""
    record = copy.deepcopy(RECORD)
    part: Any = record
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return record


def without(*path: str | int) -> Json:
    record = copy.deepcopy(RECORD)
    part: Any = record
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    return record


def value_paths(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of every part of the record."""
    found = [here]
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            found += value_paths(value[key], (*here, key))
    return found


WRONG_VALUES: tuple[object, ...] = (
    None,
    True,
    -1,
    10**6,
    0.5,
    "",
    "x",
    "w1",
    "w7",
    "LL",
    [],
    ["x"],
    {},
    {"x": {}},
    {"x": 1},
)


def with_value(record: Json, way: tuple[str | int, ...], value: object) -> Json:
    """Return the record with another value, as a copy that shares all unchanged parts."""
    new = copy.copy(record)
    part: Any = new
    for key in way[:-1]:
        part[key] = copy.copy(part[key])
        part = part[key]
    part[way[-1]] = value
    return new
