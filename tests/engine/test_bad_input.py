"""Tests that public functions raise only their documented errors for invalid data.

Each test changes valid data in one random place. If the data is accepted, it must be usable.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from functools import cache
from typing import Any

import pytest

import engine.orders
import engine.play
import engine.proof
import engine.words
from engine.battles import parse_battle, replay_and_compare
from engine.proof.record import InvalidRecord
from engine.proof.verify import verify
from engine.rulesets import RULESETS
from tests.engine.board import ADA, BRAM, duel, made
from tests.engine.random_duels import random_duel
from tests.engine.test_battles import BATTLES
from tests.engine.test_codec import FULL_POSITION, HISTORY, paths_of_parts, value_at, with_value_at
from tests.engine.test_vectors import DUELS
from tests.engine.whole_records import whole_record
from tests.vectors import mismatches, parse_recording

Json = dict[str, Any]
TEXTS = ("", "x", "w1", "w7", "m0", "m99", "nowhere", "no_one", "L", "?", "-", "\ud800", "fire")
OTHER_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    7,
    10**30,
    1.5,
    float("nan"),
    [],
    {},
    ["w0"],
    {"x": 1},
)


def changed_copies(data: Any, count: int, seed: int = 1) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield a changed place and a copy of the data with that part removed, repeated or replaced."""
    chance = random.Random(seed)
    places = list(paths_of_parts(data))
    for _ in range(count):
        place = chance.choice(places[1:])
        old = value_at(data, place)
        sample = chance.sample(places, min(9, len(places)))
        alike = [each for each in (value_at(data, p) for p in sample)
                 if type(each) is type(old)]  # fmt: skip
        new = chance.choice((*alike, *(TEXTS if isinstance(old, str) else ()), *OTHER_VALUES))
        after = with_value_at(data, place, new)
        holder = value_at(after, place[:-1])
        if isinstance(holder, dict) and chance.random() < 0.15:
            del holder[place[-1]]
        elif isinstance(holder, list) and chance.random() < 0.15:
            holder.append(copy.deepcopy(old))
        yield place, after


@cache
def stored_values() -> list[Json]:
    """Return dumps of histories and positions of duels under every ruleset."""
    histories = [HISTORY]
    for number, ruleset in enumerate(RULESETS):
        steps = list(random_duel(random.Random(number), wizards=3, turns=16, ruleset=ruleset))[-3:]
        turns = tuple(
            engine.play.Turn(n, step.position, step.events) for n, step in enumerate(steps, 1)
        )
        histories.append(engine.play.History(turns, steps[-1].after))
    middles = [history.turns[0].position for history in histories]
    positions = [engine.play.dump(position) for position in (*middles, FULL_POSITION)]
    return [*map(engine.play.dump, histories), *positions]


def use_history(history: engine.play.History) -> None:
    for observer in ("all", "spectator", ADA, BRAM):
        seen = engine.play.view(history, observer)
        engine.words.narrate(seen)
        engine.words.opening_report(seen)
    engine.words.highlights(engine.play.view(history, "all"), engine.words.story_of(history))
    use_position(history.position)


def use_position(position: engine.play.Position) -> None:
    """View the position as several observers, and play a turn with default orders."""
    assert engine.play.load(engine.play.dump(position)) == position
    for observer in ("all", "spectator", ADA):
        engine.words.narrate(engine.play.view(engine.play.History((), position), observer))
    engine.play.deciding_wizards(position)
    engine.play.setup_of(position)
    engine.proof.position_hash(position)
    acting = engine.play.acting_wizards(position)
    orders = {
        wizard.id: engine.play.default_orders(position, wizard.id) for wizard in position.wizards
    }
    for id, own in orders.items():
        for call in (
            engine.play.sheet,
            engine.play.check,
            engine.play.hints,
            engine.play.cautions,
            engine.play.orders_text,
        ):
            call(position, id, own)
    if not position.outcome:
        legal = {id: orders[id] for id in acting if not engine.play.check(position, id, orders[id])}
        dice = engine.play.Dice(bytes(32), ())
        engine.play.questions(position, legal, {}, dice)
        engine.play.resolve(position, legal, {}, dice)


@pytest.mark.parametrize("number", range(len(stored_values())))
def test_every_loaded_value_can_be_viewed_and_played(number: int) -> None:
    """Unknown beings, spells, sets, hands and texts raise InvalidData."""
    for place, data in changed_copies(stored_values()[number], 90):
        try:
            value = engine.play.load(data)
        except engine.play.InvalidData:
            continue
        try:
            if isinstance(value, engine.play.History):
                use_history(value)
            elif isinstance(value, engine.play.Position):
                use_position(value)
        except Exception as error:
            raise AssertionError(
                f"{place} is accepted as {representation_at(data, place)}"
            ) from error


