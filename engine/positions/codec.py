"""Conversion of positions, orders, events and histories to versioned plain JSON and back.

`load(dump(x)) == x`. Values equal to their defaults are left out, so that positions stay small.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import partial
from typing import Any, Final, NamedTuple

from engine.events import EVENT_CLASS_BY_CODE, EVENT_CLASSES, Event
from engine.fields import Field, fields_of
from engine.ids import WIZARD_HANDS, WizardHand
from engine.json_values import (
    InvalidData,
    parse_bool,
    parse_choice,
    parse_int,
    parse_list,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.orders import Orders, from_fields
from engine.orders import fields as flat_fields
from engine.positions import event_check
from engine.positions.history import History, Turn
from engine.positions.position import (
    Effect,
    Monster,
    PendingCast,
    Position,
    Wizard,
    hand_states,
    interleaved_letters,
)
from engine.positions.position_check import check_position
from engine.rulesets import RULESETS
from engine.spellbook import MAX_SURPLUS_HIT_POINTS

FORMAT: Final = 1
Json = dict[str, Any]


def dump(value: Position | Orders | History | tuple[Event, ...]) -> Json:
    """Return the value as a JSON object: {"format": 1, "type": …, …}."""
    match value:
        case Position():
            return {"format": FORMAT, "type": "position", **to_row(value)}
        case Orders():
            return {"format": FORMAT, "type": "orders", "fields": flat_fields(value)}
        case History():
            turns = [
                {
                    "ordinal": turn.ordinal,
                    "position": to_row(turn.position),
                    "events": [_dump_event(event) for event in turn.events],
                }
                for turn in value.turns
            ]
            row = {"turns": turns, "position": to_row(value.position)}
            return {"format": FORMAT, "type": "history", **row} | (
                {"is_open": True} if value.is_open else {}
            )
        case tuple():
            events = [_dump_event(event) for event in value]
            return {"format": FORMAT, "type": "events", "events": events}


def load(data: object) -> Position | Orders | History | tuple[Event, ...]:
    """Return the value that `dump` converted to this. Raises InvalidData, which names the place."""
    row: Json = dict(parse_object("data", data))
    if parse_int("format", row.get("format")) != FORMAT:
        raise InvalidData("format", f"must be {FORMAT}")
    loaders: dict[str, Callable[[Json], Position | Orders | History | tuple[Event, ...]]] = {
        "position": _load_position,
        "orders": lambda row: from_fields(row["fields"]),
        "history": _load_history,
        "events": _load_events,
    }
    loader = loaders.get(str(row.get("type")))
    if loader is None:
        raise InvalidData("type", f"must be one of {', '.join(loaders)}")
    try:
        return loader(row)
    except InvalidData:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InvalidData(str(row["type"]), f"is malformed ({error})") from error


def load_position(data: object) -> Position:
    """Return the position that this data describes. Raises InvalidData."""
    value = load(data)
    if not isinstance(value, Position):
        raise InvalidData("type", "must be position")
    return value


def load_events(data: object) -> tuple[Event, ...]:
    """Return the events that this data describes. Raises InvalidData."""
    value = load(data)
    if not isinstance(value, tuple):
        raise InvalidData("type", "must be events")
    return value


Reader = Callable[[str, Any], object]
"""Function that reads the value of a key, given the key's name for errors."""


class _ValueFormat(NamedTuple):
    """JSON form of the values of one type."""

    write: Callable[[Any], object] | None  # None if values are written unchanged
    read: Reader


class _FieldFormat(NamedTuple):
    """Stored form of one field of a class."""

    name: str
    write: Callable[[Any], object] | None
    read: Reader
    default: object  # MISSING if every row must contain it


class _RowFormat(NamedTuple):
    """The fields of a class by the keys of its rows, and the keys that every row must have."""

    fields: dict[str, _FieldFormat]
    needed: tuple[str, ...]


def to_row(value: object) -> Json:
    """Return the value as a row, according to its field declarations, without default values."""
    row: Json = {}
    for key, (name, write, _, default) in ROW_FORMATS[type(value)].fields.items():
        found = getattr(value, name)
        if found != default:
            row[key] = write(found) if write else found
    return row


