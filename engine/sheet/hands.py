"""The hands: what is open to them and what each pair of gestures completes. rules: F11-F14"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.casting import choose, ending
from engine.gestures import GESTURES, SURRENDER, SYMBOLS, TWO_STABS, WIDTH
from engine.minds import (
    allowed_letters,
    changeable_hands,
    forced_letters,
    mind_at_work,
)
from engine.position import Position, Wizard
from engine.rulesets.ruleset import Completable
from engine.scope import Scope, expected_pair, is_bolt_gone
from engine.sheet.shapes import (
    Caution,
    Completion,
    GestureOption,
    HandSheet,
    SetSheet,
)

CAUTIONS: Final = {
    SURRENDER: Caution(
        "surrender",
        "gesture:surrender",
        "Both palms are a surrender: you will be out of the duel when this turn ends.",
    ),
}


def set_sheets(scope: Scope) -> Iterator[SetSheet]:
    position, own = scope.position, scope.own
    left, right = own.left_state, own.right_state
    step = position.rules.automaton.step
    for number in range(1, len(scope.pairs) + 1):
        hands = tuple(_hand_sheet(position, own, number, hand) for hand in "LR")
        completions = _completions(position, own, left, right, hands)
        yield SetSheet(number, hands[0], hands[1], completions, CAUTIONS)
        symbols = SYMBOLS[expected_pair(position, own, scope.orders, number)]
        left = step[left * WIDTH + symbols[0]]
        right = step[right * WIDTH + symbols[1]]


def _hand_sheet(position: Position, own: Wizard, number: int, hand: str) -> HandSheet:
    kind = mind_at_work(position, own)
    forced = forced_letters(position, own, number)["LR".index(hand)]
    allowed = forced or allowed_letters(position, own)
    reason = rule = changeable = ""
    if forced:
        rule = f"spell:{kind}"
        reason = f"{position.rules.spells[kind].name} makes this hand do {forced}."
    elif kind == "fear":
        rule, reason = "R87", "You are afraid: only P, W, a stab or nothing."
    if hand in changeable_hands(position, own):
        rule = f"spell:{kind}"
        if kind == "charm_person":
            charmer = position.wizard(own.effects[kind].caster)
            changeable = f"charmed by {charmer.name}"
            reason = f"{charmer.name} may write another gesture for this hand."
        else:
            changeable = "confused"
            reason = "Two dice may change the gesture of one of your hands."
    options = tuple(
        GestureOption(
            letter, letter in allowed, "" if letter in allowed else rule,
            "" if letter in allowed else reason,
        )
        for letter in GESTURES
    )  # fmt: skip
    return HandSheet(hand, options, forced, rule, reason, changeable)


def _completions(
    position: Position, own: Wizard, left: int, right: int, hands: tuple[HandSheet, ...]
) -> dict[str, tuple[Completion, ...]]:
    rules, step = position.rules, position.rules.automaton.step
    lefts = [option.letter for option in hands[0].gestures if option.allowed]
    rights = [option.letter for option in hands[1].gestures if option.allowed]
    used = is_bolt_gone(position, own)
    found: dict[str, tuple[Completion, ...]] = {}
    for a in lefts:
        for b in rights:
            symbols = SYMBOLS[a + b]
            left_state = step[left * WIDTH + symbols[0]]
            right_state = step[right * WIDTH + symbols[1]]
            if (rules.ends[left_state] or rules.ends[right_state]) and a + b != TWO_STABS:
                ends = (
                    ending(rules, left_state, used_bolt=used),
                    ending(rules, right_state, used_bolt=used),
                )
                rows = tuple(_completion_rows(*ends))
                if rows:
                    found[a + b] = rows
    return found


def _completion_rows(
    lefts: Sequence[Completable], rights: Sequence[Completable]
) -> Iterator[Completion]:
    defaults = {(hand, end.spell.id) for hand, _, end, _ in choose(lefts, rights, {})}
    shown: set[tuple[str, str]] = set()
    for hand, ends in (("L", lefts), ("R", rights)):
        for end in ends:
            key = ("BH" if end.both else hand, end.spell.id)
            if key not in shown:
                shown.add(key)
                spell = end.spell
                yield Completion(key[0], spell.id, spell.name, key in defaults, spell.rule)
