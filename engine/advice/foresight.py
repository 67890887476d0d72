"""A turn as one wizard can foresee it: their orders, with rivals who do nothing.

Anything that the wizard cannot know is first removed from the position: unseen wounds and effects,
and rivals' gestures, banks and orders. So no advice about this turn can depend on it. The wizard's
own gestures are taken as written, even if another wizard or chance may still change them. rules:
turn:seeing, R94, R121
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from engine.advice.foreseen_orders import RANDOM_SUBJECT, ForeseenOrders
from engine.events import Cast, Drew, Event, Hit, Stopped, Summoned
from engine.gestures import BANK, HAND_FIELD_NAMES
from engine.ids import future_being_id, is_monster, monster_number
from engine.json_values import InvalidData
from engine.legality.casting import default_opponent
from engine.legality.check import check
from engine.legality.hand_constraints import hand_limits
from engine.legality.scope import NO_ONE, NOWHERE
from engine.orders import (
    NO_ORDERS,
    HandSet,
    KeyedField,
    Orders,
    fields,
    from_fields,
    order_field,
)
from engine.positions.position import (
    HASTE,
    NO_EFFECTS,
    NORMAL,
    STANDING,
    Effect,
    Monster,
    Position,
    Wizard,
)
from engine.resolve import ORDERS_OF_PLAY
from engine.rulesets.choices import HasteMode, OpponentRule
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import (
    FIRE,
    ICE,
    ONE_HANDED_EFFECTS,
    UNDECIDED_ELEMENTAL,
    DefaultSubject,
    HandEffect,
)
from engine.view.status import status_list
from engine.view.view_types import BeingView

UNSEEN_STATE: Final = "unseen"
ORDER_OF_CASTING_HANDS: Final = ("L", "R", "BH", "BANK")


class FirstFaceDice:
    """Dice that always show the first face. No advice may depend on them."""

    def draw(self, label: str, sides: int) -> int:
        return 0


def foresee_turn(position: Position, wizard: str, orders: Orders) -> ForeseenOrders:
    """Return the result of these orders if no other wizard does anything.

    The duel must be running and the wizard in it.
    """
    legal = without_illegal_orders(position, wizard, orders)
    known = known_position(position, wizard)
    sealed = {wizard: legal}
    for other in known.wizards:
        if other.id != wizard:
            held = {m.id: (NO_ONE,) for m in known.monsters if m.controller == other.id}
            sealed[other.id] = Orders(victims=held)
    events: list[Event] = []
    play = ORDERS_OF_PLAY[known.rules.order_of_play]
    after = play.resolve(known, sealed, {}, FirstFaceDice(), events.append)
    if drawn := hands_with_random_subject(known, wizard, legal, events):
        sealed[wizard] = without_random_subjects(legal, drawn)
        events.clear()
        after = play.resolve(known, sealed, {}, FirstFaceDice(), events.append)
    has_own_phase = known.rules.haste is HasteMode.OWN_PHASE
    if (
        has_own_phase and known.kind == HASTE and after.kind == NORMAL
    ):  # the turn after the haste phase casts its spells
        for other in after.wizards:
            clear_gestures(after.rules, other)
        play.resolve(after, sealed | {wizard: NO_ORDERS}, {}, FirstFaceDice(), events.append)
    casts = own_casts(known, wizard, events)
    made = monsters_made(known.rules, casts, events, wizard)
    if known.rules.opponent is OpponentRule.DRAWN:
        casts = tuple(
            replace(cast, subject=RANDOM_SUBJECT) if (cast.set, cast.hand) in drawn else cast
            for cast in casts
        )
        events = without_random_attacks(known, wizard, legal, events)
    subject = "" if drawn else after.wizard(wizard).bank_subject
    own = known.wizard(wizard)
    return ForeseenOrders(known, own, legal, tuple(events), casts, made, subject)


def hands_with_random_subject(
    known: Position, wizard: str, orders: Orders, events: Sequence[Event]
) -> frozenset[tuple[int, str]]:
    """Return the sets and hands whose spells go to an opponent drawn at random. rules: W3"""
    if known.rules.opponent is not OpponentRule.DRAWN:
        return frozenset()
    return frozenset(
        (cast.set, cast.hand)
        for cast in own_casts(known, wizard, events)
        if cast.hand in HAND_FIELD_NAMES and has_random_subject(known, wizard, orders, cast)
    )


def has_random_subject(known: Position, wizard: str, orders: Orders, cast: Cast) -> bool:
    """Return whether the cast's subject is drawn at random from several opponents."""
    spell = known.rules.spells[cast.spell]
    hands = orders.hands(cast.set)
    named = hands.subjects.keys() & ({cast.hand} if cast.hand != "BH" else {"L", "R", "BH"})
    if named or spell.default is not DefaultSubject.OPPONENT:
        return False
    return not default_opponent(known, wizard)


