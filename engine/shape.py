"""Check of a record's shape: it must have exactly the keys that `engine.record` names.

Nothing is played or computed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from engine.chain import BY_SEED, BY_SITE
from engine.json_values import (
    parse_choice,
    parse_int,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.record import ENDS, OLDER, InvalidRecord, Record
from engine.spellbook import MOST_SURPLUS

Reader = Callable[[str, object], object]
Shape = Mapping[str, Reader]

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")
STAGES: Final = ("orders", "answers")


def check_shape(data: Record) -> None:
    """Raise InvalidData, naming the place, for the first part that has the wrong shape."""
    _read("", data, OF_AN_OLDER_RECORD if data.get("version") == OLDER else OF_A_RECORD)


def _read(place: str, row: Record, shape: Shape, optional: Sequence[str] = ()) -> None:
    at = f"{place}." if place else ""
    for key in row:
        if key not in shape:
            raise InvalidRecord(f"{at}{key}", "does not exist in a record of this version")
    for key, reader in shape.items():
        if key in row:
            reader(f"{at}{key}", row[key])
        elif key not in optional:
            raise InvalidRecord(f"{at}{key}", "is missing")


def _hash(place: str, value: object) -> None:
    if not _HASH.fullmatch(parse_string(place, value)):
        raise InvalidRecord(place, "must be 64 hexadecimal digits")


def _time(place: str, value: object) -> None:
    if not _TIME.fullmatch(parse_string(place, value)):
        raise InvalidRecord(place, "must be a time in UTC, such as 2026-03-01T12:00:00+00:00")


def _flag(place: str, value: object) -> None:
    if not isinstance(value, bool):
        raise InvalidRecord(place, "must be true or false")


def _true(place: str, value: object) -> None:
    if value is not True:
        raise InvalidRecord(place, "must be true or missing")


def _or_null(reader: Reader) -> Reader:
    return lambda place, value: None if value is None else reader(place, value)


def _all(reader: Reader) -> Reader:
    """Return a reader of objects whose values all suit this reader."""

    def read(place: str, value: object) -> None:
        for key, each in parse_object(place, value).items():
            reader(f"{place}.{key}", each)

    return read


def _rows(shape: Shape, optional: Sequence[str] = ()) -> Reader:
    """Return a reader of lists of objects with this shape."""

    def read(place: str, value: object) -> None:
        for number, row in enumerate(parse_objects(place, value)):
            _read(f"{place}[{number}]", row, shape, optional)

    return read


def _hashes(place: str, value: object) -> None:
    for number, each in enumerate(parse_strings(place, value)):
        _hash(f"{place}[{number}]", each)


def _one_of(*options: str) -> Reader:
    return lambda place, value: parse_choice(place, value, options)


def _dice(more: Shape) -> Reader:
    """Return a reader of dice, whose draws come from a seed or are fixed in advance."""

    def read(place: str, value: object) -> None:
        row = parse_object(place, value)
        is_thrown = parse_choice(f"{place}.kind", row.get("kind"), ("hmac", "recorded")) == "hmac"
        draws: Shape = {} if is_thrown else {"draws": _all(parse_int)}
        _read(place, row, {"kind": parse_string, **draws, **more})

    return read


def _acts(place: str, value: object) -> None:
    """Check two keys of each act. The act's link covers the others, whatever they are."""
    for number, row in enumerate(parse_objects(place, value)):
        for key, reader in (("ordinal", parse_int), ("chain", _hash)):
            if key not in row:
                raise InvalidRecord(f"{place}[{number}].{key}", "is missing")
            reader(f"{place}[{number}].{key}", row[key])


def _markers(place: str, value: object) -> None:
    _read(place, parse_object(place, value), {"taken": parse_strings, "returned": parse_strings})


def _ended(place: str, value: object) -> None:
    """Check the end, which is required: without it, later turns could have been cut off."""
    _read(place, parse_object(place, value), OF_THE_END, optional=("markers", "seed_lost"))


OF_A_SEAL: Final[Shape] = {
    "wizard": parse_string,
    "stage": _one_of(*STAGES),
    "batch": parse_int,
    "source": parse_string,
    "sealed_at": _time,
    "taken_back_at": _or_null(_time),
    "superseded": _flag,
    "commitment": _hash,
    "hashes": _or_null(_all(_hash)),
    "fields": _or_null(_all(parse_string)),
    "salts": _or_null(_all(_hash)),
    "removed": _all(parse_int),
}
OF_A_TURN: Final[Shape] = {
    "ordinal": parse_int,
    "number": parse_int,
    "kind": parse_string,
    "roll_backs": parse_int,
    "opened_at": _time,
    "closed_at": _time,
    "release": parse_string,
    "played": _flag,
    "position": _hash,
    "resigned": parse_strings,
    "forfeited": parse_strings,
    "removed": parse_strings,
    "commitments": _hashes,
    "seals": _rows(OF_A_SEAL, optional=("removed",)),
    "orders": _all(_all(parse_string)),
    "answers": _all(parse_string),
    "draws": _rows({"label": parse_string, "sides": parse_int, "value": parse_int}),
    "damage": _all(partial(parse_int, least=-MOST_SURPLUS)),  # negative by cures. rules: W4
    "after": _hash,
    "acts": parse_int,
    "chain": _hash,
}
OF_THE_END: Final[Shape] = {
    "how": _one_of(*ENDS),
    "result": _or_null(parse_string),
    "at": _time,
    "markers": _markers,
    "seed_lost": _true,
    "chain": _hash,
}
OF_A_SEED: Final[Shape] = {
    "roll_backs": parse_int,
    "seed_commitment": _hash,
    "seed": _or_null(_hash),
}
OF_A_SPEECH: Final[Shape] = {
    "wizard": parse_string,
    "ordinal": parse_int,
    "after_end": _flag,
    "words": parse_string,
    "said_at": _time,
    "removed": _true,
}
OF_A_RECORD: Final[Shape] = {
    "format": parse_string,
    "version": parse_int,
    "duel": parse_int,
    "ruleset": parse_string,
    "options": parse_strings,
    "wizards": _rows({"name": parse_string, "pronouns": parse_string}),
    "setup": _or_null(parse_object),
    "dice": _dice({"seeds": _rows(OF_A_SEED)}),
    "salts": _one_of(BY_SEED, BY_SITE),
    "chain": _hash,
    "turns": _rows(OF_A_TURN),
    "void_turns": _rows({**OF_A_TURN, "voided_in": parse_int}),
    "acts": _acts,
    "speeches": _rows(OF_A_SPEECH, optional=("removed",)),
    "ended": _ended,
}


def _older(shape: Shape, without: str) -> dict[str, Reader]:
    """Return the shape from before this part was added."""
    return {key: reader for key, reader in shape.items() if key != without}


OF_AN_OLDER_TURN: Final[Shape] = _older(OF_A_TURN, "roll_backs")
OF_AN_OLDER_RECORD: Final[Shape] = {
    **_older(OF_A_RECORD, "salts"),
    "dice": _dice({"seed": _or_null(_hash)}),
    "seed_commitment": _hash,
    "turns": _rows(OF_AN_OLDER_TURN),
    "void_turns": _rows({**OF_AN_OLDER_TURN, "voided_in": parse_int}),
}
