"""The hands: what is open to them and what each pair of gestures completes. rules: F11-F14"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.casting import choose, ending
from engine.gestures import GESTURES, HAND_NAMES, STAB, SURRENDER, SYMBOLS, TWO_STABS, WIDTH
from engine.minds import (
    acting_minds,
    allowed_letters,
    changeable_hands,
    forced_letters,
    mind_at_work,
    sets_due,
)
from engine.position import EXTRA, HASTE, STANDING, Position, Wizard
from engine.rulesets.ruleset import Completable
from engine.scope import Scope, acts, expected_pair, is_bolt_gone
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
        rule, reason = _set_reason(position, own)
        yield SetSheet(number, hands[0], hands[1], completions, CAUTIONS, rule, reason)
        symbols = SYMBOLS[expected_pair(position, own, scope.orders, number)]
        left = step[left * WIDTH + symbols[0]]
        right = step[right * WIDTH + symbols[1]]


def idle_reason(position: Position, own: Wizard) -> tuple[str, str]:
    """The rule by which a wizard who is in the duel makes no gesture now, and why; "" if he does.

    rules: R97, R98
    """
    if own.standing != STANDING or position.outcome or acts(position, own):
        return "", ""
    if position.kind == HASTE:
        return "R97", "This is a phase of the hasted: your hands rest until the turn."
    return "R98", "Time has stopped for you: your hands rest until it goes on."


def _set_reason(position: Position, own: Wizard) -> tuple[str, str]:
    """The rule by which there are more sets than one a turn, and why; "" where there are not."""
    if position.kind == EXTRA:
        return "R98", "Time has stopped for others: only those whom it spares act."
    if position.kind == HASTE:
        return "R97", "You are hasted: this row comes before the turn."
    if sets_due(position, own) > 1:
        return "R97", "You are hasted: you make two sets of gestures this turn."
    return "", ""


def _hand_sheet(position: Position, own: Wizard, number: int, hand: str) -> HandSheet:
    kind = mind_at_work(position, own)
    forced = forced_letters(position, own, number)
    must = forced["LR".index(hand)]
    allowed = must or allowed_letters(position, own)
    rule, reason, changeable = _mind_reason(position, own, hand, must)
    barred = {letter: (rule, reason) for letter in GESTURES if letter not in allowed}
    if STAB in allowed and not must and STAB in forced and not position.rules.asks_late:
        other = HAND_NAMES["R" if hand == "L" else "L"]
        barred[STAB] = "R129", f"Your {other} must stab, and you have one knife."
    options = tuple(
        GestureOption(letter, letter not in barred, *barred.get(letter, ("", "")))
        for letter in GESTURES
    )
    if not kind:
        rule, reason = _freed_reason(position, own)
    return HandSheet(hand, options, must, rule, reason, changeable)


def _mind_reason(position: Position, own: Wizard, hand: str, must: str) -> tuple[str, str, str]:
    """Rule and reason of what a mind spell does to this hand, and who may change it."""
    kind = mind_at_work(position, own)
    if must:
        return f"spell:{kind}", f"{position.rules.spells[kind].name} makes this hand do {must}.", ""
    if kind == "fear":
        return "R87", "You are afraid: only P, W, a stab or nothing.", ""
    if hand not in changeable_hands(position, own):
        return "", "", ""
    if kind == "charm_person":
        charmer = position.wizard(own.effects[kind].caster)
        reason = f"{charmer.name} may write another gesture for this hand."
        return f"spell:{kind}", reason, f"charmed by {charmer.name}"
    return f"spell:{kind}", "Two dice may change the gesture of one of your hands.", "confused"


def _freed_reason(position: Position, own: Wizard) -> tuple[str, str]:
    """That mind spells hold each other off, so that the hands are free. rules: R79, R168"""
    if position.rules.asks_late:
        return "", ""
    minds = acting_minds(own, position.turn, extra=position.kind == EXTRA)
    if len(minds) < 2:
        return "", ""
    names = " and ".join(position.rules.spells[kind].name for kind in minds)
    return "R79", f"{names} hold each other off: your hands are free."


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
