"""Tests of the declared fields of positions: defaults, equality, copies and storage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

import engine.play
from engine.fields import fields_of, stored
from engine.positions.codec import field_values, to_row
from engine.positions.position import Effect, Monster, Position, Wizard

HASTE_EFFECT: Final = {"haste": Effect(1, 3)}


@dataclass
class ExampleRecord:
    """A class with fields of every kind."""

    name: str
    courage: int = 7
    made: tuple[str, ...] = ()
    house: str = field(default="", metadata=stored("sorted_into", options=("", "north", "south")))
    effects: dict[str, Effect] = field(default_factory=dict[str, Effect])
    mood: int = field(default=0, compare=False, metadata=stored(derived=True))


def test_stored_form_omits_fields_with_default_values() -> None:
    ada = ExampleRecord("Ada")
    assert (ada.courage, ada.made, ada.house, ada.effects) == (7, (), "", {})
    assert to_row(ada) == {"name": "Ada"}


def test_fields_are_stored_and_loaded_under_their_declared_names() -> None:
    ada = ExampleRecord(
        "Ada", courage=6, made=("Cleo",), house="north", effects=HASTE_EFFECT, mood=2
    )
    row = to_row(ada)
    assert row == {
        "name": "Ada", "courage": 6, "made": ["Cleo"], "sorted_into": "north",
        "effects": {"haste": {"first": 1, "last": 3}},
    }  # fmt: skip
    assert ExampleRecord(**field_values(ExampleRecord, "pupils", row)) == ada


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("courage", -1), ("courage", True), ("made", 7), ("sorted_into", "west"), ("effects", [])],
)
def test_values_of_other_types_are_rejected(key: str, wrong: object) -> None:
    with pytest.raises(engine.play.InvalidData) as refused:
        field_values(ExampleRecord, "pupils", {"name": "Ada", key: wrong})
    assert refused.value.field == key


def instance_of(kind: type[Any]) -> Any:
    """Return an instance of this class with default values."""
    made: Mapping[type[Any], Any] = {
        Position: Position("bartle-1"),
        Wizard: Wizard(0, "Ada"),
        Monster: Monster("m0", "ogre", "Oscar"),
    }
    return made[kind]


EVERY_FIELD: Final = [
    (kind, each.name) for kind in (Position, Wizard, Monster) for each in fields_of(kind)
]


OTHER_VALUES: Final[Mapping[str, object]] = {
    "knows": {"m0": "Oscar"},
    "lasting": HASTE_EFFECT,
    "rules": engine.play.RULESETS["warlocks-1"],
}


@pytest.mark.parametrize(("kind", "name"), EVERY_FIELD)
def test_copy_has_every_field(kind: type[Any], name: str) -> None:
    """`copy` must not omit a field or reset it to its default."""
    value = instance_of(kind)
    before = getattr(value, name)
    if isinstance(before, list | dict):
        return  # the next test covers lists and dictionaries
    other = (
        OTHER_VALUES.get(name)
        or {str: "other", int: 7, bool: True, tuple: ("other",)}[type(before)]
    )
    setattr(value, name, other)
    assert getattr(value.copy(), name) == other != before


@pytest.mark.parametrize(
    ("kind", "name", "held"),
    [
        (Position, "wizards", [Wizard(0, "Ada")]),
        (Position, "monsters", [Monster("m0", "ogre", "Oscar")]),
        (Wizard, "effects", HASTE_EFFECT),
        (Monster, "effects", HASTE_EFFECT),
        (Monster, "waiting", HASTE_EFFECT),
    ],
)
def test_copy_does_not_share_lists_or_dictionaries(kind: type[Any], name: str, held: Any) -> None:
    value = instance_of(kind)
    setattr(value, name, held)
    copied = getattr(value.copy(), name)
    assert copied == held
    assert copied is not held
    if isinstance(held, list):
        assert copied[0] is not held[0]


def test_every_list_and_dictionary_is_tested_above() -> None:
    changeable = {
        (kind, name)
        for kind, name in EVERY_FIELD
        if isinstance(getattr(instance_of(kind), name), list | dict)
    }
    assert changeable == {
        (Position, "wizards"), (Position, "monsters"), (Wizard, "effects"), (Monster, "effects"),
        (Monster, "waiting"),
    }  # fmt: skip
