"""Parsers of plain JSON data, which return typed values or raise errors with the faulty key."""

from collections.abc import Mapping, Sequence
from typing import Final, cast


class _Missing:
    """Placeholder for a missing value."""

    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = _Missing()


class InvalidData(ValueError):
    """Error for data of the wrong shape; `field` is the place, `text` what was expected."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field = field
        self.text = text


def parse_object(place: str, value: object) -> Mapping[str, object]:
    """Return the value as an object with string keys."""
    if not isinstance(value, Mapping):
        raise InvalidData(place, "must be an object")
    found = cast("Mapping[object, object]", value)
    for key in found:
        if not isinstance(key, str):
            raise InvalidData(place, "must have strings as keys")
        if not key.isascii():
            parse_string(place, key)
    return cast("Mapping[str, object]", value)


def parse_list(place: str, value: object) -> Sequence[object]:
    if not isinstance(value, (list, tuple)):
        raise InvalidData(place, "must be a list")
    return cast("Sequence[object]", value)


def parse_objects(place: str, value: object) -> list[Mapping[str, object]]:
    return [parse_object(f"{place}[{n}]", row) for n, row in enumerate(parse_list(place, value))]


def parse_strings(place: str, value: object) -> tuple[str, ...]:
    return tuple(
        parse_string(f"{place}[{n}]", one) for n, one in enumerate(parse_list(place, value))
    )


def parse_string(place: str, value: object) -> str:
    """Return the value as a string, which must be encodable in UTF-8."""
    if not isinstance(value, str):
        raise InvalidData(place, "must be a string")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidData(place, "has half a character, which cannot be encoded in UTF-8")
    return value


def parse_bool(place: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidData(place, "must be true or false")
    return value


def parse_int(place: str, value: object, least: int = 0) -> int:
    """Return the value as a whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidData(place, f"must be a whole number from {least}")
    return value


def parse_choice(place: str, value: object, options: Sequence[str]) -> str:
    """Return the value if it is one of these strings."""
    if not isinstance(value, str) or value not in options:
        raise InvalidData(place, f"must be one of {', '.join(options)}")
    return value


MAX_NESTING_DEPTH: Final = 100
"""Maximum depth of nested JSON data."""
MAX_NUMBER: Final = 2**53
"""The largest whole number that every reader of JSON reads exactly."""


def check_json_record(record: object) -> None:
    """Reject a record that JSON cannot represent, or that readers may not all read alike."""
    still: list[tuple[str, object, int]] = [("record", record, 0)]
    while still:
        here, each, level = still.pop()
        if level > MAX_NESTING_DEPTH:
            raise InvalidData(here, "is nested too deeply")
        if isinstance(each, str):
            parse_string(here, each)
        elif isinstance(each, Mapping):
            row = parse_object(here, cast("object", each))
            still += [(f"{here}.{key}", member, level + 1) for key, member in row.items()]
        elif isinstance(each, (list, tuple)):
            items = parse_list(here, cast("object", each))
            still += [(f"{here}[{n}]", item, level + 1) for n, item in enumerate(items)]
        elif isinstance(each, float):
            if each - each != 0:  # infinite, or not a number
                raise InvalidData(here, "must be a finite number")
        elif isinstance(each, int):
            if abs(each) > MAX_NUMBER:
                raise InvalidData(here, "is too large a number")
        elif each is not None:
            raise InvalidData(here, "is not a value of JSON")


def check_keys(place: str, row: Mapping[str, object], allowed: Sequence[str]) -> None:
    """Reject an object with keys that are not allowed."""
    for key in row:
        if key not in allowed:
            raise InvalidData(place, f"unknown key {key!r}")
