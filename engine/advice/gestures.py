"""Cautions about the gestures themselves: none at all, both palms, half a clap, the one knife, held
hands.

rules: gesture:nothing, gesture:surrender, R1, R16, R87
"""

from collections.abc import Iterator

from engine.gestures import CLAP, HAND_NAMES, NOTHING, SIDES, STAB, SURRENDER, TWO_STABS
from engine.minds import ONE_STAB, forced_letters, mind_at_work, sets_due
from engine.orders import NO_SET, Orders
from engine.position import Position, Wizard
from engine.scope import acts, is_asked_all
from engine.sheet.shapes import Caution


def gesture_cautions(position: Position, own: Wizard, orders: Orders) -> Iterator[Caution]:
    """What these gestures bring with them, set by set."""
    if not acts(position, own):
        return
    is_idle, is_free = True, False
    for number in range(1, sets_due(position, own) + 1):
        hands = orders.sets[number - 1] if number <= len(orders.sets) else NO_SET
        suffix = "" if number == 1 else str(number)
        forced = forced_letters(position, own, number)
        written = hands.left, hands.right
        if is_asked_all(position):
            yield from held_cautions(position, own, written, forced, suffix)
        pair = "".join(
            must or letter
            for must, letter in zip(forced, fear_changes(position, own, written), strict=True)
        )
        yield from pair_cautions(position, pair, forced, suffix)
        is_idle = is_idle and pair == NOTHING * 2
        is_free = is_free or not all(forced)
    if is_idle and is_free:
        text = (
            "You have chosen no gesture for either hand: both do nothing this turn, and what they"
            " have begun is broken off."
        )
        yield Caution("no_gesture", "gesture:nothing", text, "left")


def fear_changes(position: Position, own: Wizard, written: tuple[str, str]) -> tuple[str, str]:
    """The letters as fear lets them be made."""
    if mind_at_work(position, own) != "fear":
        return written
    allowed = position.rules.under_fear
    left, right = (letter if letter in allowed else "-" for letter in written)
    return left, right


def pair_cautions(
    position: Position, pair: str, forced: tuple[str, str], suffix: str
) -> Iterator[Caution]:
    if pair == SURRENDER and all(forced):
        text = "Both palms are forced on you: you surrender as this turn ends, whatever you write."
        yield Caution("forced_surrender", "gesture:surrender", text, f"left{suffix}")
    elif pair == SURRENDER:
        text = "Both palms are a surrender: you will be out of the duel when this turn ends."
        yield Caution("surrender", "gesture:surrender", text, f"left{suffix}")
    kept = ONE_STAB[position.rules.two_stabs]
    if pair == TWO_STABS:
        stabs, rests = ("left", "right") if kept[0] == STAB else ("right", "left")
        text = f"You have one knife: your {stabs} hand stabs, and your {rests} hand does nothing."
        yield Caution("two_knives", "R16", text, f"{rests}{suffix}")
    if pair.count(CLAP) == 1 and not all(forced):
        hand = "L" if pair[0] == CLAP else "R"
        text = (
            f"Your {HAND_NAMES[hand]} claps alone: half a clap is worth nothing and breaks what"
            " that hand has begun."
        )
        yield Caution("half_a_clap", "R1", text, SIDES[hand] + suffix)


def held_cautions(
    position: Position,
    own: Wizard,
    written: tuple[str, str],
    forced: tuple[str, str],
    suffix: str,
) -> Iterator[Caution]:
    """Letters that are taken as written and put right as they are made. rules: turn:stepwise"""
    kind = mind_at_work(position, own)
    for hand, letter, must in zip("LR", written, forced, strict=True):
        field = SIDES[hand] + suffix
        if must and letter not in (must, "-"):
            name = position.rules.spells[kind].name
            text = f"{name} makes your {HAND_NAMES[hand]} do {must}, whatever you write."
            yield Caution("forced_hand", f"spell:{kind}", text, field)
        elif not must and kind == "fear" and letter not in position.rules.under_fear:
            text = f"You are afraid: your {HAND_NAMES[hand]} does nothing instead of {letter}."
            yield Caution("feared_letter", "R87", text, field)
