"""What the declaration of a field tells beside its name, type and default, and copies made of it.

Classes of positions declare a field in one line; constructors, equality, copies and stored forms
follow from that line. rules: none; `position` and `codec` use this.
"""

import dataclasses
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, field, fields, is_dataclass
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar, cast


class Stored(NamedTuple):
    """How a field stands in stored positions, where that is not its value under its own name."""

    name: str = ""
    is_needed: bool = False  # written whatever it is, and missed where it is not
    is_derived: bool = False  # never written: it follows from the other fields
    options: tuple[str, ...] = ()  # which there are of such texts
    least: int = 0  # of such numbers
    is_rare: bool = False  # it stands apart: few turns change it
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
    rare: bool = False,
    woven: tuple[str, ...] = (),
) -> Mapping[str, Stored]:
    """The metadata of a field that stands so in stored positions."""
    return {"stored": Stored(name, needed, derived, options, least, rare, woven)}


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


T = TypeVar("T")


def rare(default: T, name: str = "", *, options: tuple[str, ...] = ()) -> T:
    """The default of a field that few turns change: see `slotted`."""
    told = stored(name, options=options, rare=True)
    if type(default).__hash__ is None:  # which dataclasses take from a factory alone
        made: T = field(default_factory=lambda: default, metadata=told)
    else:
        made = field(default=default, metadata=told)
    return made


def slotted(kind: type[T]) -> type[T]:
    """The dataclass with slots, a method `copy`, and its rare fields apart in a record.

    Copies share the record, so that a copy costs what changes in most turns. To set a rare field
    exchanges the record; its value is never changed in place. Lists and dictionaries that are not
    rare are copied. Constructor and copy are written here as text, as dataclasses write theirs:
    turns are copied too often to go through a list of fields.
    """
    declared = fields(cast("Any", kind))
    apart = [each.name for each in declared if _stored(each.metadata).is_rare]
    record = namedtuple(f"{kind.__name__}Rare", apart)  # type: ignore[misc]
    own = [each.name for each in declared if each.name not in apart]
    names: dict[str, Any] = {"MISSING": MISSING, "Record": record}
    names |= {"new_record": vars(tuple)["__new__"], "create": object.__new__}
    lines = [*_init_lines(declared, apart, names)]
    if hasattr(kind, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec("\n".join([*lines, *_copy_lines(declared, apart)]), names)
    left_out = {*own, *apart, "__dict__", "__weakref__"}
    body = {key: value for key, value in vars(kind).items() if key not in left_out}
    inherited = {key for base in kind.__mro__[1:] for key in vars(base)}
    slots = [name for name in (*own, "rare") if name not in inherited]
    body |= {"__slots__": tuple(slots), "__init__": names["__init__"], "copy": names["copy"]}
    places = {name: place for place, name in enumerate(apart) if name not in inherited}
    body |= {name: _of_record(name, place) for name, place in places.items()}
    made: Any = type(kind.__name__, kind.__bases__, body)
    made.__qualname__ = kind.__qualname__
    names["kind"] = made
    return cast("type[T]", made)


def _of_record(name: str, place: int) -> property:
    def exchange(self: Any, value: object) -> None:
        kept = self.rare
        if kept[place] != value:
            self.rare = kept._make((*kept[:place], value, *kept[place + 1 :]))

    return property(attrgetter(f"rare.{name}"), exchange)


def _init_lines(
    declared: Sequence["dataclasses.Field[Any]"], apart: Sequence[str], names: dict[str, Any]
) -> Iterator[str]:
    """The constructor's source; defaults stand in `names`."""
    given, lines = ["self"], list[str]()
    for each in declared:
        name, value = each.name, each.name
        factory, default = each.default_factory, each.default
        if factory is not MISSING and name in apart:
            default = factory()
        elif factory is not MISSING:
            names[f"make_{name}"] = factory
            value = f"make_{name}() if {name} is MISSING else {name}"
        if each.init:
            names[f"default_{name}"] = default
            is_needed = default is MISSING and factory is MISSING
            given.append(name if is_needed else f"{name}=default_{name}")
        elif default is not MISSING:
            names[f"default_{name}"], value = default, f"default_{name}"
        else:
            continue  # set after the others
        if name not in apart:
            lines.append(f"    self.{name} = {value}")
    yield f"def __init__({', '.join(given)}):"
    yield from lines
    if apart:
        yield f"    self.rare = new_record(Record, ({', '.join(apart)},))"


COPIES: Final[Mapping[object, str]] = {
    dict: "{0}.copy() if {0} else {{}}",
    list: "copies = []\n    for each in {0}:\n        copies.append(each.copy())",
}
"""How a copy comes by what later turns change in place."""


def _copy_lines(
    declared: Sequence["dataclasses.Field[Any]"], apart: Sequence[str]
) -> Iterator[str]:
    yield "def copy(self):"
    yield "    new = create(kind)"
    for each in declared:
        if each.name not in apart:
            copied = COPIES.get(getattr(each.type, "__origin__", None), "{0}")
            yield f"    new.{each.name} = {copied.format(f'self.{each.name}', each.name)}"
    if apart:
        yield "    new.rare = self.rare"
    yield "    return new"