def without_random_subjects(orders: Orders, drawn_hands: Collection[tuple[int, str]]) -> Orders:
    """Return the orders with these hands' spells aimed at nowhere, so that they have no effect."""
    sets = tuple(
        replace(
            hands,
            subjects={
                **hands.subjects,
                **{hand: NOWHERE for set, hand in drawn_hands if set == number},
            },
        )
        for number, hands in enumerate(orders.sets, 1)
    )
    return replace(orders, sets=sets)


def without_random_attacks(
    known: Position, wizard: str, orders: Orders, events: Sequence[Event]
) -> list[Event]:
    """Return the events without stabs and attacks at an opponent drawn at random. rules: W3"""
    if default_opponent(known, wizard):
        return list(events)
    drawn = {event.being for event in events if isinstance(event, Drew)}
    aimed = any(hands.subjects for hands in orders.sets)
    return [
        event
        for event in events
        if not (
            isinstance(event, Hit | Stopped)
            and event.by in drawn
            and (event.source == "attack" or (event.source == "stab" and not aimed))
        )
    ]


def own_casts(known: Position, wizard: str, events: Sequence[Event]) -> tuple[Cast, ...]:
    """Return the casts of these orders, except those already aimed in the haste phase."""
    aimed = {2} if known.kind == NORMAL and known.rules.haste is HasteMode.OWN_PHASE else set[int]()
    casts = [event for event in events if isinstance(event, Cast) and event.wizard == wizard]
    now = [cast for cast in casts if cast.set not in aimed]
    return tuple(sorted(now, key=lambda cast: (cast.set, ORDER_OF_CASTING_HANDS.index(cast.hand))))


def monsters_made(
    rules: Ruleset, casts: Sequence[Cast], events: Sequence[Event], wizard: str
) -> dict[str, str]:
    """Return the monsters that these casts have made, by the names that orders give them."""
    waiting = list(casts)
    made: dict[str, str] = {}
    for event in events:
        if not isinstance(event, Summoned) or event.wizard != wizard:
            continue
        for cast in waiting:
            kind = rules.spells[cast.spell].monster
            if event.kind == kind or (kind == UNDECIDED_ELEMENTAL and event.kind in (FIRE, ICE)):
                waiting.remove(cast)
                number = 1 if cast.hand == BANK else cast.set
                made[future_being_id(wizard, cast.hand, number)] = event.monster
                break
    return made


def without_illegal_orders(position: Position, wizard: str, orders: Orders) -> Orders:
    """Return the orders without the parts that `check` rejects."""
    faults = check(position, wizard, orders)
    if not faults:
        return orders
    try:
        flat = fields(without_invalid_letters(orders))
        for _ in range(len(flat)):
            refused = {fault.field for fault in faults}
            kept = {name: value for name, value in flat.items() if is_field_accepted(name, refused)}
            legal = from_fields(kept)
            faults = check(position, wizard, legal)
            if not faults:
                return legal
            if kept == flat:
                break
            flat = kept
    except InvalidData:
        pass
    return NO_ORDERS


def is_field_accepted(field: str, rejected_fields: set[str]) -> bool:
    """Return whether the field can be kept: it and its monster's first attack are legal.

    All attacks of a monster are kept or dropped together.
    """
    parts = order_field(field)
    first = KeyedField(parts.kind, parts.key).text if isinstance(parts, KeyedField) else field
    return field not in rejected_fields and first not in rejected_fields


