"""A turn as one wizard can foresee it: their orders played among rivals who do nothing.

What they cannot know is taken out of the position first, so that nothing which is told of this turn
can depend on it: unseen wounds and effects, rivals' gestures, banks and orders. What another or
chance may still change of their own hands is taken as they write it. rules: turn:seeing, R94, R121
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.casting import default_opponent
from engine.check import check
from engine.events import Cast, Drew, Event, Hit, Stopped, Summoned
from engine.gestures import BANK, SIDES
from engine.ids import is_monster, monster_number, to_come
from engine.json_values import InvalidData
from engine.minds import changeable_hands
from engine.orders import (
    NO_ORDERS,
    NO_SET,
    HandSet,
    KeyedField,
    Orders,
    fields,
    from_fields,
    order_field,
)
from engine.position import HASTE, NO_EFFECTS, NORMAL, STANDING, Effect, Monster, Position, Wizard
from engine.resolve import ORDERS_OF_PLAY
from engine.rulesets import Ruleset
from engine.rulesets.choices import Haste, Opponent
from engine.scope import NO_ONE, NOWHERE, acts
from engine.spellbook import ONE_HANDED, Default, Hands, Spell
from engine.view.shapes import BeingView
from engine.view.status import status_list

UNSEEN: Final = "unseen"
DRAWN: Final = "drawn"
"""The subject of a foreseen cast whose opponent is drawn. rules: W3"""
HANDS: Final = ("L", "R", "BH", "BANK")
ELEMENTS: Final = ("fire", "ice")


class LowestDice:
    """Dice that show the first face: nothing that is told may hang on them."""

    def draw(self, label: str, sides: int) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class ForeseenTurn:
    """The turn foreseen: what is known before it, the orders as far as they are legal, events.

    `casts` are what these orders cast now; `made` has the monsters of this turn by the name that
    orders give them; `bank_subject` is at whom what is banked then goes, "" where nobody knows.
    """

    position: Position
    own: Wizard
    orders: Orders
    events: tuple[Event, ...]
    casts: tuple[Cast, ...]
    made: dict[str, str]
    bank_subject: str = ""


def foresee_turn(position: Position, wizard: str, orders: Orders) -> ForeseenTurn:
    """What these orders come to if nobody else does anything.

    The duel must be running and the wizard in it.
    """
    legal = without_faults(position, wizard, orders)
    known = known_to(position, wizard)
    sealed = {wizard: legal}
    for other in known.wizards:
        if other.id != wizard:
            held = {m.id: (NO_ONE,) for m in known.monsters if m.controller == other.id}
            sealed[other.id] = Orders(victims=held)
    events: list[Event] = []
    play = ORDERS_OF_PLAY[known.rules.order_of_play]
    after = play.resolve(known, sealed, {}, LowestDice(), events.append)
    if drawn := drawn_hands(known, wizard, legal, events):
        sealed[wizard] = aimed_at_nobody(legal, drawn)
        events.clear()
        after = play.resolve(known, sealed, {}, LowestDice(), events.append)
    has_own_phase = known.rules.haste is Haste.OWN_PHASE
    if (
        has_own_phase and known.kind == HASTE and after.kind == NORMAL
    ):  # its spells are cast with those of the turn
        empty_all_hands(after)
        play.resolve(after, sealed | {wizard: NO_ORDERS}, {}, LowestDice(), events.append)
    casts = own_casts(known, wizard, events)
    made = monsters_made(known.rules, casts, events, wizard)
    if known.rules.opponent is Opponent.DRAWN:
        casts = tuple(
            replace(cast, subject=DRAWN) if (cast.set, cast.hand) in drawn else cast
            for cast in casts
        )
        events = without_drawn_blows(known, wizard, legal, events)
    subject = "" if drawn else after.wizard(wizard).bank_subject
    return ForeseenTurn(known, known.wizard(wizard), legal, tuple(events), casts, made, subject)


def drawn_hands(
    known: Position, wizard: str, orders: Orders, events: Sequence[Event]
) -> frozenset[tuple[int, str]]:
    """The sets and hands of whose spells the opponent is drawn: nobody can foresee which. W3"""
    if known.rules.opponent is not Opponent.DRAWN:
        return frozenset()
    return frozenset(
        (cast.set, cast.hand)
        for cast in own_casts(known, wizard, events)
        if cast.hand in SIDES and is_drawn(known, wizard, orders, cast)
    )


def is_drawn(known: Position, wizard: str, orders: Orders, cast: Cast) -> bool:
    """Whether the subject of a cast is drawn, nobody being named and there being several."""
    spell = known.rules.spells[cast.spell]
    hands = orders.sets[cast.set - 1] if cast.set <= len(orders.sets) else NO_SET
    named = hands.subjects.keys() & ({cast.hand} if cast.hand != "BH" else {"L", "R", "BH"})
    if named or spell.default is not Default.OPPONENT:
        return False
    return not default_opponent(known, wizard)


def aimed_at_nobody(orders: Orders, drawn: Collection[tuple[int, str]]) -> Orders:
    """The orders with the spells of these hands at nowhere: nothing else is told of them."""
    sets = tuple(
        replace(
            hands,
            subjects={
                **hands.subjects,
                **{hand: NOWHERE for set, hand in drawn if set == number},
            },
        )
        for number, hands in enumerate(orders.sets, 1)
    )
    return replace(orders, sets=sets)


def without_drawn_blows(
    known: Position, wizard: str, orders: Orders, events: Sequence[Event]
) -> list[Event]:
    """The events but for stabs and attacks at an opponent who is drawn. rules: W3"""
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
    """What they cast by these orders, and not what the haste row has aimed already."""
    aimed = {2} if known.kind == NORMAL and known.rules.haste is Haste.OWN_PHASE else set[int]()
    casts = [event for event in events if isinstance(event, Cast) and event.wizard == wizard]
    now = [cast for cast in casts if cast.set not in aimed]
    return tuple(sorted(now, key=lambda cast: (cast.set, HANDS.index(cast.hand))))


def monsters_made(
    rules: Ruleset, casts: Sequence[Cast], events: Sequence[Event], wizard: str
) -> dict[str, str]:
    """By the names that orders give them, the monsters which these casts have made."""
    waiting = list(casts)
    made: dict[str, str] = {}
    for event in events:
        if not isinstance(event, Summoned) or event.wizard != wizard:
            continue
        for cast in waiting:
            if makes(rules.spells[cast.spell], event.kind):
                waiting.remove(cast)
                made[name_in_orders(cast)] = event.monster
                break
    return made


def makes(spell: Spell, kind: str) -> bool:
    """Whether the spell can have made a monster of that kind."""
    return kind == spell.monster or (spell.monster == "elemental" and kind in ELEMENTS)


def name_in_orders(cast: Cast) -> str:
    """How orders name the monster that this cast makes. rules: R14"""
    return to_come(cast.wizard, cast.hand, 1 if cast.hand == BANK else cast.set)


def without_faults(position: Position, wizard: str, orders: Orders) -> Orders:
    """The orders without what `check` refuses in them."""
    faults = check(position, wizard, orders)
    if not faults:
        return orders
    try:
        flat = fields(with_unreadable_hands_empty(orders))
        for _ in range(len(flat)):
            refused = {fault.field for fault in faults}
            kept = {name: value for name, value in flat.items() if is_kept(name, refused)}
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


def is_kept(field: str, refused: set[str]) -> bool:
    """Whether nothing is wrong with the field; a monster's attacks stand or fall together."""
    parts = order_field(field)
    first = KeyedField(parts.kind, parts.key).text if isinstance(parts, KeyedField) else field
    return field not in refused and first not in refused


