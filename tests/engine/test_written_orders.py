"""Tests of orders written as text, which must be read back unchanged."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
from engine.orders import Orders
from engine.positions.position import Position
from engine.rulesets import RULESETS
from engine.text_orders.notation import UnreadableOrders, parse_orders, stated_fields, write_orders
from tests import daily
from tests.engine.board import ADA
from tests.engine.random_duels import random_duel
from tests.engine.test_orders import FULL_ORDERS
from tests.engine.text_orders import WIZARD_NAMES, named_position

ODD_NAMES = ("LH", "nowhere", 'The "Great"', "# 7", "#w0", "a\nb", "  ", "***")
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=list(map(chr, range(32))))
    | st.sampled_from('\n\r\t\\" #'),
    min_size=1,
    max_size=40,
)


def flat_orders(position: Position) -> st.SearchStrategy[dict[str, str]]:
    """Return a strategy for legal and illegal orders, as fields, with beings of this position."""
    wizards = [wizard.id for wizard in position.wizards]
    monsters = [monster.id for monster in position.monsters]
    hands = ["L", "R", "BH", "L2", "R2", "BH2", "BANK"]
    future = [f"{hand}:{wizard}" for hand in hands for wizard in wizards[:2]]
    beings = st.sampled_from([*wizards, *monsters, *future])
    letters = st.sampled_from("FPSWDC>-")
    captured = st.sampled_from(hands[:-1])
    values: dict[str, st.SearchStrategy[str]] = {
        "release": st.just("yes"), "release_subject": beings | st.just("nowhere"),
        "bank": captured, "permanency": captured, "say": WORDS,
        "sacrifice": st.sampled_from([*monsters, *future]),
        "answer:elemental": st.sampled_from(["fire", "ice"]),
        "answer:paralysis": st.sampled_from("LR"), "answer:charm_person": st.sampled_from("LR"),
    }  # fmt: skip
    spells = st.sampled_from(sorted(position.rules.spells))
    for suffix in ("", "2"):
        values |= {f"{side}{suffix}": letters for side in ("left", "right")}
        for side in ("left", "right", "both"):
            values[f"{side}_spell{suffix}"] = spells
            values[f"{side}_subject{suffix}"] = beings | st.just("nowhere")
        for key in (*monsters, *future):
            values[f"victim{suffix}:{key}"] = beings | st.sampled_from(["no_one", "attacker"])
        for wizard in wizards:
            values[f"charmed{suffix}:{wizard}.L"] = letters
            values[f"charmed{suffix}:{wizard}.R"] = letters
    return st.lists(st.sampled_from(sorted(values)), unique=True, max_size=12).flatmap(
        lambda names: st.fixed_dictionaries({name: values[name] for name in names})
    )


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("names", [WIZARD_NAMES, ODD_NAMES], ids=["usual names", "odd names"])
def test_written_orders_are_read_back_unchanged(ruleset: str, names: tuple[str, ...]) -> None:
    position = named_position(ruleset=ruleset, names=names)

    @given(flat_orders(position))
    @settings(max_examples=daily.examples(60))
    def both_ways(flat: dict[str, str]) -> None:
        orders = engine.orders.from_fields(flat)
        assert parse_orders(write_orders(orders, position, ADA), position, ADA) == orders

    both_ways()


def random_positions(chance: random.Random, ruleset: str) -> Iterator[tuple[Position, str, Orders]]:
    """Yield positions of a random duel with each wizard's orders, as played and with more
    choices."""
    for step in random_duel(chance, wizards=chance.randint(2, 4), turns=25, ruleset=ruleset):
        for wizard, orders in step.orders.items():
            yield step.position, wizard, orders
            yield step.position, wizard, with_other_choices(step.position, wizard, orders, chance)


def with_other_choices(
    position: Position, wizard: str, orders: Orders, chance: random.Random
) -> Orders:
    """Return these orders with every other choice that the sheet offers, if it is legal."""
    sheet = engine.play.sheet(position, wizard, orders)
    flat = engine.orders.fields(orders) | {"say": chance.choice(["Ha!", "One\nTwo", " \r\n"])}
    for hands in sheet.sets:
        suffix = "" if hands.number == 1 else "2"
        pair = flat.get("left" + suffix, "-") + flat.get("right" + suffix, "-")
        for completion in hands.completions.get(pair, ()):
            side = {"L": "left", "R": "right", "BH": "both"}[completion.hand]
            flat[f"{side}_spell{suffix}"] = completion.spell
    for monster in sheet.monsters:
        for number in range(1, monster.attacks + 1):
            name = f"victim{'' if number == 1 else number}:{monster.key}"
            flat[name] = chance.choice(monster.options)
    for charmed in sheet.charmed:
        flat |= {f"charmed{'' if n == 0 else 2}:{charmed.key}": "P" for n in range(charmed.sets)}
    for capture in sheet.captures:
        markable = capture.hands or [hand for hand, _ in capture.candidates]
        flat[capture.kind] = chance.choice(markable)
    for question in sheet.advance:
        flat[question.field] = chance.choice(question.options)
    full = engine.orders.from_fields(flat)
    for fault in engine.play.check(position, wizard, full):
        flat.pop(fault.field, None)
    return engine.orders.from_fields(flat)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_legal_orders_of_random_duels_round_trip_as_text(ruleset: str) -> None:
    """At least one wizard in these duels is blind. rules: turn:orders"""
    blind = charmed = future = 0
    for seed in daily.sample(range(30), 3, ruleset):
        for position, wizard, orders in random_positions(random.Random(seed), ruleset):
            text = write_orders(orders, position, wizard)
            assert parse_orders(text, position, wizard) == orders, text
            blind += "blindness" in position.wizard(wizard).effects
            charmed += bool(orders.charmed)
            future += any(":" in key for key in orders.victims)
    if daily.IS_WHOLE:
        assert min(blind, charmed, future) > 0


def test_orders_text_covers_every_field_of_orders() -> None:
    """`FULL_ORDERS` has every existing field. A field without a line in the text would be lost."""
    monster_kinds = [{"kind": "goblin", "controller": "w0"}] * 4
    seated = [engine.play.Duellist(name) for name in WIZARD_NAMES]
    position = engine.play.begin("bartle-1", seated, setup={"monsters": monster_kinds})
    assert (
        stated_fields(
            write_orders(engine.orders.from_fields(FULL_ORDERS), position, ADA), position, ADA
        )
        == FULL_ORDERS
    )


def test_orders_text_quotes_names_only_if_needed() -> None:
    flat = {
        "left": "D", "right": "-", "left_spell": "charm_monster", "left_subject": "R:w1",
        "victim:R:w1": "w2", "victim:m0": "no_one", "victim2:m0": "m2", "charmed2:w1.R": ">",
        "release": "yes", "release_subject": "w1", "bank": "L2", "permanency": "BH",
        "answer:charm_person": "R", "say": "Ha!\n# So be it",
    }  # fmt: skip
    assert write_orders(engine.orders.from_fields(flat), named_position(), ADA) == (
        "LH D\nRH -\nLH Charm Monster\nTARGET LH RH:Ugly Mage\n"
        "TARGET RH:Ugly Mage Jean-Luc\nTARGET Red Goblin no_one\nTARGET2 Red Goblin Blue Goblin\n"
        "RH2:Ugly Mage >\nRELEASE\nTARGET BANK Ugly Mage\nBANK LH2\nPERMANENT BH\n"
        "ANSWER charm person RH\nSAY Ha!\nSAY # So be it\n"
    )


def test_orders_text_can_be_written_for_a_draft_with_unknown_names() -> None:
    """A draft may be illegal. Its text contains unknown names, so it cannot be read back."""
    orders = engine.orders.from_fields(
        {"left_subject": "m 99\n", "left_spell": "no\nspell", "left": "F"}
    )
    text = write_orders(orders, named_position(), ADA)
    assert text == "LH F\nRH -\nLH no spell\nTARGET LH #m99\n"
    with pytest.raises(UnreadableOrders):
        parse_orders(text, named_position(), ADA)
