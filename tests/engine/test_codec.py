"""Tests of JSON for positions, orders, events and histories, and of rejected data."""

import copy
import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

import engine.orders
import engine.play
from engine.events import EVENT_CLASSES
from engine.positions.codec import FORMAT, Json, dump, load, load_events, load_position
from engine.positions.position import Position
from tests.engine.board import begun, duel, made, play_turn

FULL_POSITION = duel(
    begun("PWPFSSS", "DWSSSWP", damage=14, bank="fireball", used_bolt=True),
    {"damage": 3, "effects": {
        "paralysis": {"turns": 1, "hand": "L", "letter": "F", "caster": "w0"},
        "haste": {"permanent": True},
        "amnesia": {"turns": 1, "sets": ["WP", "SD"]},
        "blindness": {"turns": 2},
    }},
    {"state": "surrendered"},
    monsters=[
        {"kind": "goblin", "controller": "w0", "victim": "w1", "effects": {"poison": {"turns": 2}}},
        {"kind": "giant", "controller": "w1", "damage": 3},
        {"kind": "ogre", "state": "corpse"},
        {"kind": "ice"},
    ],
    options=["strict"],
    turn=12,
)  # fmt: skip


def extra_turn_with_history() -> tuple[Position, engine.play.History]:
    """Return a position in an extra turn that rivals cannot see, and the history around it."""
    before = duel(
        begun("SPP", "DWFF"), {"damage": 2}, monsters=[{"kind": "troll", "controller": "w1"}]
    )
    stopped, first = play_turn(before, ada=made("C C"), bram=made("W S", say="Well met."))
    after, second = play_turn(stopped, ada=made("W W", **{"left_subject": ""}))
    turns = (engine.play.Turn(1, before, first), engine.play.Turn(2, stopped, second))
    return stopped, engine.play.History(turns, after)


EXTRA_TURN_POSITION, HISTORY = extra_turn_with_history()
RESIGNED, EVENTS_OF_LEAVING = engine.play.resign(duel(seats=3), "w1")


def through_json(value: Any) -> Any:
    """Return the value after a round trip through JSON with reordered keys."""
    return load(json.loads(json.dumps(dump(value), sort_keys=True)))


@pytest.mark.parametrize(
    "position",
    [duel(), FULL_POSITION, EXTRA_TURN_POSITION, RESIGNED],
    ids=["fresh", "rich", "extra", "resigned"],
)
def test_positions_round_trip(position: Position) -> None:
    assert through_json(position) == position
    assert load_position(dump(position)) == position
    assert dump(through_json(position)) == dump(position)


def test_extra_turn_round_trips_and_resolves_the_same() -> None:
    """A position stores the gestures of the turn before, because they count in the extra turn."""
    again = load_position(dump(EXTRA_TURN_POSITION))
    assert (again.kind, again.stopped) == ("extra", ("w0",))
    assert [wizard.made for wizard in again.wizards] == [("CC",), ("WS",)]
    assert again.monsters[0].made == ("w0",)
    assert play_turn(again, ada=made("F F")) == play_turn(EXTRA_TURN_POSITION, ada=made("F F"))


def test_hidden_effects_of_an_extra_turn_round_trip() -> None:
    """rules: R121"""
    stopped, _ = play_turn(duel(begun("SPP", "WWF")), ada=made("C C"))
    after, _ = play_turn(stopped, ada=made("- P"))
    position = load_position(dump(after))
    assert position == after


def test_histories_events_and_orders_round_trip() -> None:
    assert through_json(HISTORY) == HISTORY
    assert through_json(EVENTS_OF_LEAVING) == EVENTS_OF_LEAVING
    orders = engine.orders.from_fields(made("S D", left_subject="w1", **{"victim:m0": "w1"}))
    assert through_json(orders) == orders


EXAMPLE_BY_FIELD: dict[str, Any] = {
    **dict.fromkeys(("set", "sides", "value", "amount", "before", "after"), 3),
    **dict.fromkeys(("extra", "permanent"), True),
    **dict.fromkeys(("wizard", "controller"), "w1"),
    **dict.fromkeys(("being", "by"), "w0"),
    **dict.fromkeys(("subject", "monster", "kept", "gone"), "m3"),
    **dict.fromkeys(("left", "right", "letter"), "D"),
    **dict.fromkeys(("spell", "effect", "source"), "amnesia"),
    **dict.fromkeys(("spells", "instead_of"), ("fear", "shield")),
    "wizards": ("w0", "w1"), "hand": "L", "kind": "goblin", "name": "Grey Goblin", "pattern": "SWD",
    "words": "Well met.", "purpose": "gesture", "result": "F", "label": "die", "cause": "amnesia",
}  # fmt: skip
"""Possible value for each field of an event."""
CAUSE_BY_EVENT = {"failed": "countered", "stopped": "shield", "died": "wounds"}


@pytest.mark.parametrize("event", EVENT_CLASSES, ids=[event.code for event in EVENT_CLASSES])
def test_every_event_class_round_trips(event: type[engine.play.Event]) -> None:
    examples = {
        **EXAMPLE_BY_FIELD,
        "cause": CAUSE_BY_EVENT.get(event.code, EXAMPLE_BY_FIELD["cause"]),
    }
    values: dict[str, Any] = {field.name: examples[field.name] for field in fields(event)}
    assert through_json((event(**values),)) == (event(**values),)


def test_automaton_states_are_recomputed_on_load() -> None:
    """Positions store letters, because state numbers change with the spellbook."""
    text = json.dumps(dump(FULL_POSITION))
    assert "state" not in {key for row in dump(FULL_POSITION)["wizards"] for key in row}
    again = load_position(json.loads(text))
    assert again.wizards[0].left_state == FULL_POSITION.wizards[0].left_state > 0