def field_values(kind: type[Any], place: str, row: object) -> Json:
    """Return the fields that a row of this class contains, by name. Raises InvalidData."""
    row_format, stated = ROW_FORMATS[kind], parse_object(place, row)
    for key in row_format.needed:
        if key not in stated:
            raise InvalidData(place, f"{key} is missing")
    by_key, found = row_format.fields, dict[str, Any]()
    for key, value in stated.items():
        if line := by_key.get(key):
            found[line.name] = line.read(key, value)
    return found


def _to_rows(several: Iterable[object]) -> list[Json]:
    return [to_row(each) for each in several]


def _effects_to_rows(effects: Mapping[str, Effect]) -> Json:
    return {kind: to_row(effect) for kind, effect in effects.items()}


def _read_effects(place: str, rows: object) -> dict[str, Effect]:
    return {
        kind: Effect(**field_values(Effect, place, row))
        for kind, row in parse_object(place, rows).items()
    }


def _read_wizards(place: str, rows: object) -> list[Wizard]:
    wizards: list[Wizard] = []
    for seat, row in enumerate(parse_list(place, rows)):
        found = field_values(Wizard, place, row)
        letters = interleaved_letters(found.pop("left", ""), found.pop("right", ""))
        wizards.append(Wizard(seat=seat, letters=letters, **found))
    return wizards


def _read_monsters(place: str, rows: object) -> list[Monster]:
    return [Monster(**field_values(Monster, place, row)) for row in parse_list(place, rows)]


def _read_pending(place: str, rows: object) -> tuple[PendingCast, ...]:
    return tuple(
        PendingCast(**field_values(PendingCast, place, row)) for row in parse_list(place, rows)
    )


def _read_names(place: str, row: object) -> dict[str, str]:
    return {id: parse_string(place, name) for id, name in parse_object(place, row).items()}


def _hands_to_texts(hands: Iterable[WizardHand]) -> list[str]:
    return [hand.text for hand in hands]


def _read_hands(place: str, rows: object) -> tuple[WizardHand, ...]:
    return tuple(
        WIZARD_HANDS[parse_choice(place, text, [*WIZARD_HANDS])]
        for text in parse_strings(place, rows)
    )


VALUE_FORMATS: Final[Mapping[object, _ValueFormat]] = {
    str: _ValueFormat(None, parse_string),
    int: _ValueFormat(None, parse_int),
    bool: _ValueFormat(None, parse_bool),
}
"""JSON forms of fields that contain one value, by type."""

_STRINGS_FORMAT: Final = _ValueFormat(list, parse_strings)
_EFFECTS_FORMAT: Final = _ValueFormat(_effects_to_rows, _read_effects)
COLLECTION_FORMATS: Final[Mapping[str, _ValueFormat]] = {
    "wizards": _ValueFormat(_to_rows, _read_wizards),
    "monsters": _ValueFormat(_to_rows, _read_monsters),
    "pending": _ValueFormat(_to_rows, _read_pending),
    "effects": _EFFECTS_FORMAT,
    "waiting": _EFFECTS_FORMAT,
    "lasting": _EFFECTS_FORMAT,
    "knows": _ValueFormat(dict, _read_names),
    "blind_charms": _ValueFormat(_hands_to_texts, _read_hands),
    "options": _STRINGS_FORMAT,
    "stopped": _STRINGS_FORMAT,
    "left_now": _STRINGS_FORMAT,
    "made": _STRINGS_FORMAT,
    "guards": _STRINGS_FORMAT,
    "sets": _STRINGS_FORMAT,
    "unseen_by": _STRINGS_FORMAT,
}
"""JSON forms of fields that contain several values, by name.

A compiled class does not know at run time what its collections contain.
"""


def _choice_reader(read: Reader, options: tuple[str, ...]) -> Reader:
    """Return a reader that accepts one of these texts, or a list of them."""

    def read_options(place: str, value: object) -> object:
        found = read(place, value)
        for text in (found,) if isinstance(found, str) else parse_list(place, found):
            parse_choice(place, text, options)
        return found

    return read_options


def _field_format(field: Field) -> _FieldFormat:
    form, stored = COLLECTION_FORMATS.get(field.name) or VALUE_FORMATS[field.type], field.stored
    read = form.read
    if stored.options:
        read = _choice_reader(read, stored.options)
    elif field.type is int:
        read = partial(parse_int, least=stored.least)
    default = MISSING if stored.is_needed else field.default()
    return _FieldFormat(field.name, form.write, read, default)


