"""Tests that `legal_orders` yields only legal orders, and covers every possible effect."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice, product

import pytest

import engine.orders
import engine.play
from engine.gestures import GESTURES
from engine.json_values import InvalidData
from engine.positions.position import EXTRA, Position
from tests import daily
from tests.engine.board import ADA, BRAM, Flat, Row, begun, duel, under_effects
from tests.engine.random_duels import random_duel

MAX_TURNS = 12
MAX_CHECKED_ORDERS = 40  # orders of a wizard that are checked in one turn of a random duel
CHECKED_ORDERS_INTERVAL = 5  # interval between two of these orders
ONE_TURN: Row = {"turns": 1}
PERMANENT_EFFECT: Row = {"permanent": True}
OWN_GOBLIN: Row = {"kind": "goblin", "controller": ADA}
BRAMS_GOBLIN: Row = {"kind": "goblin", "controller": BRAM}
GOBLIN_CORPSE: Row = {"kind": "goblin", "state": "corpse"}
CHARM_EFFECT: Row = {**ONE_TURN, "caster": BRAM, "hand": "L"}
PARALYSIS_EFFECT: Row = {**ONE_TURN, "caster": BRAM, "hand": "R", "letter": "D"}

Scene = tuple[str, Row, Row, Sequence[Row]]

SCENES: dict[str, Scene] = {
    "nothing to complete": ("P>-", {}, {}, ()),
    "a missile in each hand": ("D-", begun("S", "S"), {}, [BRAMS_GOBLIN]),
    "a choice of spells": ("P-", begun("WWP", "DP"), {}, ()),
    "a two-handed spell": ("W-", begun("C", "C"), {}, ()),
    "monsters": ("-", {}, {}, [OWN_GOBLIN, BRAMS_GOBLIN]),
    "a hasted monster": ("-", {}, {}, [{**OWN_GOBLIN, "effects": {"haste": {"turns": 2}}}]),
    "a summons": ("W-", begun("SF"), {}, [BRAMS_GOBLIN]),
    "a charm on a monster": ("D", begun("PSD"), {}, [BRAMS_GOBLIN]),
    "a corpse": ("D", begun("S"), {}, [OWN_GOBLIN, GOBLIN_CORPSE]),
    "a banked spell": ("-", {"bank": "missile"}, {}, [BRAMS_GOBLIN]),
    "open windows": (
        "P", begun("WW", effects={"delayed_effect": ONE_TURN, "permanency": ONE_TURN}), {}, (),
    ),
    "a charmed hand": ("D", begun("S", "S", effects={"charm_person": CHARM_EFFECT}), {}, ()),
    "a hand that may be charmed": (
        "D", begun("S", "S", effects={"charm_person": {**ONE_TURN, "caster": BRAM}}), {}, (),
    ),
    "confusion": ("D", begun("S", effects={"confusion": ONE_TURN}), {}, ()),
    "a held hand": ("D-", begun("S", "S", effects={"paralysis": PARALYSIS_EFFECT}), {}, ()),
    "a hand that may be held": (
        "D-", begun("S", "S", effects={"paralysis": {**ONE_TURN, "caster": BRAM}}), {}, (),
    ),
    "amnesia": ("SD-", begun("SS", effects={"amnesia": {**ONE_TURN, "sets": ["D-"]}}), {}, ()),
    "a permanent mind spell": ("P-", begun("WW", effects={"fear": PERMANENT_EFFECT}), {}, ()),
    "fear": ("DP-", begun("S", effects={"fear": ONE_TURN}), {}, ()),
    "haste": ("D-", begun("S", effects={"haste": {"turns": 3}}), {}, ()),
    "a charmed rival": ("-", {}, under_effects(charm_person={**CHARM_EFFECT, "caster": ADA}), ()),
    "a rival to charm": ("-", {}, under_effects(charm_person={**ONE_TURN, "caster": ADA}), ()),
    "a rival to hold": ("-", {}, under_effects(paralysis={**ONE_TURN, "caster": ADA}), ()),
    "blindness": ("D>", begun("S", effects={"blindness": {"turns": 2}}), {}, [OWN_GOBLIN]),
}  # fmt: skip
"""Scenes by name: the letters to try, the rows of Ada and Bram, and the monsters."""


def scenes_of_ruleset(ruleset: str) -> Iterator[tuple[str, str, Position]]:
    """Yield the scenes that can occur under this ruleset, each with its name and letters."""
    for name, (letters, ada, bram, monsters) in SCENES.items():
        try:
            yield name, letters, duel(ada, bram, monsters=monsters, ruleset=ruleset)
        except InvalidData:
            continue


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_every_order_is_legal_and_yielded_once(ruleset: str) -> None:
    chance = random.Random(f"legal orders {ruleset}")
    for step in random_duel(chance, wizards=3, turns=MAX_TURNS, ruleset=ruleset):
        for wizard in step.orders:
            orders = engine.play.legal_orders(step.position, wizard)
            found = list(
                islice(
                    orders,
                    chance.randrange(CHECKED_ORDERS_INTERVAL),
                    MAX_CHECKED_ORDERS * CHECKED_ORDERS_INTERVAL,
                    CHECKED_ORDERS_INTERVAL,
                )
            )
            assert len({repr(each) for each in found}) == len(found)
            for each in found:
                assert not engine.play.check(step.position, wizard, each), each


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_no_legal_order_with_another_effect_is_missing(ruleset: str) -> None:
    """Try every value of every field that matters, in a third of the scenes each day."""
    for name, letters, position in daily.sample(scenes_of_ruleset(ruleset), 3, ruleset):
        pairs = ["".join(pair) for pair in product(letters, letters)]
        listed = list(engine.play.legal_orders(position, ADA, pairs))
        assert not [each for each in listed if engine.play.check(position, ADA, each)], name
        known = {repr(each) for each in listed}
        unlisted = [
            orders
            for orders in map(
                engine.orders.from_fields, all_combinations_of_fields(position, letters)
            )
            if repr(orders) not in known and not engine.play.check(position, ADA, orders)
        ]
        effects = {results_of_turn(position, each) for each in listed} if unlisted else set[str]()
        for orders in unlisted:
            assert results_of_turn(position, orders) in effects, (name, orders)


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_first_orders_leave_every_choice_to_its_default(ruleset: str) -> None:
    for name, _, position in scenes_of_ruleset(ruleset):
        first = next(engine.play.legal_orders(position, ADA))
        assert first == engine.orders.Orders(sets=first.sets), name
        assert not any(hands.spells or hands.subjects for hands in first.sets), name


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_only_time_stopped_wizards_can_make_gestures_in_an_extra_turn(ruleset: str) -> None:
    """rules: R98, W12"""
    position = duel(begun("S"), begun("S"), ruleset=ruleset)
    position.kind, position.stopped = EXTRA, (ADA,)
    assert list(engine.play.legal_orders(position, BRAM)) == [engine.orders.Orders()]
    for orders in engine.play.legal_orders(position, ADA, ["D-"]):
        assert [hands.pair for hands in orders.sets] == ["D-"]
        assert not engine.play.check(position, ADA, orders)


def test_orders_contain_only_gestures_if_everything_else_is_asked_later() -> None:
    """rules: turn:stepwise"""
    position = duel(begun("S"), ruleset="spellcast-1", options=["strict"])
    found = list(engine.play.legal_orders(position, ADA))
    assert {orders.sets[0].pair for orders in found} == {*map("".join, product(GESTURES, GESTURES))}
    assert not [orders for orders in found if engine.play.check(position, ADA, orders)]


def test_wizard_who_is_out_has_no_legal_orders() -> None:
    position, _ = engine.play.resign(duel(seats=3), ADA)
    assert list(engine.play.legal_orders(position, ADA)) == []
    with pytest.raises(KeyError):
        next(engine.play.legal_orders(position, "w7"))


def results_of_turn(position: Position, orders: engine.orders.Orders) -> str:
    """Return the results of the turn for several orders of the rival and several dice rolls."""
    charms = [{}, {"charmed:w0.L": "P"}, {"charmed:w0.R": "D"}, {"held:w0": "R"}]
    rivals = [engine.orders.from_fields(flat) for flat in charms]
    played = [each for each in rivals if not engine.play.check(position, BRAM, each)]
    results = [
        engine.play.resolve(
            position, {ADA: orders, BRAM: rival}, {}, engine.play.Dice(bytes([seed] * 32))
        )
        for rival in played
        for seed in ((1, 2, 3) if "confusion" in position.wizard(ADA).effects else (1,))
    ]
    return str([(engine.play.dump(after), events) for after, events in results])


def all_combinations_of_fields(position: Position, letters: str) -> Iterator[Flat]:
    """Yield every combination of values for the fields that matter in this position."""
    own, sheet = position.wizard(ADA), engine.play.sheet(position, ADA)
    beings = ["", ADA, BRAM, *(monster.id for monster in position.monsters), "nowhere"]
    fields: dict[str, list[str]] = {}
    for each in sheet.sets:
        suffix = "" if each.number == 1 else str(each.number)
        fields |= {f"left{suffix}": [*letters], f"right{suffix}": [*letters]}
        ends = [
            end
            for pair in product(letters, letters)
            for end in each.completions.get("".join(pair), ())
        ]
        if ends or ">" in letters:
            fields |= {f"left_subject{suffix}": beings, f"right_subject{suffix}": beings}
        for side, hand in (("left", "L"), ("right", "R"), ("both", "BH")):
            spells = [*dict.fromkeys(end.spell for end in ends if end.hand == hand)]
            if len(ends) > 1 and spells:
                fields[f"{side}_spell{suffix}"] = ["", *spells]
            if hand == "BH" and spells:
                fields[f"both_subject{suffix}"] = beings
    for monster in position.monsters:
        fields[f"victim:{monster.id}"] = [*beings[:-1], "no_one"]
        if monster.effects:
            fields[f"victim2:{monster.id}"] = [*beings[:-1], "no_one"]
    if own.bank:
        fields |= {"release": ["", "yes"], "release_subject": beings}
    if "permanency" in own.effects:
        fields |= {field: ["", "L", "R", "BH"] for field in ("bank", "permanency")}
    if position.wizard(BRAM).effects:
        fields |= {"charmed:w1.L": ["", "P"], "charmed:w1.R": ["", "P"], "held:w1": ["", "L", "R"]}
    if any(effect.permanent for effect in own.effects.values()):
        fields["heart"] = ["", "yes"]
    for values in product(*fields.values()):
        yield {field: value for field, value in zip(fields, values, strict=True) if value}