def test_two_wizard_position_without_monsters_is_under_two_kilobytes() -> None:
    """A position with everything in force takes less than 2,000 bytes, a new one less than 200."""
    effects: dict[str, dict[str, object]] = {
        kind: {"turns": 3, "caster": "w1"}
        for kind in (
            "protection_from_evil", "resist_heat", "resist_cold", "disease", "poison",
            "blindness", "invisibility", "haste", "delayed_effect", "permanency",
        )
    }  # fmt: skip
    effects["paralysis"] = {"turns": 1, "caster": "w1", "hand": "L", "letter": "F"}
    crowded = begun("PWPFSSS", "DWSSSWP", damage=14, bank="finger_of_death", effects=effects)
    assert len(json.dumps(dump(duel(crowded, crowded, turn=500)))) < 2000
    assert len(json.dumps(dump(duel()))) < 200


# Wrong shapes


def paths_of_parts(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each part of the data."""
    yield here
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from paths_of_parts(value[key], (*here, key))


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def with_value_at(data: Json, path: tuple[Any, ...], new: object) -> Any:
    """Return the data with another value at this path."""
    if not path:
        return new
    data = copy.deepcopy(data)
    value_at(data, path[:-1])[path[-1]] = new
    return data


WRONG_VALUES = (None, True, 1.5, -1, 7, "nonsense", ["nonsense"], [7], {"nonsense": 7})
STORED_VALUES = {
    "position": dump(FULL_POSITION),
    "extra": dump(EXTRA_TURN_POSITION),
    "orders": dump(engine.orders.from_fields(made("S D", say="Ha."))),
    "events": dump(EVENTS_OF_LEAVING),
    "history": dump(HISTORY),
}


def is_rejected(data: object) -> bool:
    try:
        load(data)
    except engine.play.InvalidData:
        return True
    return False


def is_another_type(old: object, new: object) -> bool:
    return type(old) is not type(new)


@pytest.mark.parametrize("name", STORED_VALUES)
def test_load_rejects_a_wrong_type_in_any_field(name: str) -> None:
    data = STORED_VALUES[name]
    for path in paths_of_parts(data):
        for wrong in WRONG_VALUES:
            if is_another_type(value_at(data, path), wrong):
                assert is_rejected(with_value_at(data, path, wrong)), (path, wrong)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("format",), FORMAT + 1),
        (("type",), "spell"),
        (("ruleset",), "bartle-99"),
        (("kind",), "lazy"),
        (("wizards", 0, "left"), "PWPFSSX"),
        (("wizards", 0, "left"), "PWPF"),
        (("wizards", 0, "damage"), -1),
        (("wizards", 1, "standing"), "asleep"),
        (("monsters", 0, "kind"), "dragon"),
        (("monsters", 0, "state"), "asleep"),
        (("turn",), -1),
    ],
)
def test_load_rejects_impossible_values(path: tuple[Any, ...], wrong: object) -> None:
    with pytest.raises(engine.play.InvalidData):
        load(with_value_at(dump(FULL_POSITION), path, wrong))


@pytest.mark.parametrize(
    "path",
    [
        ("format",), ("type",), ("ruleset",), ("turn",), ("wizards",),
        ("wizards", 0, "name"), ("wizards", 0, "damage"), ("wizards", 0, "pronouns"),
        ("wizards", 1, "effects", "haste", "first"), ("monsters", 0, "id"),
        ("monsters", 0, "kind"), ("monsters", 0, "name"),
    ],
)  # fmt: skip
def test_load_rejects_missing_required_fields(path: tuple[Any, ...]) -> None:
    data = copy.deepcopy(dump(FULL_POSITION))
    del value_at(data, path[:-1])[path[-1]]
    with pytest.raises(engine.play.InvalidData):
        load(data)


def test_load_names_an_unknown_event() -> None:
    row = {"format": FORMAT, "type": "events"}
    with pytest.raises(engine.play.InvalidData, match="unknown event 'danced'"):
        load({**row, "events": [{"code": "danced"}]})
    with pytest.raises(engine.play.InvalidData, match=r"events\.died: subject is missing"):
        load({**row, "events": [{"code": "died"}]})


@pytest.mark.parametrize(
    "data", [None, 1, "position", [], [dump(FULL_POSITION)], {}, {1: 2}, b"{}"]
)
def test_load_rejects_values_that_are_not_dumps(data: object) -> None:
    with pytest.raises(engine.play.InvalidData):
        load(data)


def test_load_of_a_position_rejects_a_dump_of_another_type() -> None:
    with pytest.raises(engine.play.InvalidData, match="type: must be position"):
        load_position(dump(EVENTS_OF_LEAVING))
    with pytest.raises(engine.play.InvalidData, match="type: must be events"):
        load_events(dump(FULL_POSITION))
    assert load_events(dump(EVENTS_OF_LEAVING)) == EVENTS_OF_LEAVING


def test_load_errors_name_the_field() -> None:
    with pytest.raises(engine.play.InvalidData) as refused:
        load(with_value_at(dump(FULL_POSITION), ("turn",), "twelve"))
    assert refused.value.field == "turn"
    with pytest.raises(engine.play.InvalidData) as refused:
        load(with_value_at(STORED_VALUES["orders"], ("fields", "left"), "X"))
    assert refused.value.field == "left"


def test_position_with_an_unknown_banked_spell_is_rejected() -> None:
    data = copy.deepcopy(dump(FULL_POSITION))
    assert load_position(data) == FULL_POSITION
    text = json.dumps(data).replace('"bank": "fireball"', '"bank": "fire"')
    with pytest.raises(engine.play.InvalidData, match="bank: unknown spell 'fire'"):
        load_position(json.loads(text))
