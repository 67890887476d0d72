"""Conversion of a position to a setup, so that play can continue from it. rules: turn:start"""

from collections.abc import Mapping
from typing import Any

from engine.ids import monster_id
from engine.json_values import InvalidData
from engine.positions.position import FOREVER, Effect, Position
from engine.resolve.summon import monster_name
from engine.start.begin import Duellist, begin


def setup_of(position: Position) -> dict[str, Any] | None:
    """Return the setup from which `begin` makes this position, or None if there is none.

    There is none in an extra turn, in a phase that is only part of a turn, or while anything is
    pending for the next turn. The setup does not keep the names of monsters, or who knows of an
    effect.
    """
    ids = {monster.id: monster_id(number) for number, monster in enumerate(position.monsters)}
    setup: dict[str, Any] = {
        "turn": position.turn,
        "wizards": [
            {
                "damage": wizard.damage,
                "left": wizard.left,
                "right": wizard.right,
                "effects": _effects_data(wizard.effects, position.turn),
                "bank": wizard.bank,
                "bank_subject": ids.get(wizard.bank_subject, wizard.bank_subject),
                "used_bolt": wizard.used_bolt,
                "state": wizard.standing,
            }
            for wizard in position.wizards
        ],
        "monsters": [
            {
                "kind": monster.kind,
                "controller": monster.controller,
                "damage": monster.damage,
                "victim": ids.get(monster.victim, monster.victim),
                "state": monster.state,
                "effects": _effects_data(_with_new_ids(monster.effects, ids), position.turn),
            }
            for monster in position.monsters
        ],
    }
    duellists = [Duellist(wizard.name, wizard.pronouns) for wizard in position.wizards]
    try:
        made = begin(position.ruleset, duellists, setup=setup, options=position.options)
    except InvalidData:
        return None
    return setup if made == _with_details_of_setup(position, made, ids) else None


def _effects_data(effects: Mapping[str, Effect], turn: int) -> dict[str, dict[str, Any]]:
    return {
        kind: {
            "turns": None if effect.last >= FOREVER else effect.last - turn + 1,
            "permanent": effect.permanent,
            "caster": effect.caster,
            "hand": effect.hand,
            "letter": effect.letter,
            # A wizard repeats pairs of gestures; a monster repeats its victims.
            "victims" if any(each[:1] in "wm" for each in effect.sets) else "sets": effect.sets,
        }
        for kind, effect in effects.items()
    }


def _with_new_ids(effects: Mapping[str, Effect], ids: Mapping[str, str]) -> dict[str, Effect]:
    return {
        kind: effect._replace(sets=tuple(ids.get(each, each) for each in effect.sets))
        for kind, effect in effects.items()
    }


def _with_details_of_setup(position: Position, made: Position, ids: Mapping[str, str]) -> Position:
    """Return the position, but with the details of `made` that a setup does not keep.

    A setup does not keep when effects began and who saw them, the names of monsters, or the
    monsters that blind wizards know.
    """
    wanted = position.copy()
    wanted.created = len(wanted.monsters)
    rules = position.rules
    for wizard, other in zip(wanted.wizards, made.wizards, strict=True):
        wizard.effects = _with_earliest_start(wizard.effects, position.turn)
        wizard.knows = other.knows
        wizard.bank_subject = ids.get(wizard.bank_subject, wizard.bank_subject)
    for number, monster in enumerate(wanted.monsters):
        monster.id, monster.name = monster_id(number), monster_name(rules, monster.kind, number)
        monster.victim = ids.get(monster.victim, monster.victim)
        monster.effects = _with_earliest_start(_with_new_ids(monster.effects, ids), position.turn)
    return wanted


def _with_earliest_start(effects: Mapping[str, Effect], turn: int) -> dict[str, Effect]:
    return {
        kind: effect._replace(first=max(effect.first, turn), unseen_by=())
        for kind, effect in effects.items()
    }