def with_unreadable_hands_empty(orders: Orders) -> Orders:
    """The orders with what is no gesture taken as nothing."""
    sets = tuple(
        hands if hands.is_lawful else HandSet(spells=hands.spells, subjects=hands.subjects)
        for hands in orders.sets
    )
    return Orders(
        sets, orders.victims, orders.charmed, orders.held, orders.release, orders.release_subject,
        orders.bank, orders.permanency, orders.sacrifice, orders.heart, orders.answers, orders.say,
    )  # fmt: skip


# The position as far as they know it


def known_to(position: Position, wizard: str) -> Position:
    """The position without all that this wizard cannot know of it."""
    status = list(status_list(position, wizard))
    new = position.copy()
    seen = {being.id: being for being in status}
    new.wizards = [
        own_wizard_known(new, other)
        if other.id == wizard
        else other_wizard_known(new.rules, other, seen.get(other.id))
        for other in new.wizards
    ]
    monsters = [known_monster(new, being, wizard) for being in status if is_monster(being.id)]
    new.monsters = sorted(monsters, key=lambda monster: monster_number(monster.id))
    new.created = 1 + max((monster_number(monster.id) for monster in monsters), default=-1)
    new.stopped = tuple(id for id in new.stopped if id in seen)
    new.pending = tuple(cast for cast in new.pending if cast.wizard == wizard)
    return new