def without_invalid_letters(orders: Orders) -> Orders:
    """Return the orders with idle hands in place of invalid gestures."""
    sets = tuple(
        hands if hands.is_lawful else HandSet(spells=hands.spells, subjects=hands.subjects)
        for hands in orders.sets
    )
    return replace(orders, sets=sets)


# The position as far as the wizard knows it


def known_position(position: Position, wizard: str) -> Position:
    """Return the position without anything that this wizard cannot know."""
    status = list(status_list(position, wizard))
    new = position.copy()
    seen = {being.id: being for being in status}
    new.wizards = [
        known_own_wizard(new, other)
        if other.id == wizard
        else known_other_wizard(new.rules, other, seen.get(other.id))
        for other in new.wizards
    ]
    monsters = [known_monster(new, being, wizard) for being in status if is_monster(being.id)]
    new.monsters = sorted(monsters, key=lambda monster: monster_number(monster.id))
    new.created = 1 + max((monster_number(monster.id) for monster in monsters), default=-1)
    new.stopped = tuple(id for id in new.stopped if id in seen)
    new.pending = tuple(cast for cast in new.pending if cast.wizard == wizard)
    return new


def known_own_wizard(position: Position, own: Wizard) -> Wizard:
    """Return the wizard without the effects that let a rival or chance change gestures."""
    own.attacker = ""
    own.blind_charms = ()
    if hand_limits(position, own).changeable:
        one_handed = {
            kind
            for kind, hands in position.rules.hands_under.items()
            if hands in ONE_HANDED_EFFECTS
        }
        for kind in one_handed & own.effects.keys():
            if own.effects[kind].caster != own.id:
                del own.effects[kind]
        own.lasting = {
            kind: effect for kind, effect in own.lasting.items() if kind not in one_handed
        }
    return own


def known_other_wizard(rules: Ruleset, other: Wizard, seen: BeingView | None) -> Wizard:
    """Return another wizard with idle hands and only the visible wounds and effects."""
    other.damage = (seen.damage if seen is not None else None) or 0
    other.effects = seen_effects(other, seen)
    other.bank = other.bank_pattern = other.bank_subject = other.attacker = ""
    other.used_bolt = False
    other.knows = None
    if seen is None or seen.damage is None:
        other.guards = ()
    clear_gestures(rules, other)
    return other


def seen_effects(being: Wizard | Monster, seen: BeingView | None) -> dict[str, Effect]:
    codes = {effect.code for effect in seen.effects} if seen is not None else set[str]()
    return {
        kind: effect._replace(unseen_by=())
        for kind, effect in being.effects.items()
        if kind in codes
    }


def clear_gestures(rules: Ruleset, wizard: Wizard) -> None:
    """Empty the wizard's hands, so that they make nothing even under mind spells."""
    wizard.letters = wizard.held = ""
    wizard.left_state = wizard.right_state = 0
    wizard.made = wizard.blind_charms = ()
    wizard.lasting = NO_EFFECTS
    for kind, effect in list(wizard.effects.items()):
        if kind in rules.mind_spells:
            is_drawn = rules.hands_under.get(kind) is HandEffect.DRAWN
            wizard.effects[kind] = effect._replace(
                hand=effect.hand or ("L" if is_drawn else ""), letter="-", sets=("--",)
            )


def known_monster(position: Position, seen: BeingView, wizard: str) -> Monster:
    """Return a monster as the wizard knows it; an unseen one becomes an ordinary goblin."""
    found = position.being(seen.id)
    if seen.state == UNSEEN_STATE or not isinstance(found, Monster):
        return Monster(seen.id, "goblin", seen.name)
    found.damage = seen.damage or 0
    if seen.damage is None:
        found.guards = ()
    found.effects = seen_effects(found, seen)
    if found.controller != wizard:
        found.victim = ""
        found.made = ()
        found.lasting = NO_EFFECTS
        found.waiting = {}
        found.keeps_victim = False
    return found


def can_take_part_in_turn(position: Position, wizard: Wizard) -> bool:
    return not position.outcome and wizard.standing == STANDING
