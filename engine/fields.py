"""Stored forms of fields, which are declared together with the fields.

rules: none; `position` and `codec` use this.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final, NamedTuple


class StoredForm(NamedTuple):
    """Stored form of a field, if it is not just the value under the field's own name."""

    name: str = ""
    # Whether the field is always stored. Its absence is then an error.
    is_needed: bool = False
    # Whether the field is never stored, because it can be computed from other fields.
    is_derived: bool = False
    # The texts that the field can contain, if they are limited.
    options: tuple[str, ...] = ()
    # The smallest number that the field can contain.
    least: int = 0
    # The keys under which the letters interleaved in the text are stored.
    interleaved_keys: tuple[str, ...] = ()


class Field(NamedTuple):
    """A field of a dataclass or a NamedTuple."""

    name: str
    type: object
    # Function that returns a new default value, or MISSING.
    default: Callable[[], object]
    stored: StoredForm


_UNCHANGED_FORM: Final = StoredForm()


def stored(
    name: str = "",
    *,
    needed: bool = False,
    derived: bool = False,
    options: tuple[str, ...] = (),
    least: int = 0,
    interleaved_keys: tuple[str, ...] = (),
) -> Mapping[str, StoredForm]:
    """Return the metadata for a field with this stored form."""
    return {"stored": StoredForm(name, needed, derived, options, least, interleaved_keys)}


def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """Return the fields of the class in order. Those without a default are always stored."""
    if not is_dataclass(kind):  # a NamedTuple
        defaults: Mapping[str, object] = vars(kind)["_field_defaults"]
        return tuple(
            _make_field(name, of, defaults.get(name, MISSING), _UNCHANGED_FORM)
            for name, of in kind.__annotations__.items()
        )
    return tuple(
        Field(field.name, field.type, field.default_factory, _stored_form(field.metadata))
        if field.default_factory is not MISSING
        else _make_field(field.name, field.type, field.default, _stored_form(field.metadata))
        for field in fields(kind)
    )


def _stored_form(metadata: Mapping[str, StoredForm]) -> StoredForm:
    return metadata.get("stored", _UNCHANGED_FORM)


def _make_field(name: str, kind: object, default: object, stored: StoredForm) -> Field:
    if default is MISSING:
        stored = stored._replace(is_needed=True)
    return Field(name, kind, lambda: default, stored)