def own_wizard_known(position: Position, own: Wizard) -> Wizard:
    """The wizard; where another or chance may change a hand, as they write it."""
    own.attacker = ""
    own.blind_charms = ()
    if changeable_hands(position, own):
        one_handed = {
            kind for kind, hands in position.rules.hands_under.items() if hands in ONE_HANDED
        }
        for kind in one_handed & own.effects.keys():
            if own.effects[kind].caster != own.id:
                del own.effects[kind]
        own.lasting = {
            kind: effect for kind, effect in own.lasting.items() if kind not in one_handed
        }
    return own


def other_wizard_known(rules: Ruleset, other: Wizard, seen: BeingView | None) -> Wizard:
    """Another wizard: idle hands, and of their wounds and effects what is seen."""
    other.damage = (seen.damage if seen is not None else None) or 0
    other.effects = seen_effects(other, seen)
    other.bank = other.bank_pattern = other.bank_subject = other.attacker = ""
    other.used_bolt = False
    other.knows = None
    if seen is None or seen.damage is None:
        other.guards = ()
    empty_hands(rules, other)
    return other


def seen_effects(being: Wizard | Monster, seen: BeingView | None) -> dict[str, Effect]:
    codes = {effect.code for effect in seen.effects} if seen is not None else set[str]()
    return {
        kind: effect._replace(unseen_by=())
        for kind, effect in being.effects.items()
        if kind in codes
    }


def empty_hands(rules: Ruleset, wizard: Wizard) -> None:
    """The wizard completes nothing and makes nothing, whatever binds them."""
    wizard.letters = wizard.held = ""
    wizard.left_state = wizard.right_state = 0
    wizard.made = wizard.blind_charms = ()
    wizard.lasting = NO_EFFECTS
    for kind, effect in list(wizard.effects.items()):
        if kind in rules.mind_spells:
            is_drawn = rules.hands_under.get(kind) is Hands.DRAWN
            wizard.effects[kind] = effect._replace(
                hand=effect.hand or ("L" if is_drawn else ""), letter="-", sets=("--",)
            )


def known_monster(position: Position, seen: BeingView, wizard: str) -> Monster:
    """A monster as the wizard knows of it: one that they cannot see may be anything."""
    found = position.being(seen.id)
    if seen.state == UNSEEN or not isinstance(found, Monster):
        return unseen_monster(seen)
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


def unseen_monster(seen: BeingView) -> Monster:
    return Monster(seen.id, "goblin", seen.name)


def empty_all_hands(position: Position) -> None:
    """Nobody does anything more: not in the phase that is played to see what comes of the last."""
    for wizard in position.wizards:
        empty_hands(position.rules, wizard)


def is_in_play(position: Position, own: Wizard) -> bool:
    """Whether there is a turn that they may have a part in."""
    return not position.outcome and own.standing == STANDING


__all__ = ["ForeseenTurn", "acts", "foresee_turn", "is_in_play", "known_to", "name_in_orders"]
