"""Tests of the setup that recreates a position, in order to play on from it."""

import random

import pytest

import engine
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.random_duels import random_duel
from tests.engine.test_view import story


def again(position: engine.Position) -> engine.Position:
    """Return the position recreated from its setup."""
    setup = engine.setup_of(position)
    assert setup is not None
    names = [engine.Duellist(wizard.name, wizard.pronouns) for wizard in position.wizards]
    return engine.begin(position.ruleset, names, setup=setup, options=position.options)


def test_a_setup_keeps_wounds_gestures_effects_banks_and_monsters() -> None:
    goblin = {"kind": "goblin", "controller": ADA, "victim": BRAM}
    ogre = {"kind": "ogre", "controller": BRAM, "damage": 1, "victim": "m0"}
    wizard = begun("SWD", "--P", damage=6, bank="fireball", effects={"resist_heat": {}})
    hasted = {"effects": {"haste": {"turns": 2}, "disease": {"turns": 3, "caster": ADA}}}
    position = duel(wizard, hasted, monsters=[goblin, ogre], turn=7, options=("strict",))
    assert again(position) == position


def test_monsters_that_are_gone_leave_no_gap() -> None:
    """The second monster becomes the first of a new duel, with the same master and victim."""
    goblins = [{"kind": "goblin", "controller": ADA, "victim": "m1"}] * 2
    position = duel(monsters=goblins).copy()
    del position.monsters[0]
    (left,) = again(position).monsters
    assert (left.id, left.controller, left.victim) == ("m0", ADA, "m0")


def test_what_was_hidden_in_a_duel_that_is_over_is_open_when_it_is_set_up() -> None:
    position = duel({}, {"effects": {"haste": {"turns": 3}}}).copy()
    haste = position.wizard(BRAM).effects["haste"]
    position.wizard(BRAM).effects["haste"] = haste._replace(unseen_by=(ADA,))
    assert again(position).wizard(BRAM).effects["haste"].unseen_by == ()


def test_an_extra_turn_cannot_be_set_up() -> None:
    history = story(duel(begun("SPP")), {"ada": made("C C")})
    assert history.position.kind == "extra"
    assert engine.setup_of(history.position) is None


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_most_positions_of_any_duel_can_be_set_up_and_go_on_alike(ruleset: str) -> None:
    """The same orders have the same result in both; monsters have new names."""
    tried = able = 0
    for seed in range(12):
        for step in random_duel(random.Random(seed), ruleset=ruleset):
            tried += 1
            if engine.setup_of(step.position) is None:
                continue
            able += 1
            if step.position.monsters:
                continue
            after, _ = engine.resolve(again(step.position), step.orders, step.answers, step.dice)
            damage = [(wizard.damage, wizard.standing) for wizard in after.wizards]
            assert damage == [(wizard.damage, wizard.standing) for wizard in step.after.wizards]
    assert able / tried > 0.85
