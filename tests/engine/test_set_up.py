"""Tests of setups that recreate a position, so that another duel can continue from it."""

import random

import pytest

import engine.play
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.random_duels import random_duel
from tests.engine.test_view import history_of_turns


def recreated_from_setup(position: engine.play.Position) -> engine.play.Position:
    """Return the position recreated from its setup."""
    setup = engine.play.setup_of(position)
    assert setup is not None
    names = [engine.play.Duellist(wizard.name, wizard.pronouns) for wizard in position.wizards]
    return engine.play.begin(position.ruleset, names, setup=setup, options=position.options)


def test_setup_keeps_damage_gestures_effects_banks_and_monsters() -> None:
    goblin = {"kind": "goblin", "controller": ADA, "victim": BRAM}
    ogre = {"kind": "ogre", "controller": BRAM, "damage": 1, "victim": "m0"}
    wizard = begun("SWD", "--P", damage=6, bank="fireball", effects={"resist_heat": {}})
    hasted = {"effects": {"haste": {"turns": 2}, "disease": {"turns": 3, "caster": ADA}}}
    position = duel(wizard, hasted, monsters=[goblin, ogre], turn=7, options=("strict",))
    assert recreated_from_setup(position) == position


def test_recreated_position_has_no_gaps_in_the_numbers_of_monsters() -> None:
    """The second monster, which is its own victim, becomes the first monster."""
    goblins = [{"kind": "goblin", "controller": ADA, "victim": "m1"}] * 2
    position = duel(monsters=goblins).copy()
    del position.monsters[0]
    (left,) = recreated_from_setup(position).monsters
    assert (left.id, left.controller, left.victim) == ("m0", ADA, "m0")


def test_recreated_position_does_not_hide_effects_from_anyone() -> None:
    position = duel({}, {"effects": {"haste": {"turns": 3}}}).copy()
    haste = position.wizard(BRAM).effects["haste"]
    position.wizard(BRAM).effects["haste"] = haste._replace(unseen_by=(ADA,))
    assert recreated_from_setup(position).wizard(BRAM).effects["haste"].unseen_by == ()


def test_extra_turn_has_no_setup() -> None:
    history = history_of_turns(duel(begun("SPP")), {"ada": made("C C")})
    assert history.position.kind == "extra"
    assert engine.play.setup_of(history.position) is None


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_recreated_positions_continue_like_the_original(ruleset: str) -> None:
    """The same orders have the same result in the original and the recreated position.

    Positions with monsters, whose names change, are skipped.
    """
    tried = able = 0
    for seed in range(12):
        for step in random_duel(random.Random(seed), ruleset=ruleset):
            tried += 1
            if engine.play.setup_of(step.position) is None:
                continue
            able += 1
            if step.position.monsters:
                continue
            after, _ = engine.play.resolve(
                recreated_from_setup(step.position), step.orders, step.answers, step.dice
            )
            damage = [(wizard.damage, wizard.standing) for wizard in after.wizards]
            assert damage == [(wizard.damage, wizard.standing) for wizard in step.after.wizards]
    assert able / tried > 0.85
