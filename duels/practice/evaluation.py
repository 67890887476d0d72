"""The value of a simulated position for a wizard, in points of damage: opinions, not rules."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Final

import engine.play
from duels.practice.guards import guard_value
from duels.practice.imagined import has_cast_bolt
from duels.practice.spell_values import NEXT_TURN_DISCOUNT, Needs, expected_values
from engine.play import ALIVE, DRAW, STANDING, Monster, Position, Wizard

VALUE_OF_VICTORY: Final = 60.0
VALUE_OF_DEATH: Final = -25.0
# Values of a wizard's own monsters by their damage per turn. Stronger monsters count as giants.
VALUE_OF_MONSTERS: Final = (0.0, 1.8, 3.0, 3.9, 4.6)
VALUE_NEXT_TURN: Final[Mapping[str, float]] = {
    "amnesia": -1.3, "confusion": -1.1, "maladroitness": -1.0, "charm_person": -1.6,
    "paralysis": -0.8, "fear": -1.1,
}  # fmt: skip
VALUE_PER_TURN: Final[Mapping[str, float]] = {
    "blindness": -1.0, "invisibility": 1.0, "haste": 1.8, "delayed_effect": 0.5,
    "permanency": 0.4, "protection_from_evil": 0.4,
}  # fmt: skip
VALUE_WHILE_LASTING: Final[Mapping[str, float]] = {"resist_heat": 0.7, "resist_cold": 0.5}


@cache
def value_of_hit_points(points: int) -> float:
    """Return the value of this many hit points. The last points are worth the most."""
    return points + 5.0 * (1 - math.exp(-points / 3.5))


def position_value(position: Position, wizard: str, needs: Mapping[str, Needs]) -> float:
    """Return the value of this position for the wizard, minus its value for their rivals."""
    if position.outcome:
        if position.outcome == wizard:
            return VALUE_OF_VICTORY
        return -VALUE_OF_VICTORY / 4 if position.outcome == DRAW else -VALUE_OF_VICTORY
    own = position.wizard(wizard)
    if own.standing != STANDING:
        return -VALUE_OF_VICTORY
    others = [other for other in position.wizards if other is not own]
    share = 1.0 if len(others) == 1 else 1.5 / len(others)
    balance = _wizard_value(position, own, needs)
    balance += guard_value(position, own, [other for other in others if other.standing == STANDING])
    for other in others:
        balance -= share * _wizard_value(position, other, needs)
    return balance


def _wizard_value(position: Position, wizard: Wizard, needs: Mapping[str, Needs]) -> float:
    if wizard.standing != STANDING:
        return VALUE_OF_DEATH
    expected = expected_values(position.ruleset, position.options, needs.get(wizard.id, Needs()))
    spell_value = value_of_hit_points(max(wizard.damage_limit(position.rules) - wizard.damage, 0))
    spell_value += NEXT_TURN_DISCOUNT * (expected[wizard.left_state] + expected[wizard.right_state])
    if wizard.effects:
        spell_value += sum(_effect_value(position, code, wizard) for code in wizard.effects)
    if wizard.bank:
        spell_value += 1.5
    if wizard.id in position.stopped:
        spell_value += 3.0
    for monster in position.monsters:
        spell_value += _monster_value(position, monster, wizard)
    return spell_value


def _effect_value(position: Position, code: str, wizard: Wizard) -> float:
    effect = wizard.effects[code]
    turns = min(effect.last - position.turn + 1, 5)
    if code in VALUE_NEXT_TURN:
        return VALUE_NEXT_TURN[code] * (3.0 if effect.permanent else 1.0)
    if code in position.rules.illnesses:
        return -3.0 - 2.0 * (6 - turns)
    return VALUE_PER_TURN.get(code, 0.0) * turns + VALUE_WHILE_LASTING.get(code, 0.0)


def _monster_value(position: Position, monster: Monster, wizard: Wizard) -> float:
    if monster.state != ALIVE:
        return 0.0
    kind = position.rules.monsters[monster.kind]
    if kind.element:
        safe = position.rules.resistances.get(kind.element) in wizard.effects
        return 0.5 if safe else -2.5
    if monster.controller != wizard.id:
        return 0.0
    spell_value = VALUE_OF_MONSTERS[min(kind.attack, len(VALUE_OF_MONSTERS) - 1)]
    if position.rules.holding in monster.effects:
        spell_value -= kind.attack * 0.5
    return spell_value


def needs_by_wizard(view: engine.play.View) -> dict[str, Needs]:
    """Return each wizard's needs, as far as the view shows them."""
    beings = {being.id: being for being in view.status}
    effects = {id: {effect.code for effect in being.effects} for id, being in beings.items()}
    return {wizard.id: _needs_of(view, beings[wizard.id], effects) for wizard in view.wizards}


def _needs_of(
    view: engine.play.View, being: engine.play.BeingView, effects: Mapping[str, set[str]]
) -> Needs:
    codes = effects[being.id]
    others = [
        effects[other.id] for other in view.status
        if other.kind == "wizard" and other.id != being.id and other.state == STANDING
    ]  # fmt: skip
    proof = {
        element
        for element, resistance in view.rules.resistances.items()
        if others and all(resistance in other for other in others)
    }
    kinds = view.rules.monsters
    attacks = sum(
        kinds[monster.kind].attack
        for monster in view.status
        if monster.kind in kinds and monster.state == ALIVE
        and monster.controller not in ("", being.id)
    )  # fmt: skip
    return Needs(
        hurt=min((being.damage or 0) // 3, 3),
        ill="disease" in codes,
        has_removable_effect=bool(codes & {*view.rules.illnesses, view.rules.blinding}),
        monster_damage=min(attacks, 4),
        resisted=frozenset(proof),
        bolt_gone=has_cast_bolt(view, being.id),
    )
