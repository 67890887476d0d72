"""Cautions about gestures: idle hands, surrender, half a clap, a second knife, held hands.

A wizard is also warned if a rival or the dice may turn a single palm into a surrender.

rules: gesture:nothing, gesture:surrender, R1, R16, R84, R87, W6
"""

from collections.abc import Iterator

from engine.gestures import CLAP, HAND_NAMES, NOTHING, PALM, STAB, STABS_PAIR, SURRENDER_PAIR
from engine.legality.hand_constraints import (
    PAIR_FOR_TWO_STABS,
    HandLimits,
    hand_limits,
    last_row,
    paralysed_letter,
    set_count,
)
from engine.legality.scope import are_choices_asked_later, is_acting, records_both_stabs
from engine.orders import Orders, SetField
from engine.positions.position import DEAD, STANDING, SURRENDERED, Position, Wizard
from engine.rulesets.choices import STEPWISE
from engine.sheet.sheet_types import Caution
from engine.spellbook import HandEffect


def gesture_cautions(position: Position, own: Wizard, orders: Orders) -> Iterator[Caution]:
    """Yield cautions about these gestures, set by set."""
    if not is_acting(position, own):
        return
    is_idle, is_free = True, False
    limits = hand_limits(position, own)
    for number in range(1, set_count(position, own) + 1):
        hands = orders.hands(number)
        forced = limits.forced[number - 1]
        written = hands.left, hands.right
        if are_choices_asked_later(position):
            yield from changed_letter_cautions(position, limits, written, number)
        elif not position.rules.fear_refuses:
            yield from fear_cautions(position, limits, written, number)
        pair = limits.expected_pair(number, *written)
        yield from pair_cautions(position, pair, forced, number)
        yield from second_palm_cautions(position, own, limits, pair, number)
        is_idle = is_idle and pair == NOTHING * 2
        is_free = is_free or not all(forced)
    if is_idle and is_free:
        text = (
            "You have not chosen a gesture for either hand: both do nothing this turn, and their"
            " sequences are broken."
        )
        yield Caution("no_gesture", "gesture:nothing", text, "left")


def fear_cautions(
    position: Position, limits: HandLimits, written: tuple[str, str], number: int
) -> Iterator[Caution]:
    """Yield cautions about letters that fear turns into idle hands. rules: R87, W24"""
    if limits.effect is not HandEffect.FRIGHTENED:
        return
    rule = "R87" if are_choices_asked_later(position) else "W24"
    for hand, letter in zip("LR", written, strict=True):
        if letter not in limits.letters:
            text = f"You are afraid: your {HAND_NAMES[hand]} does nothing instead of {letter}."
            yield Caution("feared_letter", rule, text, SetField(hand, number).text)


def pair_cautions(
    position: Position, pair: str, forced: tuple[str, str], number: int
) -> Iterator[Caution]:
    if pair == SURRENDER_PAIR and all(forced):
        text = (
            "You are forced to show both palms: you surrender when this turn ends, whatever you"
            " order."
        )
        yield Caution("forced_surrender", "gesture:surrender", text, SetField("L", number).text)
    elif pair == SURRENDER_PAIR:
        text = f"Both palms are a surrender: {surrender_consequence(position)}."
        yield Caution("surrender", "gesture:surrender", text, SetField("L", number).text)
    kept = PAIR_FOR_TWO_STABS[position.rules.two_stabs]
    if pair == STABS_PAIR:
        stabs, rests = ("L", "R") if kept[0] == STAB else ("R", "L")
        rule, does = "R16", "does nothing"
        if records_both_stabs(position.rules):
            rule, does = "W6", "stabs without it"
        hands = f"your {HAND_NAMES[stabs]} stabs, and your {HAND_NAMES[rests]} {does}"
        text = f"You have one knife: {hands}."
        yield Caution("two_knives", rule, text, SetField(rests, number).text)
    if pair.count(CLAP) == 1 and not all(forced):
        hand = "L" if pair[0] == CLAP else "R"
        text = (
            f"Your {HAND_NAMES[hand]} claps alone: half a clap is worth nothing and breaks"
            " that hand’s sequences."
        )
        yield Caution("half_a_clap", "R1", text, SetField(hand, number).text)


def surrender_consequence(position: Position) -> str:
    """Return the consequence of a surrender, as the end of a sentence.

    rules: gesture:surrender, W48
    """
    out = "you will be out of the duel when this turn ends"
    if position.rules.death_before_surrender:
        out += ", unless you are the only one left"
    return out


def second_palm_cautions(
    position: Position, own: Wizard, limits: HandLimits, pair: str, number: int
) -> Iterator[Caution]:
    """Yield cautions about one palm if dice or a rival may turn the other hand into a palm too.

    rules: R84, W18
    """
    if pair.count(PALM) != 1 or len(pair) != 2:  # illegal orders can contain longer texts
        return
    other = 1 - pair.index(PALM)
    hand = "LR"[other]
    kind, hands = limits.mind, limits.effect
    if not kind or hand not in limits.changeable:
        return
    name = HAND_NAMES[hand]
    if hands is HandEffect.DRAWN:
        if PALM not in position.rules.confused:
            return
        rule, when = "R84", f"You are confused: if the dice make your {name} do P,"
    else:
        caster = position.wizard(own.effects[kind].caster)
        if caster is own or not can_direct_hand(position, caster):
            return
        rule, when = f"spell:{kind}", f"If {caster.name} makes your {name} do P,"
        if hands is HandEffect.HELD:
            if paralysed_letter(position.rules, last_row(own)[other]) != PALM:
                return
            rule, when = "W18", f"If {caster.name} holds your {name}, it does P, and"
    text = f"{when} both palms are a surrender: {surrender_consequence(position)}."
    yield Caution("may_surrender", rule, text, SetField(hand, number).text)


def can_direct_hand(position: Position, caster: Wizard) -> bool:
    """Return whether this caster may still direct one of the wizard's hands. rules: R86, R214"""
    asked_late = position.rules.order_of_play == STEPWISE
    return caster.standing in ((STANDING, DEAD, SURRENDERED) if asked_late else (STANDING,))


def changed_letter_cautions(
    position: Position, limits: HandLimits, written: tuple[str, str], number: int
) -> Iterator[Caution]:
    """Yield cautions about letters that are accepted but will be changed at the reveal.

    rules: turn:stepwise
    """
    kind = limits.mind
    for hand, letter, must in zip("LR", written, limits.forced[number - 1], strict=True):
        if must and letter not in (must, "-"):
            name = position.rules.spells[kind].name
            text = f"{name} makes your {HAND_NAMES[hand]} do {must}, whatever you order."
            yield Caution("forced_hand", f"spell:{kind}", text, SetField(hand, number).text)
    yield from fear_cautions(position, limits, written, number)