def representation_at(data: Any, place: tuple[Any, ...]) -> str:
    try:
        return ascii(value_at(data, place))[:200]
    except (KeyError, IndexError):
        return "missing"


@pytest.mark.parametrize(
    ("place", "wrong", "field"),
    [
        (("monsters", 0, "controller"), "w7", "monsters[0].controller"),
        (("monsters", 0, "victim"), "w3", "monsters[0].victim"),
        (("monsters", 1, "id"), "m0", "monsters[1].id"),
        (("monsters", 1, "id"), "w1", "monsters[1].id"),
        (("monsters", 1, "id"), "m7", "created"),
        (("monsters", 3, "kind"), "elemental", "monsters[3].kind"),
        (("monsters", 0, "effects", "poison", "caster"), "m0", "monsters[0].effects.poison.caster"),
        (("wizards", 0, "bank"), "fire", "wizards[0].bank"),
        (("wizards", 0, "pronouns"), "we", "pronouns"),
        (("wizards", 0, "name"), "\udfff", "name"),
        (("wizards", 1, "effects", "amnesia", "sets"), ["XX"], "wizards[1].effects.amnesia.sets"),
        (("wizards", 1, "effects", "haste", "hand"), "X", "wizards[1].effects.haste.hand"),
        (("wizards", 1, "effects"), {"sleep": {"first": 1}}, "wizards[1].effects"),
        (("wizards",), [], "wizards"),
        (("stopped",), ["w7"], "stopped"),
        (("outcome",), "w7", "outcome"),
    ],
)  # fmt: skip
def test_load_names_the_field_of_an_impossible_value(
    place: tuple[Any, ...], wrong: object, field: str
) -> None:
    with pytest.raises(engine.play.InvalidData) as found:
        engine.play.load(with_value_at(engine.play.dump(FULL_POSITION), place, wrong))
    assert found.value.field == field


@pytest.mark.parametrize("wrong", ["", "X", "SS"])
def test_gestures_that_nobody_can_make_are_rejected(wrong: str) -> None:
    """`load` rejects such gestures, and so does `view` in a history that was not loaded."""
    data = engine.play.dump(HISTORY)
    data["turns"][0]["events"][0]["left"] = wrong
    with pytest.raises(engine.play.InvalidData, match=r"events\.gestured\.left: "):
        engine.play.load(data)
    turn = engine.play.Turn(1, duel(), (engine.play.Gestured(ADA, 1, wrong, "S"),))
    with pytest.raises(engine.play.InvalidData, match="gestured: "):
        engine.play.view(engine.play.History((turn,), duel()), BRAM)


def test_history_mixing_duels_or_wizards_is_rejected() -> None:
    data = engine.play.dump(HISTORY)
    other = with_value_at(data, ("turns", 0, "position", "ruleset"), "wizards-1")
    with pytest.raises(
        engine.play.InvalidData, match=r"turns\[0\].position.ruleset: must be the same"
    ):
        engine.play.load(other)
    data["turns"][1]["events"][0]["wizard"] = "w5"
    with pytest.raises(engine.play.InvalidData, match="there is no wizard 'w5'"):
        engine.play.load(data)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_changed_setups_are_rejected_or_can_be_played(ruleset: str) -> None:
    monsters = [{"kind": "goblin", "controller": ADA, "victim": BRAM}, {"kind": "fire"}]
    wizards = [
        {"left": "SP", "right": "-D", "effects": {"fear": {"turns": 2}, "haste": {"turns": 2}}},
        {"damage": 3, "effects": {"blindness": {"turns": 2}, "amnesia": {"sets": ["WP"]}}},
    ]
    setup: Json = {"turn": 3, "wizards": wizards, "monsters": monsters}
    for _, data in changed_copies({"setup": setup}, 150):
        try:
            position = engine.play.begin(
                ruleset, [engine.play.Duellist()] * 2, setup=data.get("setup")
            )
        except engine.play.InvalidData:
            continue
        use_position(position)


def test_changed_orders_are_rejected_or_can_be_checked() -> None:
    flat = made(
        "S >", left_spell="shield", right_subject=BRAM, release="yes", release_subject=ADA,
        bank="L", heart="yes", sacrifice="m0", **{
            "victim:m0": BRAM, "charmed:w1.L": "P", "held:w1": "L", "answer:paralysis": "L",
        },
    )  # fmt: skip
    for _, data in changed_copies({"fields": flat}, 300):
        fields = data.get("fields")
        try:
            orders = engine.orders.from_fields(fields) if isinstance(fields, Mapping) else None
        except engine.play.InvalidData:
            continue
        for call in (
            engine.play.check,
            engine.play.sheet,
            engine.play.cautions,
            engine.play.orders_text,
        ):
            if orders is not None:
                call(FULL_POSITION, ADA, orders)


