"""The status list: all beings with their active effects. rules: R94, R145, F40-F42"""

from collections.abc import Iterator
from typing import Final

from engine.gestures import HAND_NAMES
from engine.legality.upcoming_sets import HASTED_TURNS
from engine.positions.position import FOREVER, HASTE, Effect, Monster, Position, Wizard
from engine.rulesets.choices import HandNamingTime, HasteMode, TimeStopMode
from engine.spellbook import ONE_HANDED_EFFECTS, Guard
from engine.view.view_types import ALL, SPECTATOR, BeingView, EffectView

STATUS_LETTERS: Final = (
    ("invisibility", "I"),
    ("resist_heat", "H"),
    ("resist_cold", "C"),
    ("protection_from_evil", "P"),
    ("blindness", "b"),
    ("disease", "d"),
    ("poison", "p"),
)
_LETTER_OF_EFFECT: Final = dict(STATUS_LETTERS)


def status_list(position: Position, observer: str) -> Iterator[BeingView]:
    """Yield uncontrolled monsters, then the observer, then the rest, each with their monsters.

    A blind observer's list contains the monsters that they know of, even if those are gone. rules:
    R145, F41
    """
    seats = list(position.wizards)
    if observer not in (ALL, SPECTATOR):
        first = position.wizard(observer).seat
        seats = seats[first:] + seats[:first]
    shown = [m for m in position.monsters if _is_seen(position, m, observer)]
    seen = {monster.id for monster in shown}
    for id, name in _remembered_monsters(position, observer).items():
        if id not in seen:
            yield BeingView(id, name, "", "unseen", None, None, 0, "", (), "", "", "")
    for monster in shown:
        if not monster.controller:
            yield _being_view(position, monster, observer)
    for wizard in seats:
        yield _being_view(position, wizard, observer)
        for monster in shown:
            if monster.controller == wizard.id:
                yield _being_view(position, monster, observer)


def _remembered_monsters(position: Position, observer: str) -> dict[str, str]:
    """Return the names of monsters that every blind watcher knew when they could last see.

    rules: R94
    """
    blind = [w for w in wizards_who_must_know(position, observer) if _has_been_blind(position, w)]
    if not blind:
        return {}
    return {
        id: name
        for id, name in (blind[0].knows or {}).items()
        if all(id in (wizard.knows or {}) for wizard in blind)
    }


def wizards_who_must_know(position: Position, observer: str) -> list[Wizard]:
    """Return the wizards who must all know a fact before this observer may know it."""
    if observer == ALL:
        return []
    if observer == SPECTATOR:
        return position.wizards_in_duel()
    return [position.wizard(observer)]


def _has_been_blind(position: Position, wizard: Wizard) -> bool:
    """Return whether the wizard was already blind last turn, and has not seen the present state."""
    blindness = wizard.effects.get(position.rules.blinding)
    if blindness is None or position.rules.blind_sense_spells:
        return False
    return blindness.first < position.turn <= blindness.last


def _is_seen(position: Position, being: Wizard | Monster, observer: str) -> bool:
    """Return whether the observer knows the being's wounds and effects. rules: F55"""
    for wizard in wizards_who_must_know(position, observer):
        own = being is wizard or (isinstance(being, Monster) and being.controller == wizard.id)
        if not own and _has_been_blind(position, wizard):
            return False
    return True


def _being_view(position: Position, being: Wizard | Monster, observer: str) -> BeingView:
    seen = _is_seen(position, being, observer)
    watching = {wizard.id for wizard in wizards_who_must_know(position, observer)}
    effects = tuple(
        _effect_view(
            position, kind, effect, knows_hand=knows_hand(position, being, effect, observer)
        )
        for kind, effect in sorted(being.effects.items())
        if seen and not watching & set(effect.unseen_by)
    )
    if seen and being.guards and position.kind == HASTE:
        effects += tuple(_held_guards(position, being))
    kinds = {effect.code for effect in effects}
    if isinstance(being, Wizard):
        kind, state, controller, bank = "wizard", being.standing, "", being.bank
        if observer not in (ALL, being.id) and not position.rules.bank_is_public:
            bank = ""
    else:
        kind, state, controller, bank = being.kind, being.state, being.controller, ""
    return BeingView(
        id=being.id,
        name=being.name,
        kind=kind,
        state=state,
        damage=being.damage if seen else None,
        hit_points=being.damage_limit(position.rules) - being.damage if seen else None,
        limit=being.damage_limit(position.rules),
        controller=controller,
        effects=effects,
        bank=bank,
        letters="".join(letter for code, letter in STATUS_LETTERS if code in kinds),
        group=being.id if isinstance(being, Wizard) else controller,
    )


def _held_guards(position: Position, being: Wizard | Monster) -> Iterator[EffectView]:
    """Yield the guards from the normal turn that are still in effect in this hasted turn.

    A shield is left out if another effect on the list includes it. rules: W11
    """
    rules = position.rules
    is_shown = Guard.COUNTER in being.guards or rules.protecting in being.effects
    for guard in being.guards:
        if guard != Guard.SHIELD or not is_shown:
            id = rules.guarding[guard]
            yield EffectView(id, rules.spells[id].name, 1, False, "")


def counting_turn(position: Position, effect: Effect) -> int:
    """Return the turn from which an effect's remaining turns are counted.

    Before a numbered extra turn, an effect's clock is stopped, even if the effect has not begun.
    rules: W11
    """
    has_own_turns = position.rules.time_stop is TimeStopMode.OWN_TURN
    return max(position.turn, effect.first) if has_own_turns else position.turn


def knows_hand(position: Position, being: Wizard | Monster, effect: Effect, observer: str) -> bool:
    """Return whether the observer may know which hand is affected.

    If only gestures reveal the hand, not everyone may have seen them, so only the caster and the
    subject know it. rules: W18, W33
    """
    named_later = position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS
    return not named_later or observer in (ALL, being.id, effect.caster)


def _effect_view(position: Position, kind: str, effect: Effect, *, knows_hand: bool) -> EffectView:
    spell = position.rules.spells.get(kind)
    left = None if effect.last >= FOREVER else effect.last - counting_turn(position, effect) + 1
    rules = position.rules
    if left is not None and kind == rules.hastening and rules.haste is HasteMode.OWN_PHASE:
        left = min(left, HASTED_TURNS)  # it begins after an extra phase
    is_one_handed = position.rules.hands_under.get(kind) in ONE_HANDED_EFFECTS
    detail = HAND_NAMES.get(effect.hand, "") if knows_hand and is_one_handed else ""
    name = spell.name if spell else kind
    deadly = spell is not None and spell.is_illness
    letter = _LETTER_OF_EFFECT.get(kind, "")
    return EffectView(kind, name, left, effect.permanent, letter, detail, deadly)
