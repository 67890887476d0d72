"""Tests that advice never fails, does not reveal secrets, and agrees with the turn as played."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
from engine.events import Cast
from engine.positions.position import NORMAL, STRICT, Position, hand_states, interleaved_letters
from engine.rulesets.choices import HandNamingTime
from engine.spellbook import MONSTER_KINDS
from engine.view.status import status_list
from tests import daily
from tests.engine.board import ADA, ALL_RULESETS, SEALED_RULESETS, begun, duel, made, under_effects
from tests.engine.random_duels import ALL_LETTERS, Step, random_duel
from tests.engine.rulebook import RULES
from tests.engine.test_properties import random_turns
from tests.engine.test_sample_games import play_game

SEEDS = st.integers(0, 2**32 - 1)


def advice(position: Position, wizard: str, orders: engine.orders.Orders) -> tuple[object, ...]:
    """Return all the advice for this wizard."""
    return (
        engine.play.cautions(position, wizard, orders),
        engine.play.orders_text(position, wizard, orders),
        engine.play.hints(position, wizard, orders),
    )


def own_and_other_orders(step: Step) -> Iterator[tuple[str, engine.orders.Orders]]:
    """Yield each wizard with their own orders, and then with another wizard's orders."""
    yield from step.orders.items()
    written = list(step.orders.values())
    for number, wizard in enumerate(step.orders, 1):
        yield wizard, written[number % len(written)]


# Advice never fails


@given(SEEDS)
@settings(max_examples=daily.examples(30))
def test_advice_accepts_legal_and_illegal_orders(seed: int) -> None:
    """The orders are the wizard's own or another wizard's, or contain letters that mean nothing."""
    chance = random.Random(seed)
    options = tuple(o for o in (STRICT, "sacrifice") if chance.random() < 0.3)
    if options and chance.random() < 0.5:
        options = (STRICT,)
    ruleset = chance.choice(ALL_RULESETS)
    if ruleset != "wizards-1":
        options = tuple(o for o in options if o == STRICT)
    steps = random_duel(
        chance, wizards=chance.randint(2, 4), turns=25, ruleset=ruleset, options=options,
        resigning=0.01, surrendering=0.02,
    )  # fmt: skip
    for step in steps:
        for wizard, orders in own_and_other_orders(step):
            engine.play.check(step.position, wizard, orders)
            for caution in engine.play.cautions(step.position, wizard, orders):
                assert caution.rule in RULES
                assert caution.text[0].isupper()
                assert caution.text.endswith(".")
                assert "unknown" not in caution.text
            words = engine.play.orders_text(step.position, wizard, orders)
            assert words
            assert all(text[0].isupper() for text in words)
            mangled = replace(orders, sets=(engine.orders.HandSet("?", "FF"), *orders.sets))
            assert advice(step.position, wizard, mangled)
        for other in step.position.wizards:
            assert advice(step.position, other.id, engine.orders.Orders())


@given(SEEDS)
@settings(max_examples=daily.examples(15))
def test_advice_does_not_change_the_position_or_the_orders(seed: int) -> None:
    for step in random_turns(seed, turns=15):
        before = engine.play.dump(step.position)
        for wizard, orders in own_and_other_orders(step):
            assert advice(step.position, wizard, orders) == advice(step.position, wizard, orders)
        assert engine.play.dump(step.position) == before


# Advice reveals no secrets


def with_other_secrets(position: Position, wizard: str, chance: random.Random) -> Position:
    """Return the position with random changes to everything that this wizard cannot know."""
    new = position.copy()
    rules = new.rules
    seen = {being.id: being for being in status_list(position, wizard)}
    for other in new.wizards:
        if other.id == wizard:
            continue
        length = chance.randrange(8)
        left, right = ("".join(chance.choice(ALL_LETTERS) for _ in range(length)) for _ in "LR")
        other.letters = interleaved_letters(left, right)
        other.left_state, other.right_state = hand_states(rules, other.left, other.right)
        other.bank = chance.choice(["", *rules.spells])
        other.used_bolt = chance.random() < 0.5
        other.attacker = chance.choice([w.id for w in new.wizards])
        other.held = chance.choice(["", "L", "R"])
        if seen[other.id].damage is None:
            other.damage = chance.randrange(15)
            for kind in [k for k in other.effects if k not in ("blindness", "charm_person")]:
                if chance.random() < 0.5:
                    del other.effects[kind]
    for monster in list(new.monsters):
        if monster.controller == wizard:
            continue
        monster.victim = chance.choice([w.id for w in new.wizards])
        if monster.id not in seen or seen[monster.id].damage is None:
            monster.damage = chance.randrange(3)
            monster.effects = {}
            monster.kind = chance.choice(sorted(MONSTER_KINDS))
            if chance.random() < 0.5:
                new.monsters.remove(monster)
    new.pending = tuple(cast for cast in new.pending if cast.wizard == wizard)
    return new


