"""The position in which the practice opponent simulates a turn, based only on its own view.

The position does not include mind spells, because the simulated gestures already obey them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import engine.play
from engine.play import EXTRA, HASTE, NORMAL, STANDING, Cast, DefaultSubject, TimeStopped

STRICT_OPTION = "strict"  # questions after the reveal, which the simulation does not ask
GUESSED_DAMAGE = 5  # assumed damage of wizards whose wounds are not visible


@dataclass(frozen=True, slots=True)
class ImaginedPosition:
    """A simulated position, and the ids that beings have in it."""

    position: engine.play.Position
    ids: Mapping[str, str]

    def simulated_id(self, subject: str) -> str:
        """Return the id of a being in the simulated position. Future beings keep their ids."""
        return self.ids.get(subject, subject)


def imagine_position(view: engine.play.View, *, is_hasted: bool) -> ImaginedPosition:
    """Return a position that fits this view. If `is_hasted`, include the observer's own haste."""
    beings = {being.id: being for being in view.status}
    monsters = [being for being in view.status if being.id[:1] == "m" and being.kind]
    monsters.sort(key=lambda being: int(being.id[1:]))
    letters = {(hand.wizard, hand.hand): hand.letters for hand in view.hands}
    two_sets = view.rules.haste is engine.play.HasteMode.TWO_SETS
    setup: dict[str, object] = {
        "turn": view.turn,
        "wizards": [
            _wizard_data(
                view, beings[wizard.id],
                letters.get((wizard.id, "L"), ""), letters.get((wizard.id, "R"), ""),
                is_hasted=(two_sets and (is_hasted or not wizard.you)) or view.kind == HASTE,
            )
            for wizard in view.wizards
        ],
        "monsters": [_monster_data(view.rules, monster) for monster in monsters],
    }  # fmt: skip
    duellists = [engine.play.Duellist(f"Wizard {seat}") for seat in range(len(view.wizards))]
    options = [option for option in view.options if option != STRICT_OPTION]
    position = engine.play.begin(view.ruleset, duellists, setup=setup, options=options)
    ids = {monster.id: f"m{number}" for number, monster in enumerate(monsters)}
    position.kind = view.kind
    if view.kind == EXTRA:
        position.stopped = tuple(ids.get(being, being) for being in time_stopped_beings(view))
    return ImaginedPosition(position, ids)


def _wizard_data(
    view: engine.play.View, being: engine.play.BeingView, left: str, right: str, *, is_hasted: bool
) -> dict[str, object]:
    if being.state != STANDING:
        return {"state": being.state}
    damage = GUESSED_DAMAGE if being.damage is None else being.damage
    bank = view.rules.spells.get(being.bank)
    is_aimed = bank is not None and bank.default is DefaultSubject.OPPONENT
    keeps_subject = view.rules.bank_keeps_subject and is_aimed
    return {
        "damage": min(damage, being.limit - 1),
        "left": left,
        "right": right,
        "effects": dict(_effects_data(view.rules, being, is_hasted=is_hasted)),
        "bank": being.bank,
        "bank_subject": view.observer if keeps_subject else "",
        "used_bolt": has_cast_bolt(view, being.id),
    }


def _monster_data(rules: engine.play.Ruleset, being: engine.play.BeingView) -> dict[str, object]:
    return {
        "kind": being.kind,
        "controller": being.controller,
        "damage": min(being.damage or 0, max(being.limit - 1, 0)),
        "state": being.state,
        "effects": dict(_effects_data(rules, being, is_hasted=True)),
    }


def _effects_data(
    rules: engine.play.Ruleset, being: engine.play.BeingView, *, is_hasted: bool
) -> Iterator[tuple[str, dict[str, object]]]:
    for effect in being.effects:
        spell = rules.spells.get(effect.code)
        if spell is None or not spell.is_enchantment or spell.mind:
            continue
        if spell.breaks or spell.stops_time:
            continue
        if is_hasted or not spell.hastens:
            row: dict[str, object] = {"permanent": effect.permanent}
            if effect.turns_left is not None:
                row["turns"] = max(effect.turns_left, 1)
            yield effect.code, row


def has_cast_bolt(view: engine.play.View, wizard: str) -> bool:
    """Return whether the observer saw this wizard use the pattern that works only once."""
    once = {completable.pattern for completable in view.rules.completables if completable.once}
    return any(
        isinstance(event, Cast) and event.wizard == wizard and event.pattern in once
        for turn in view.turns
        for event in turn.events
    )


def opponents_of(view: engine.play.View) -> tuple[str, ...]:
    """Return the observer's opponents who are still in the duel."""
    return tuple(w.id for w in view.wizards if w.standing == STANDING and not w.you)


def time_stopped_beings(view: engine.play.View) -> tuple[str, ...]:
    """Return the observer and the other beings whose Time Stop the observer saw."""
    last = view.turns[-1].events if view.turns else ()
    seen = (event.subject for event in last if isinstance(event, TimeStopped))
    return tuple(dict.fromkeys((view.observer, *seen)))


def makes_gestures_next_turn(view: engine.play.View, wizard: str) -> bool:
    """Return whether this rival makes gestures in the coming turn, according to the view."""
    if view.kind == NORMAL:
        return True
    if view.kind == EXTRA:
        return wizard in time_stopped_beings(view)
    being = next(being for being in view.status if being.id == wizard)
    return any(effect.code == view.rules.hastening for effect in being.effects)
