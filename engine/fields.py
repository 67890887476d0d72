"""Stored forms of fields, declared with their names, types and defaults.

rules: none; `position` and `codec` use this.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final, NamedTuple


class Stored(NamedTuple):
    """How a field stands in stored positions, where that is not its value under its own name."""

    name: str = ""
    is_needed: bool = False  # written whatever it is, and missed where it is not
    is_derived: bool = False  # never written: it follows from the other fields
    options: tuple[str, ...] = ()  # which there are of such texts
    least: int = 0  # of such numbers
    woven: tuple[str, ...] = ()  # of a text of several rows of letters: the key of each row


class Field(NamedTuple):
    """One field of a class: of a dataclass or of a NamedTuple."""

    name: str
    type: object
    default: Callable[[], object]  # makes a new one; MISSING where there is none
    stored: Stored


_PLAIN: Final = Stored()


def stored(
    name: str = "",
    *,
    needed: bool = False,
    derived: bool = False,
    options: tuple[str, ...] = (),
    least: int = 0,
    woven: tuple[str, ...] = (),
) -> Mapping[str, Stored]:
    """The metadata of a field that stands so in stored positions."""
    return {"stored": Stored(name, needed, derived, options, least, woven)}


def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """The fields of the class in their order. What has no default is needed where it is stored."""
    if not is_dataclass(kind):  # but a NamedTuple
        defaults: Mapping[str, object] = vars(kind)["_field_defaults"]
        return tuple(
            _field(name, of, defaults.get(name, MISSING), _PLAIN)
            for name, of in kind.__annotations__.items()
        )
    return tuple(
        Field(field.name, field.type, field.default_factory, _stored(field.metadata))
        if field.default_factory is not MISSING
        else _field(field.name, field.type, field.default, _stored(field.metadata))
        for field in fields(kind)
    )


def _stored(metadata: Mapping[str, Stored]) -> Stored:
    return metadata.get("stored", _PLAIN)


def _field(name: str, kind: object, default: object, stored: Stored) -> Field:
    if default is MISSING:
        stored = stored._replace(is_needed=True)
    return Field(name, kind, lambda: default, stored)