@given(SEEDS)
@settings(max_examples=daily.examples(40))
def test_advice_does_not_depend_on_facts_that_the_wizard_cannot_know(seed: int) -> None:
    """Advice does not depend on rivals' hands, banks or monster orders, or on unseen beings.

    rules: R94, R121, R147
    """
    chance = random.Random(seed)
    for step in random_turns(seed, turns=30):
        for wizard, orders in step.orders.items():
            position = step.position
            other = with_other_secrets(position, wizard, chance)
            if list(status_list(other, wizard)) != list(status_list(position, wizard)):
                continue  # the status list already shows the difference
            assert advice(position, wizard, orders) == advice(other, wizard, orders)


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_cautions_for_a_blind_wizard_omit_unseen_facts(ruleset: str) -> None:
    """Ada cannot know whether Bram is protected or resists heat. rules: R94"""
    blind = begun("SDF", effects={"blindness": {"turns": 3}})
    bare = duel(blind, {}, turn=5, ruleset=ruleset)
    guarded = duel(
        blind,
        under_effects(protection_from_evil={"turns": 3}, resist_heat={"turns": 3}),
        turn=5,
        ruleset=ruleset,
    )
    for position in (bare, guarded):
        position.wizard(ADA).effects["blindness"] = (
            position.wizard(ADA).effects["blindness"]._replace(first=3)
        )
        position.wizard(ADA).knows = {}
    orders = engine.orders.from_fields(made("> -"))
    assert (
        engine.play.cautions(guarded, ADA, orders) == engine.play.cautions(bare, ADA, orders) == ()
    )
    seeing = duel({}, under_effects(protection_from_evil={"turns": 3}), turn=5, ruleset=ruleset)
    assert [each.code for each in engine.play.cautions(seeing, ADA, orders)] == ["stab_shielded"]


# Advice is correct


LOST_SPELL_WARNINGS = {"nowhere", "no_effect", "powerless", "bolt_spent", "dispels_own", "opposed"}


@given(SEEDS)
@settings(max_examples=daily.examples(40))
def test_spell_that_a_caution_calls_useless_has_no_effect(seed: int) -> None:
    """Whatever the other wizards do, the spell has no effect for its caster."""
    for step in random_turns(seed, turns=30):
        spells = step.position.rules.spells
        for wizard, orders in step.orders.items():
            if step.position.kind != NORMAL or not are_gestures_certain(step, wizard):
                continue
            cast = [e.spell for e in step.events if isinstance(e, Cast) and e.wizard == wizard]
            done = {spell_that_caused(event, wizard) for event in step.events}
            for caution in engine.play.cautions(step.position, wizard, orders):
                said = [id for id in cast if is_spell_mentioned(caution.text, spells[id].name)]
                if caution.code in LOST_SPELL_WARNINGS and said and cast.count(said[0]) == 1:
                    assert said[0] not in done, caution


def are_gestures_certain(step: Step, wizard: str) -> bool:
    """Return whether nobody else can change the wizard's gestures, and nobody casts a delay."""
    effects = step.position.wizard(wizard).effects
    delay = any(isinstance(e, Cast) and e.spell == "delayed_effect" for e in step.events)
    others_decide = {"confusion", "charm_person"}
    if step.position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS:
        others_decide |= {"paralysis"}
    return effects.keys().isdisjoint(others_decide) and not delay


def is_spell_mentioned(text: str, spell: str) -> bool:
    return f"{spell} does nothing" in text or f"{spell} has no target" in text


def spell_that_caused(event: engine.play.Event, wizard: str) -> str:
    """Return the wizard's spell that caused this event, or ""."""
    if event.code not in ("enchanted", "cured", "summoned", "hit", "guarded", "raised"):
        return ""
    if wizard not in (getattr(event, "wizard", ""), getattr(event, "by", "")):
        return ""
    return str(getattr(event, "spell", "") or getattr(event, "source", ""))


@given(SEEDS)
@settings(max_examples=daily.examples(40))
def test_orders_as_text_name_each_spell_cast_and_its_subject(seed: int) -> None:
    """The text of the sealed orders mentions every spell that the wizard casts in the turn."""
    for step in random_turns(seed, turns=30):
        spells, late = (
            step.position.rules.spells,
            step.position.rules.order_of_play == engine.play.STEPWISE,
        )
        for wizard, orders in step.orders.items():
            if not are_gestures_certain(step, wizard):
                continue
            words = " ".join(engine.play.orders_text(step.position, wizard, orders))
            for event in step.events:
                if not isinstance(event, Cast) or event.wizard != wizard:
                    continue
                if not (late and event.set == 2):  # aimed in the haste phase
                    spell = spells[event.spell]
                    name, own = spell.name, " for yourself" if spell.monster else " on yourself"
                    if spell.is_area:  # such a spell can have any subject. rules: W3, W43
                        own = " at yourself"
                    where = {wizard: own, "nowhere": " at nobody"}
                    assert f"{name}{where.get(event.subject, '')}" in words


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("black_and_white", [(10, "may_surrender"), (22, "surrender")]),
        ("froodal_and_bung", [(5, "storm_strikes_you")]),
    ],
)
def test_only_three_orders_of_printed_games_have_cautions(
    game: str, told: list[tuple[int, str]]
) -> None:
    """Only three of the 66 orders in the two printed games have a caution."""
    found = [
        (turn.number, caution.code)
        for turn in play_game(game)
        for wizard, flat in turn.recorded["orders"].items()
        for caution in engine.play.cautions(turn.before, wizard, engine.orders.from_fields(flat))
    ]
    assert found == told