def orders_with_arbitrary_texts(chance: random.Random) -> engine.orders.Orders:
    """Return orders with arbitrary texts in every field, which no form would send."""

    def text() -> str:
        return chance.choice((*TEXTS, "S", "D", "BH", "L:w1", "w1.L", "missile", "elemental"))

    def texts() -> tuple[str, ...]:
        return tuple(text() for _ in range(chance.randrange(4)))

    hands = [
        engine.orders.HandSet(text(), text(), {text(): text()}, {text(): text()})
        for _ in range(chance.randrange(4))
    ]
    return engine.orders.Orders(
        tuple(hands), {text(): texts()}, {text(): texts()}, {text(): text()}, chance.random() < 0.5,
        text(), text(), text(), text(), chance.random() < 0.5, {text(): text()}, text(),
    )  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS)
def test_orders_with_arbitrary_text_are_illegal_or_can_be_resolved(ruleset: str) -> None:
    chance = random.Random(f"orders {ruleset}")
    for step in random_duel(chance, wizards=3, turns=20, ruleset=ruleset):
        for wizard in step.orders:
            orders = orders_with_arbitrary_texts(chance)
            for call in (engine.play.sheet, engine.play.cautions, engine.play.orders_text):
                call(step.position, wizard, orders)
            engine.play.hints(step.position, wizard, orders)
            is_legal = not engine.play.check(step.position, wizard, orders)
            with nullcontext() if is_legal else pytest.raises(engine.play.IllegalOrders):
                engine.play.resolve(step.position, {wizard: orders}, {}, step.dice)


@pytest.mark.parametrize("call", [verify, engine.proof.replay, engine.proof.transcript])
def test_changed_records_are_rejected_only_with_the_documented_error(
    call: Callable[[object], object],
) -> None:
    for _, data in changed_copies(whole_record(2), 60):
        try:
            call(data)
        except InvalidRecord:
            continue


@pytest.mark.parametrize("wrong", [None, 1, [1], [{"ordinal": -1}], [{"ordinal": 1, "wizard": 1}]])
def test_malformed_messages_raise_the_documented_error(wrong: object) -> None:
    with pytest.raises(InvalidRecord, match="speeches"):
        engine.proof.transcript(with_value_at(whole_record(2), ("speeches",), wrong))


def test_verify_rejects_values_that_cannot_be_json() -> None:
    """Examples are a lone surrogate, infinity, a huge number, and types that JSON does not have."""
    for wrong in ("\ud800", float("inf"), 10**30, {1, 2}, b"x", nested_list(200)):
        for place in (("acts",), ("speeches",), ("setup",), ("turns", 0, "answers", "q"), ("x",)):
            with pytest.raises(InvalidRecord):
                verify(with_value_at(whole_record(2), place, [{"x": wrong}]))
            with pytest.raises(InvalidRecord):
                verify(with_value_at(whole_record(2), place, wrong))


def nested_list(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("name", BATTLES)
def test_changed_battles_are_rejected_or_can_be_compared(name: str) -> None:
    for _, data in changed_copies(BATTLES[name], 25):
        try:
            list(replay_and_compare(parse_battle(data)))
        except engine.play.InvalidData:
            continue


def test_missing_set_of_a_confused_wizard_is_rejected() -> None:
    """The set shows the gesture that confusion chose, so it must be there (docs/BATTLES.md)."""
    battle = copy.deepcopy(next(iter(BATTLES.values())))
    turn = battle["turns"][0]
    turn["forced"] = [{"w": 0, "by": "confusion", "hand": "L"}]
    parse_battle(battle)
    turn["gestures"][0] = None
    with pytest.raises(
        engine.play.InvalidData, match=r"turns\[0\].gestures\[0\]: a confused wizard"
    ):
        parse_battle(battle)


def test_changed_recordings_are_rejected_or_can_be_compared() -> None:
    for recording in DUELS[:3]:
        for _, data in changed_copies(recording, 30):
            try:
                list(mismatches(parse_recording(data)))
            except engine.play.InvalidData:
                continue


def test_records_are_still_valid_after_a_round_trip_through_json() -> None:
    """The check for JSON types does not reject genuine records."""
    assert verify(json.loads(json.dumps(whole_record(2)))) == []
