"""Choices of hands: their possible gestures, and the spells that each pair completes.

rules: F11-F14
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.gestures import (
    GESTURES,
    HAND_NAMES,
    STAB,
    STABS_PAIR,
    SURRENDER_PAIR,
    SYMBOL_COUNT,
    SYMBOLS_OF_PAIR,
)
from engine.legality.casting import choose_spells, completed_spells
from engine.legality.hand_constraints import active_mind_spells, last_row, paralysed_letter
from engine.legality.moves import Moves, PossibleSpells
from engine.legality.scope import is_acting, is_bolt_spent
from engine.positions.position import EXTRA, HASTE, STANDING, Position, Wizard
from engine.rules_text.wording import and_list, letters_text
from engine.rulesets.choices import HasteMode, MindTiming, TimeStopMode, TwoStabs
from engine.rulesets.ruleset import CompletablePattern, Ruleset
from engine.sheet.sheet_types import Caution, Completion, GestureOption, HandSheet, SetSheet
from engine.spellbook import HandEffect

PAIR_CAUTIONS: Final = {
    SURRENDER_PAIR: Caution(
        "surrender",
        "gesture:surrender",
        "Both palms are a surrender: you will be out of the duel when this turn ends.",
    ),
}


def set_sheets(possible: PossibleSpells) -> Iterator[SetSheet]:
    moves, own = possible.moves, possible.own
    left, right = own.left_state, own.right_state
    step = possible.position.rules.automaton.step
    for number in range(1, moves.sets + 1):
        hands = tuple(_hand_sheet(moves, number, hand) for hand in "LR")
        completions = _completions(moves, left, right, hands)
        rule, reason = _set_reason(moves)
        yield SetSheet(number, hands[0], hands[1], completions, PAIR_CAUTIONS, rule, reason)
        symbols = SYMBOLS_OF_PAIR[moves.expected_pair(number, possible.orders.hands(number))]
        left = step[left * SYMBOL_COUNT + symbols[0]]
        right = step[right * SYMBOL_COUNT + symbols[1]]


def idle_reason(position: Position, own: Wizard) -> tuple[str, str]:
    """Return the rule and the reason if a wizard in the duel makes no gestures now, otherwise "".

    rules: R97, R98, W9, W12
    """
    if own.standing != STANDING or position.outcome or is_acting(position, own):
        return "", ""
    if position.kind == HASTE:
        if position.rules.haste is HasteMode.OWN_TURN:
            return "W9", "Only hasted wizards act this turn: your hands rest until the next one."
        return "R97", "Only hasted wizards act in this phase: your hands rest until the turn."
    rule = "W12" if position.rules.time_stop is TimeStopMode.OWN_TURN else "R98"
    return rule, "Time has stopped for you: your hands rest until it moves again."


def _set_reason(moves: Moves) -> tuple[str, str]:
    """Return the rule and the reason if only some wizards make this set, otherwise "" twice."""
    position = moves.position
    if position.kind == EXTRA and position.rules.time_stop is TimeStopMode.OWN_TURN:
        return "W12", "Time has stopped for others: only spells cast in this turn count."
    if position.kind == EXTRA:
        return "R98", "Time has stopped for others: only the wizards it spares act."
    if position.kind == HASTE and position.rules.haste is HasteMode.OWN_TURN:
        return "W9", "You are hasted: only hasted wizards act this turn."
    if position.kind == HASTE:
        return "R97", "You are hasted: this extra set comes before the turn."
    if moves.sets > 1:
        return "R97", "You are hasted: you make two sets of gestures this turn."
    return "", ""


def _hand_sheet(moves: Moves, number: int, hand: str) -> HandSheet:
    forced = moves.limits.forced[number - 1]
    must = forced["LR".index(hand)]
    allowed = moves.allowed_letters(number, hand)
    rule, reason, changeable = _hand_constraint(moves, hand, must)
    barred = {letter: (rule, reason) for letter in GESTURES if letter not in allowed}
    refuses_two = moves.position.rules.two_stabs is TwoStabs.REFUSED
    if STAB in allowed and not must and STAB in forced and refuses_two:
        other = HAND_NAMES["R" if hand == "L" else "L"]
        barred[STAB] = "R129", f"Your {other} must stab, and you have only one knife."
    options = tuple(
        GestureOption(letter, letter not in barred, *barred.get(letter, ("", "")))
        for letter in GESTURES
    )
    if not moves.limits.mind:
        rule, reason = _freed_reason(moves.position, moves.own)
    return HandSheet(hand, options, must, rule, reason, changeable)


class HandConstraint(NamedTuple):
    """Effect of a mind spell on a hand: its rule, an explanation, and who may change the hand."""

    rule: str = ""
    reason: str = ""
    changeable: str = ""


def _hand_constraint(moves: Moves, hand: str, must: str) -> HandConstraint:
    """Return the effect of the active mind spell on this hand; empty if there is none."""
    position, own, limits = moves.position, moves.own, moves.limits
    kind, hands = limits.mind, limits.effect
    if must:
        spell, letter = position.rules.spells[kind].name, letters_text(must)
        return HandConstraint(f"spell:{kind}", f"{spell} makes this hand do {letter}.")
    if hands is HandEffect.FRIGHTENED:
        letters = letters_text(limits.letters)
        if position.rules.fear_refuses:
            return HandConstraint("R87", f"You are afraid: only {letters}.")
        return HandConstraint("W24", f"You are afraid: anything except {letters} becomes nothing.")
    if hands is HandEffect.COPIED and hand == "L":
        return HandConstraint("W23", "This hand copies the right one.", "maladroit")
    if not kind or hand not in limits.changeable:
        return HandConstraint()
    if hands is HandEffect.HELD:
        rules, name = position.rules, position.wizard(own.effects[kind].caster).name
        letter = letters_text(paralysed_letter(rules, last_row(own)["LR".index(hand)]))
        reason = f"{name} may hold this hand: it then makes {letter}."
        return HandConstraint("W18", reason, f"may be held by {name}")
    if hands is HandEffect.CHARMED:
        charmer = position.wizard(own.effects[kind].caster)
        reason = f"{charmer.name} may choose another gesture for this hand."
        return HandConstraint(f"spell:{kind}", reason, f"charmed by {charmer.name}")
    reason = "Two dice may change the gesture of one of your hands."
    return HandConstraint(f"spell:{kind}", reason, "confused")


def _freed_reason(position: Position, own: Wizard) -> tuple[str, str]:
    """Return the rule and the explanation if mind spells cancel each other. rules: R79, R168"""
    if position.rules.minds is MindTiming.NEXT_ROW:
        return "", ""
    minds = active_mind_spells(position.rules, position, own)
    if len(minds) < 2:
        return "", ""
    names = and_list(position.rules.spells[kind].name for kind in minds)
    return "R79", f"{names} cancel each other: your hands are free."


def _completions(
    moves: Moves, left: int, right: int, hands: tuple[HandSheet, ...]
) -> dict[str, tuple[Completion, ...]]:
    rules, limits = moves.position.rules, moves.limits
    step = rules.automaton.step
    lefts, rights = (
        [
            option.letter
            for option in hand.gestures
            if option.allowed and (option.letter in limits.letters or hand.forced)
        ]
        for hand in hands
    )
    used = is_bolt_spent(moves.position, moves.own)
    found: dict[str, tuple[Completion, ...]] = {}
    shared: dict[tuple[int, int], tuple[Completion, ...]] = {}  # by the states that pairs lead to
    for a in lefts:
        for b in rights:
            made = limits.pair_after_changes(a + b)
            symbols = SYMBOLS_OF_PAIR[made]
            left_state = step[left * SYMBOL_COUNT + symbols[0]]
            right_state = step[right * SYMBOL_COUNT + symbols[1]]
            ends = rules.ends[left_state], rules.ends[right_state]
            if not (ends[0] or ends[1]) or made == STABS_PAIR:
                continue
            key = (left_state if ends[0] else -1, right_state if ends[1] else -1)
            if key not in shared:
                lefts_end = completed_spells(rules, left_state, used_bolt=used)
                rights_end = completed_spells(rules, right_state, used_bolt=used)
                shared[key] = tuple(_completion_rows(rules, lefts_end, rights_end))
            if shared[key]:
                found[a + b] = shared[key]
    return found


def _completion_rows(
    rules: Ruleset, lefts: Sequence[CompletablePattern], rights: Sequence[CompletablePattern]
) -> Iterator[Completion]:
    chosen = choose_spells(rules, lefts, rights, {})
    defaults = {(cast.hand, cast.completed.spell.id) for cast in chosen}
    shown: set[tuple[str, str]] = set()
    for hand, ends in (("L", lefts), ("R", rights)):
        for end in ends:
            key = ("BH" if end.both else hand, end.spell.id)
            if key not in shown:
                shown.add(key)
                spell = end.spell
                yield Completion(key[0], spell.id, spell.name, key in defaults, spell.rule)