class _RowFormats(dict[type[Any], _RowFormat]):
    """Cache of the lines of each class."""

    def __missing__(self, kind: type[Any]) -> _RowFormat:
        of = dict[str, _FieldFormat]()
        for field in fields_of(kind):
            if not field.stored.is_derived:
                for key in field.stored.interleaved_keys or [field.stored.name or field.name]:
                    name = key if field.stored.interleaved_keys else field.name
                    of[key] = _field_format(field._replace(name=name))
        needed = tuple(key for key, line in of.items() if line.default is MISSING)
        self[kind] = row_format = _RowFormat(of, needed)
        return row_format


ROW_FORMATS: Final = _RowFormats()


def _load_position(row: object) -> Position:
    stated = field_values(Position, "position", row)
    if stated["ruleset"] not in RULESETS:
        raise InvalidData("ruleset", f"unknown ruleset {stated['ruleset']!r}")
    position = Position(**stated)
    rules = position.rules
    for wizard in position.wizards:
        wizard.left_state, wizard.right_state = hand_states(rules, wizard.left, wizard.right)
    beings: list[Wizard | Monster] = [*position.wizards, *position.monsters]
    for being in beings:
        parse_int("damage", being.damage, -rules.surplus)
    check_position(position)
    return position


EventSchema = Mapping[str, type]
SIGNED_FIELDS: Final = ("before", "after")
"""Fields that may be negative, because cures can exceed the starting hit points. rules: W4"""


def _check_value_types(event: Mapping[str, object], shape: EventSchema) -> None:
    """Check the types of an event's known keys; tuples are strings."""
    for key, found in event.items():
        kind = shape.get(key)
        if kind is int:
            parse_int(key, found, -MAX_SURPLUS_HIT_POINTS if key in SIGNED_FIELDS else 0)
        elif kind is tuple:
            parse_strings(key, found)
        elif type(found) is not kind and kind is not None:
            raise InvalidData(key, f"must be of type {kind.__name__}")


_EVENT_FIELDS: Final = {
    event.code: tuple(
        (field.name, () if field.default == () else field.default) for field in fields(event)
    )
    for event in EVENT_CLASSES
}

_LOADED_EVENT_FIELDS: Final = {
    code: tuple((name, default, event_check.known_texts(code, name)) for name, default in row)
    for code, row in _EVENT_FIELDS.items()
}

_TUPLE_EVENT_FIELDS: Final = frozenset({"spells", "instead_of", "wizards"})
"""The fields of events that contain several values."""

_EVENT_SCHEMAS: Final[Mapping[str, EventSchema]] = {
    event.code: {
        field.name: field.type if isinstance(field.type, type) else tuple for field in fields(event)
    }
    for event in EVENT_CLASSES
}


def _dump_event(event: Event) -> Json:
    row: Json = {"code": event.code}
    for name, default in _EVENT_FIELDS[event.code]:
        value = getattr(event, name)
        if value != default:
            row[name] = [*value] if name in _TUPLE_EVENT_FIELDS else value
    return row


def _load_events(row: Json) -> tuple[Event, ...]:
    return tuple(_load_event(event) for event in parse_objects("events", row["events"]))


def _load_event(row: Mapping[str, Any]) -> Event:
    code = row["code"]
    if not isinstance(code, str) or code not in EVENT_CLASS_BY_CODE:
        raise InvalidData("events", f"unknown event {code!r}")
    _check_value_types(row, _EVENT_SCHEMAS[code])
    values: dict[str, Any] = {}
    for name, default, known in _LOADED_EVENT_FIELDS[code]:
        if name in row:
            found = row[name]
            if known is not None and (type(found) is not str or found not in known):
                event_check.check_texts(code, name, found)
            values[name] = (*found,) if name in _TUPLE_EVENT_FIELDS else found
        elif default is MISSING:
            raise InvalidData(f"events.{code}", f"{name} is missing")
    event = EVENT_CLASS_BY_CODE[code](**values)
    if code in event_check.CODES_WITH_COMBINATIONS:
        event_check.check_combination(f"events.{code}", event)
    return event


def _load_history(row: Json) -> History:
    turns = tuple(
        Turn(
            parse_int("ordinal", turn["ordinal"], 1),
            _load_position(turn["position"]),
            _load_events(dict(turn)),
        )
        for turn in parse_objects("turns", row["turns"])
    )
    is_open = parse_bool("is_open", row.get("is_open", False))
    history = History(turns, _load_position(row["position"]), is_open)
    event_check.check_history(history)
    return history
