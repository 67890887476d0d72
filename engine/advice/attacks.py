"""Cautions about stabs, and about the victims of the wizard's own monsters.

rules: turn:stab, turn:shield, R17, R72, R74, R94, R95
"""

from collections.abc import Iterator

from engine.advice.foreseen_orders import (
    OWN_SIDE,
    SELF_SIDE,
    ForeseenOrders,
    binding_mind_spell,
    with_first_letter_capital,
)
from engine.events import Controlled, Hit, Idle, Raised, Stopped, Summoned
from engine.gestures import HAND_NAMES, STAB
from engine.ids import FUTURE_BEINGS
from engine.legality.moves import Moves
from engine.legality.scope import ATTACKER
from engine.orders import EMPTY_SET, KeyedField, SetField
from engine.positions.position import HASTE, Monster
from engine.sheet.sheet_types import Caution


def stab_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about stabs that miss, or that hit the wizard's own side."""
    blows = [
        event
        for event in foreseen.events
        if isinstance(event, Hit | Stopped)
        and event.source == "stab"
        and event.by == foreseen.own.id
    ]
    for (hand, field), event in zip(stabbing_hands(foreseen), blows, strict=False):
        if isinstance(event, Hit):
            yield from friendly_stab_cautions(foreseen, hand, event.subject, field)
        elif not (event.cause == "no_subject" and is_made_by_rival(foreseen, event.subject)):
            yield missed_stab_caution(foreseen, hand, event, field)


def stabbing_hands(foreseen: ForeseenOrders) -> list[tuple[str, str]]:
    """Return the hands that stab, set by set, each with the order field for its target."""
    found: list[tuple[str, str]] = []
    moves = Moves(foreseen.position, foreseen.own)
    for number in range(1, 3):
        hands = foreseen.orders.hands(number)
        pair = moves.expected_pair(number, hands)
        if number == 1 or hands is not EMPTY_SET:
            found += [
                (f"Your {HAND_NAMES[hand]}", SetField(hand, number, "subject").text)
                for hand, letter in zip("LR", pair, strict=True)
                if letter == STAB
            ]
    return found


def is_made_by_rival(foreseen: ForeseenOrders, name: str) -> bool:
    """Return whether the name refers to a monster that a rival's hand may make."""
    return name in FUTURE_BEINGS and FUTURE_BEINGS[name].maker != foreseen.own.id


def friendly_stab_cautions(
    foreseen: ForeseenOrders, hand: str, subject: str, field: str
) -> Iterator[Caution]:
    side = foreseen.side_of_being(subject)
    if side == SELF_SIDE:
        yield Caution("stabs_yourself", "R17", f"{hand} stabs you.", field)
    elif side == OWN_SIDE:
        text = f"{hand} stabs {foreseen.name_with_owner(subject)}."
        yield Caution("stabs_own_monster", "turn:stab", text, field)


def missed_stab_caution(foreseen: ForeseenOrders, hand: str, event: Stopped, field: str) -> Caution:
    whom = foreseen.names(foreseen.name_in_orders(event.subject))
    if event.cause == "shield":
        subject = name_with_verb_is(foreseen, event.subject)
        text = f"{hand} stabs in vain: {subject} shielded this turn."
        return Caution("stab_shielded", "turn:shield", text, field)
    if event.cause == "invisible":
        text = f"{hand} stabs in vain: {whom} cannot be seen this turn."
        return Caution("stab_unseen", "R95", text, field)
    if event.cause == "blind":
        text = f"{hand} stabs in vain: you are blind and cannot hit anyone."
        return Caution("stab_blind", "R94", text, field)
    return Caution("stab_at_nobody", "R17", f"{hand} stabs at nobody: the stab is wasted.", field)


def name_with_verb_is(foreseen: ForeseenOrders, monster: str) -> str:
    return foreseen.names.name_with_verb(foreseen.name_in_orders(monster), "are", "is")


def attack_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about monsters that attack their own side, or a victim they cannot harm."""
    if foreseen.position.kind == HASTE:
        return
    mine = commanded_monsters(foreseen)
    count: dict[str, int] = {}
    for event in foreseen.events:
        if isinstance(event, Hit | Stopped) and event.source == "attack":
            monster = event.by
        elif isinstance(event, Idle):
            monster = event.monster
        else:
            continue
        if monster not in mine:
            continue
        count[monster] = count.get(monster, 0) + 1
        key = foreseen.name_in_orders(monster)
        field = KeyedField("victim", key, count[monster]).text
        yield from attack_caution(foreseen, event, key, field)


def commanded_monsters(foreseen: ForeseenOrders) -> set[str]:
    """Return the monsters that attack on the wizard's orders, not because of a mind spell."""
    own = {
        monster.id
        for monster in foreseen.position.monsters
        if monster.controller == foreseen.own.id and can_take_orders(foreseen, monster)
    }
    for event in foreseen.events:
        if isinstance(event, Summoned) and event.controller == foreseen.own.id:
            if event.kind not in ("fire", "ice"):
                own.add(event.monster)
        elif isinstance(event, Controlled) and event.controller == foreseen.own.id:
            own.add(event.monster)
        elif isinstance(event, Raised) and event.wizard == foreseen.own.id:
            own.add(event.subject)
    bound = {
        monster.id
        for monster in foreseen.position.monsters
        if not can_take_orders(foreseen, monster)
    }
    return own - bound


def can_take_orders(foreseen: ForeseenOrders, monster: Monster) -> bool:
    """Return whether the monster takes orders this turn. rules: R83, R155"""
    return not monster.is_elemental and not binding_mind_spell(foreseen.position, monster)


def attack_caution(
    foreseen: ForeseenOrders, event: object, key: str, field: str
) -> Iterator[Caution]:
    name = with_first_letter_capital(foreseen.names(key))
    if isinstance(event, Idle):
        written = foreseen.orders.victims.get(key, ())
        if event.cause == "no_victim" and written and not has_uncertain_victim(foreseen, written):
            text = f"{name} attacks nobody: its victim will not be there."
            yield Caution("attacks_nobody", "R72", text, field)
        return
    assert isinstance(event, Hit | Stopped)
    side = foreseen.side_of_being(event.subject)
    if side == SELF_SIDE:
        yield Caution("attacks_master", "R74", f"{name} attacks you, its master.", field)
    elif side == OWN_SIDE:
        is_itself = event.subject == foreseen.being_id(key)
        whom = "itself" if is_itself else foreseen.name_with_owner(event.subject)
        text = f"{name} attacks {whom}."
        yield Caution("attacks_own_monster", "R74", text, field)
    elif isinstance(event, Stopped) and event.cause == "shield":
        subject = name_with_verb_is(foreseen, event.subject)
        text = f"{name} attacks in vain: {subject} shielded this turn."
        yield Caution("attack_shielded", "turn:shield", text, field)
    elif isinstance(event, Stopped) and event.cause == "invisible":
        whom = foreseen.names(event.subject)
        text = f"{name} attacks in vain: {whom} cannot be seen this turn."
        yield Caution("attack_unseen", "R95", text, field)


def has_uncertain_victim(foreseen: ForeseenOrders, victims: tuple[str, ...]) -> bool:
    """Return whether the victim depends on a rival's orders or on an unknown attacker."""
    return any(victim == ATTACKER or is_made_by_rival(foreseen, victim) for victim in victims)
