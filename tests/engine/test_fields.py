"""A field of a position is declared in one line: its default, its copy, whether it tells two values
apart and its stored form follow from that line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import pytest

import engine
from engine.codec import values, written
from engine.fields import COPIES, fields_of, rare, slotted, stored
from engine.position import NO_EFFECTS, Effect, Monster, Position, Wizard

HASTE = {"haste": Effect(1, 3)}


@slotted
@dataclass(repr=False)
class Pupil(Wizard):
    """A wizard with fields of every sort more, and nothing else."""

    courage: int = 7
    teachers: tuple[str, ...] = ()
    house: str = field(default="", metadata=stored("sorted_into", options=("", "north", "south")))
    hopes: dict[str, Effect] = field(default_factory=dict[str, Effect])
    mood: int = field(default=0, compare=False, metadata=stored(derived=True))
    tower: str = rare("", options=("", "east", "west"))
    debts: Mapping[str, Effect] = rare(NO_EFFECTS)

    def copy(self) -> "Pupil":
        raise NotImplementedError  # `slotted` writes it


RECORD = attrgetter("rare")
FRESH = {"name": "Ada", "pronouns": "they", "damage": 0}


def test_new_fields_have_their_defaults() -> None:
    ada = Pupil(0, "Ada")
    assert (ada.courage, ada.teachers, ada.house, ada.hopes) == (7, (), "", {})
    assert (ada.tower, ada.debts) == ("", {})
    assert written(ada) == FRESH


def test_new_fields_tell_two_values_apart_unless_they_are_derived() -> None:
    ada = Pupil(0, "Ada")
    assert ada == Pupil(0, "Ada", mood=3)
    for changed in (
        Pupil(0, "Ada", courage=6),
        Pupil(0, "Ada", hopes=HASTE),
        Pupil(0, "Ada", tower="east"),
    ):
        assert ada != changed


def test_new_fields_are_copied_and_what_changes_in_place_is_not_shared() -> None:
    ada = Pupil(0, "Ada", courage=6, teachers=("Cleo",), hopes=dict(HASTE), mood=2)
    other = ada.copy()
    assert (other, other.mood) == (ada, 2)
    other.hopes.clear()
    assert ada.hopes == HASTE


def test_a_rare_field_is_set_on_one_copy_alone() -> None:
    ada = Pupil(0, "Ada", tower="east")
    other = ada.copy()
    assert RECORD(other) is RECORD(ada), "copies share what few turns change"
    other.tower, other.name = "west", "Bram"
    assert (ada.tower, ada.name, other.tower, other.name) == ("east", "Ada", "west", "Bram")


def test_new_fields_are_stored_under_the_declared_name_and_read_again() -> None:
    ada = Pupil(0, "Ada", courage=6, teachers=("Cleo",), house="north", hopes=HASTE, mood=2)
    row = written(ada)
    assert row == {
        **FRESH, "courage": 6, "teachers": ["Cleo"], "sorted_into": "north",
        "hopes": {"haste": {"first": 1, "last": 3}},
    }  # fmt: skip
    assert Pupil(seat=0, **values(Pupil, "pupils", row)) == ada


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("courage", -1), ("courage", True), ("teachers", 7), ("sorted_into", "west"), ("hopes", [])],
)
def test_new_fields_refuse_what_they_are_not_declared_to_hold(key: str, wrong: object) -> None:
    with pytest.raises(engine.InvalidData) as refused:
        values(Pupil, "pupils", {**FRESH, key: wrong})
    assert refused.value.field == key


@pytest.mark.parametrize("kind", [Position, Wizard, Monster])
def test_copies_share_nothing_that_later_turns_change_in_place(kind: type[Any]) -> None:
    """A list or a dictionary is copied; what is shared cannot be changed."""
    for each in fields_of(kind):
        origin = getattr(each.type, "__origin__", each.type)
        if each.stored.is_rare:
            assert origin not in (list, dict, set), each.name
        elif origin in (list, dict, set):
            assert origin in COPIES, each.name
