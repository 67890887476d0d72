"""The practice opponent's simulated position, set up only from its own view.

Effects of mind spells on hands are left out, because the simulated rows already follow them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import engine
from engine import HASTE, NORMAL, STANDING, Cast

GUESSED_DAMAGE = 5
"""Damage assumed for wizards whose wounds cannot be seen."""


@dataclass(frozen=True, slots=True)
class ImaginedPosition:
    """A simulated position, with the ids of the real beings in it."""

    position: engine.Position
    ids: Mapping[str, str]

    def id_of(self, subject: str) -> str:
        """Return the simulated id of a being, or of one still to come."""
        return self.ids.get(subject, subject)


def imagine(view: engine.View, *, hasted: bool) -> ImaginedPosition:
    """Return a position that fits this view. With `hasted`, the observer's own haste counts."""
    beings = {being.id: being for being in view.status}
    monsters = [being for being in view.status if being.id[:1] == "m" and being.kind]
    monsters.sort(key=lambda being: int(being.id[1:]))
    letters = {(hand.wizard, hand.hand): hand.letters for hand in view.hands}
    haste = view.rules.haste
    setup: dict[str, object] = {
        "turn": view.turn,
        "wizards": [
            _wizard(
                view, beings[wizard.id],
                letters.get((wizard.id, "L"), ""), letters.get((wizard.id, "R"), ""),
                hasted=haste is engine.HasteMode.TWO_SETS and (hasted or not wizard.you),
            )
            for wizard in view.wizards
        ],
        "monsters": [_monster(view.rules, monster) for monster in monsters],
    }  # fmt: skip
    duellists = [engine.Duellist(f"Wizard {seat}") for seat in range(len(view.wizards))]
    position = engine.begin(view.ruleset, duellists, setup=setup, options=view.options)
    ids = {monster.id: f"m{number}" for number, monster in enumerate(monsters)}
    return ImaginedPosition(position, ids)


def _wizard(
    view: engine.View, being: engine.BeingView, left: str, right: str, *, hasted: bool
) -> dict[str, object]:
    if being.state != STANDING:
        return {"state": being.state}
    damage = GUESSED_DAMAGE if being.damage is None else being.damage
    return {
        "damage": min(damage, being.limit - 1),
        "left": left,
        "right": right,
        "effects": dict(_effects(view.rules, being, hasted=hasted)),
        "bank": being.bank,
        "used_bolt": has_cast_bolt(view, being.id),
    }


def _monster(rules: engine.Ruleset, being: engine.BeingView) -> dict[str, object]:
    return {
        "kind": being.kind,
        "controller": being.controller,
        "damage": min(being.damage or 0, max(being.limit - 1, 0)),
        "state": being.state,
        "effects": dict(_effects(rules, being, hasted=False)),
    }


def _effects(
    rules: engine.Ruleset, being: engine.BeingView, *, hasted: bool
) -> Iterator[tuple[str, dict[str, object]]]:
    for effect in being.effects:
        spell = rules.spells.get(effect.code)
        if spell is None or not spell.is_enchantment or spell.mind:
            continue
        if spell.breaks or spell.stops_time:
            continue
        if hasted or not spell.hastens:
            row: dict[str, object] = {"permanent": effect.permanent}
            if effect.turns_left is not None:
                row["turns"] = max(effect.turns_left, 1)
            yield effect.code, row


def has_cast_bolt(view: engine.View, wizard: str) -> bool:
    """Return whether this wizard was seen to use a short pattern that works only once."""
    once = {completable.pattern for completable in view.rules.completables if completable.once}
    return any(
        isinstance(event, Cast) and event.wizard == wizard and event.pattern in once
        for turn in view.turns
        for event in turn.events
    )


def foes_of(view: engine.View) -> tuple[str, ...]:
    """Return the observer's opponents who are still in the duel."""
    return tuple(w.id for w in view.wizards if w.standing == STANDING and not w.you)


def has_part(view: engine.View, wizard: str) -> bool:
    """Return whether this rival makes gestures in the coming phase, as far as the view shows."""
    if view.kind == NORMAL:
        return True
    if view.kind != HASTE:
        return False
    being = next(being for being in view.status if being.id == wizard)
    return any(effect.code == view.rules.hastening for effect in being.effects)
