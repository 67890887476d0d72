"""Choices for charmed and held hands, windows, a Sacrifice, and answers in advance.

rules: F27, F89, turn:answers
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.ids import WIZARD_HANDS, SetHand
from engine.legality import scope
from engine.legality.hand_constraints import set_count
from engine.legality.moves import PossibleSpells
from engine.orders import MARK_FIELDS
from engine.positions.position import ALIVE, SACRIFICE, STRICT, Position, Wizard
from engine.rulesets.choices import CaptureRule, FullBank, HandNamingTime, QuestionMode
from engine.rulesets.ruleset import Ruleset
from engine.sheet.sheet_types import (
    AdvanceQuestion,
    CaptureChoice,
    CharmedHand,
    HeldHand,
    SubjectChoice,
)
from engine.spellbook import TURNS_OF_DURATION, Spell

CompletedSpell = tuple[str, Spell]
"""A hand's name in orders, and the spell that the hand completes."""

ADVANCE_QUESTIONS: Final = (
    AdvanceQuestion(
        "elemental", "answer:elemental", ("fire", "ice"), "fire",
        "If I may choose an elemental’s kind",
    ),
    AdvanceQuestion(
        "paralysis", "answer:paralysis", ("L", "R"), "L", "If I paralyse someone, which hand",
    ),
    AdvanceQuestion(
        "charm_person", "answer:charm_person", ("L", "R"), "L", "If I charm someone, which hand",
    ),
)  # fmt: skip


def charmed_sheets(position: Position, own: Wizard) -> Iterator[CharmedHand]:
    asked = position.rules.asking is QuestionMode.AT_EVERY_STEP
    one_of_two = position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS
    for key in scope.charmed_hands(position, own):
        id, hand, _ = WIZARD_HANDS[key]
        sets = set_count(position, position.wizard(id))
        yield CharmedHand(id, hand, sets, key, asked, one_of_two)


def held_hands(position: Position, own: Wizard) -> Iterator[HeldHand]:
    """Yield a choice for each wizard whose hand this wizard's paralysis will hold. rules: W18"""
    for id in scope.directed_wizards(position, own, position.rules.holding):
        before = position.wizard(id).effects[position.rules.holding].hand
        yield HeldHand(id, f"held:{id}", (before,) if before else ("L", "R"), before or "L")


def capture_choices(possible: PossibleSpells) -> Iterator[CaptureChoice]:
    """Yield a choice for each open or opening window that can act on a spell of the draft.

    rules: F89
    """
    position, own = possible.position, possible.own
    keeps = bool(own.bank) and position.rules.full_bank is FullBank.KEEPS
    completed = [
        (SetHand(hand, number).text, spell)
        for number in range(1, len(possible.pairs) + 1)
        for hand in ("L", "R", "BH")
        for spell in possible.castable_spells(number, hand)[:1]
        if not (hand != "BH" and spell in possible.castable_spells(number, "BH"))
    ]
    if position.rules.capture is CaptureRule.MARKED:
        yield from markable_hands(possible, completed)
        return
    for kind in MARK_FIELDS:
        effect = scope.window_of_field(position.rules, kind)
        window = own.effects.get(effect)
        is_open = window is not None and window.is_active(position.turn)
        at_once = window_opens_at_once(position.rules, effect)
        opening = at_once and any(spell.id == effect for _, spell in completed)
        if (kind == "bank" and keeps) or not (is_open or opening):
            continue
        candidates = tuple(
            (hand, spell.id)
            for hand, spell in completed
            if (kind == "bank" and (not at_once or spell.id != effect)) or spell.can_be_permanent
        )
        if candidates:
            yield CaptureChoice(kind, candidates, candidates[0][0])


def markable_hands(
    possible: PossibleSpells, completed: Sequence[CompletedSpell]
) -> Iterator[CaptureChoice]:
    """Yield the hands to mark for each open window, with the spells of the draft.

    rules: W34, W35
    """
    position, own = possible.position, possible.own
    for kind in MARK_FIELDS:
        if scope.can_mark_hand(position, own, scope.window_of_field(position.rules, kind)):
            candidates = tuple(
                (hand, spell.id)
                for hand, spell in completed
                if kind == "bank" or spell.can_be_permanent
            )
            yield CaptureChoice(kind, candidates, "", ("L", "R", "BH"))


def window_opens_at_once(rules: Ruleset, window: str) -> bool:
    """Return whether the window is already open on the turn of casting. rules: R102"""
    spell = rules.spells.get(window)
    return spell is not None and TURNS_OF_DURATION[spell.lasts][0] == 0


def sacrifice_choice(possible: PossibleSpells) -> SubjectChoice | None:
    """Return the choice of a monster for a Sacrifice to give up; the default is none. rules: R24"""
    position, own = possible.position, possible.own
    if SACRIFICE not in position.options:
        return None
    casts = [spell for _, spell in possible.all_casts()]
    if not any(spell.gives_up for spell in casts):
        return None
    options = [
        monster.id
        for monster in position.monsters
        if monster.controller == own.id and monster.state == ALIVE and not monster.is_elemental
    ]
    return SubjectChoice(tuple(options), "")


def advance_questions(possible: PossibleSpells) -> Iterator[AdvanceQuestion]:
    """Yield questions that the wizard can expect to be asked after the reveal. rules: R9"""
    if STRICT in possible.position.options or not possible.moves.sets:
        return
    rules, own = possible.position.rules, possible.own
    states = {own.left_state, own.right_state}
    within = {
        rules.completables[n].spell.id for state in states for n in rules.automaton.reach[state]
    }
    makes_elemental = {id for id, spell in rules.spells.items() if spell.monster == "elemental"}
    casts = {spell.id for subject, spell in possible.all_casts() if subject != scope.NOWHERE}
    for question in ADVANCE_QUESTIONS:
        raising = makes_elemental
        if question.kind != "elemental":
            spell = scope.spell_of_question(rules, question.kind)
            if spell not in rules.spells_that_ask:
                continue
            raising = {spell}
            may_come = spell in (*within, own.bank) or len(possible.pairs) > 1
        elif rules.subject_picks_element:
            may_come = bool(makes_elemental)
        else:
            banked = own.bank in makes_elemental
            may_come = banked or bool(makes_elemental & within) or len(possible.pairs) > 1
        if may_come:
            yield replace(question, is_raised=bool(raising & casts))
