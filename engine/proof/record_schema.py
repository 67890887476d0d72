"""Schema of records: they must have exactly the keys that `engine.proof.record` names.

Nothing is played or computed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from engine.json_values import (
    parse_bool,
    parse_choice,
    parse_int,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.proof.chain import DICE_BY_SEED, DICE_RECORDED, SALTS_BY_SEED, SALTS_BY_SITE
from engine.proof.record import (
    ACT_KINDS,
    END_KINDS,
    OLDEST_VERSION,
    UNCOVERED_DICE_VERSION,
    InvalidRecord,
    Record,
)
from engine.spellbook import MAX_SURPLUS_HIT_POINTS

Reader = Callable[[str, object], object]
Schema = Mapping[str, Reader]

_HASH_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
_TIME_PATTERN: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")
SEAL_STAGES: Final = ("orders", "answers")
# Who made a seal: the wizard, or the site in their absence.
SEAL_SOURCES: Final = ("player", "default")


def check_schema(data: Record) -> None:
    """Raise InvalidData, with the place, for the first part that does not match the schema."""
    schemas = {
        OLDEST_VERSION: OLDER_RECORD_SCHEMA,
        UNCOVERED_DICE_VERSION: UNCOVERED_DICE_RECORD_SCHEMA,
    }
    version = data.get("version")
    _check_object("", data, schemas.get(version if isinstance(version, int) else 0, RECORD_SCHEMA))


def _check_object(place: str, row: Record, schema: Schema, optional: Sequence[str] = ()) -> None:
    at = f"{place}." if place else ""
    for key in row:
        if key not in schema:
            raise InvalidRecord(f"{at}{key}", "does not exist in a record of this version")
    for key, reader in schema.items():
        if key in row:
            reader(f"{at}{key}", row[key])
        elif key not in optional:
            raise InvalidRecord(f"{at}{key}", "is missing")


def _check_hash(place: str, value: object) -> None:
    if not _HASH_PATTERN.fullmatch(parse_string(place, value)):
        raise InvalidRecord(place, "must be 64 hexadecimal digits")


def _check_time(place: str, value: object) -> None:
    if not _TIME_PATTERN.fullmatch(parse_string(place, value)):
        raise InvalidRecord(place, "must be a time in UTC, such as 2026-03-01T12:00:00+00:00")


def _check_true(place: str, value: object) -> None:
    if value is not True:
        raise InvalidRecord(place, "must be true or missing")


def _nullable_reader(reader: Reader) -> Reader:
    return lambda place, value: None if value is None else reader(place, value)


def _mapping_reader(reader: Reader, *, least: int = 0) -> Reader:
    """Return a reader of objects with at least `least` values, each of which `reader` accepts."""

    def read(place: str, value: object) -> None:
        row = parse_object(place, value)
        if len(row) < least:
            raise InvalidRecord(place, "must not be empty")
        for key, each in row.items():
            reader(f"{place}.{key}", each)

    return read


def _list_reader(schema: Schema, optional: Sequence[str] = (), *, least: int = 0) -> Reader:
    """Return a reader of lists of at least `least` objects with this schema."""

    def read(place: str, value: object) -> None:
        rows = parse_objects(place, value)
        if len(rows) < least:
            raise InvalidRecord(place, "must not be empty")
        for number, row in enumerate(rows):
            _check_object(f"{place}[{number}]", row, schema, optional)

    return read


def _check_hashes(place: str, value: object) -> None:
    for number, each in enumerate(parse_strings(place, value)):
        _check_hash(f"{place}[{number}]", each)


def _choice_reader(*options: str) -> Reader:
    return lambda place, value: parse_choice(place, value, options)


def _dice_reader(more: Schema) -> Reader:
    """Return a reader of dice, whose draws come from a seed or are fixed in advance."""

    def read(place: str, value: object) -> None:
        row = parse_object(place, value)
        is_thrown = (
            parse_choice(f"{place}.kind", row.get("kind"), (DICE_BY_SEED, DICE_RECORDED))
            == DICE_BY_SEED
        )
        draws: Schema = {} if is_thrown else {"draws": _mapping_reader(parse_int)}
        _check_object(place, row, {"kind": parse_string, **draws, **more})

    return read


def _object_reader(schema: Schema, optional: Sequence[str] = ()) -> Reader:
    return lambda place, value: _check_object(place, parse_object(place, value), schema, optional)


_SEAL_CONTENTS: Final[Schema] = {
    "wizard": parse_string,
    "stage": _choice_reader(*SEAL_STAGES),
    "batch": parse_int,
    "commitment": _check_hash,
    "hashes": _nullable_reader(_mapping_reader(_check_hash)),
    "fields": _nullable_reader(_mapping_reader(parse_string)),
    "salts": _nullable_reader(_mapping_reader(_check_hash)),
}
SEAL_SCHEMA: Final[Schema] = {
    **_SEAL_CONTENTS,
    "source": _choice_reader(*SEAL_SOURCES),
    "sealed_at": _check_time,
    "taken_back_at": _nullable_reader(_check_time),
    "superseded": parse_bool,
    "removed": _mapping_reader(parse_int, least=1),
}
REJECTED_SEAL_SCHEMA: Final[Schema] = {
    **_SEAL_CONTENTS,
    "before": parse_int,
    "rejected_at": _check_time,
    "code": parse_string,
}
TURN_SCHEMA: Final[Schema] = {
    "ordinal": parse_int,
    "number": parse_int,
    "kind": parse_string,
    "roll_backs": parse_int,
    "opened_at": _check_time,
    "closed_at": _check_time,
    "release": parse_string,
    "played": parse_bool,
    "position": _check_hash,
    "resigned": parse_strings,
    "forfeited": parse_strings,
    "removed": parse_strings,
    "commitments": _check_hashes,
    "seals": _list_reader(SEAL_SCHEMA, optional=("removed",)),
    "orders": _mapping_reader(_mapping_reader(parse_string)),
    "answers": _mapping_reader(parse_string),
    "draws": _list_reader({"label": parse_string, "sides": parse_int, "value": parse_int}),
    # W4 can make it negative.
    "damage": _mapping_reader(partial(parse_int, least=-MAX_SURPLUS_HIT_POINTS)),
    "after": _check_hash,
    "acts": parse_int,
    "chain": _check_hash,
    "rejected": _list_reader(REJECTED_SEAL_SCHEMA, least=1),
}
# The kind of an act is required. Its link covers all other keys that it has.
ACT_SCHEMA: Final[Schema] = {
    "ordinal": parse_int,
    "chain": _check_hash,
    "act": _choice_reader(*ACT_KINDS),
    "at": _check_time,
    "referee": parse_string,
    "case": _nullable_reader(parse_int),
    "turn": _nullable_reader(parse_int),
    "seat": parse_string,
    "reason": parse_string,
    "facts": parse_object,
}
OPTIONAL_IN_ACTS: Final = ("at", "referee", "case", "turn", "seat", "reason", "facts")
END_SCHEMA: Final[Schema] = {
    "how": _choice_reader(*END_KINDS),
    "result": _nullable_reader(parse_string),
    "at": _check_time,
    "markers": _object_reader({"taken": parse_strings, "returned": parse_strings}),
    "seed_lost": _check_true,
    "chain": _check_hash,
}
SEED_SCHEMA: Final[Schema] = {
    "roll_backs": parse_int,
    "seed_commitment": _check_hash,
    "seed": _nullable_reader(_check_hash),
}
SPEECH_SCHEMA: Final[Schema] = {
    "wizard": parse_string,
    "ordinal": parse_int,
    "after_end": parse_bool,
    "words": parse_string,
    "said_at": _check_time,
    "removed": _check_true,
}
RECORD_SCHEMA: Final[Schema] = {
    "format": parse_string,
    "version": parse_int,
    "duel": parse_int,
    "ruleset": parse_string,
    "options": parse_strings,
    "wizards": _list_reader({"name": parse_string, "pronouns": parse_string}),
    "setup": _nullable_reader(parse_object),
    "dice": _dice_reader({"seeds": _list_reader(SEED_SCHEMA)}),
    "salts": _choice_reader(SALTS_BY_SEED, SALTS_BY_SITE),
    "chain": _check_hash,
    "turns": _list_reader(TURN_SCHEMA, optional=("rejected",)),
    "void_turns": _list_reader({**TURN_SCHEMA, "voided_in": parse_int}, optional=("rejected",)),
    "acts": _list_reader(ACT_SCHEMA, optional=OPTIONAL_IN_ACTS),
    "speeches": _list_reader(SPEECH_SCHEMA, optional=("removed",)),
    # The end is required, because without it later turns could have been cut off.
    "ended": _object_reader(END_SCHEMA, optional=("markers", "seed_lost")),
}


def _without_key(schema: Schema, key_added: str) -> dict[str, Reader]:
    """Return the schema for older records, without a key that was added later."""
    return {key: reader for key, reader in schema.items() if key != key_added}


TURN_WITHOUT_REJECTED_SCHEMA: Final[Schema] = _without_key(TURN_SCHEMA, "rejected")
UNCOVERED_DICE_RECORD_SCHEMA: Final[Schema] = {
    **RECORD_SCHEMA,
    "turns": _list_reader(TURN_WITHOUT_REJECTED_SCHEMA),
    "void_turns": _list_reader({**TURN_WITHOUT_REJECTED_SCHEMA, "voided_in": parse_int}),
}
OLDER_TURN_SCHEMA: Final[Schema] = _without_key(TURN_WITHOUT_REJECTED_SCHEMA, "roll_backs")
OLDER_RECORD_SCHEMA: Final[Schema] = {
    **_without_key(RECORD_SCHEMA, "salts"),
    "dice": _dice_reader({"seed": _nullable_reader(_check_hash)}),
    "seed_commitment": _check_hash,
    "turns": _list_reader(OLDER_TURN_SCHEMA),
    "void_turns": _list_reader({**OLDER_TURN_SCHEMA, "voided_in": parse_int}),
}
