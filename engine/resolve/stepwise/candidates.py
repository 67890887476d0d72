"""Candidates: the spells that hands complete, the choice among them, and released spells.

rules: turn:stepwise, gesture:matching, R4, R7
"""

from collections.abc import Sequence
from typing import Final

from engine.gestures import STAB as KNIFE
from engine.gestures import cast_sort_key
from engine.legality.casting import completed_spells
from engine.orders import HandSet
from engine.positions.position import Wizard
from engine.questions import Question
from engine.resolve.stepwise.table import PresetQuestion, StepwiseTable, spell_name_with_pattern
from engine.resolve.table import Casting
from engine.rulesets.ruleset import CompletablePattern

HANDS_AND_SPELL_FIELDS = (("L", "left_spell"), ("R", "right_spell"))


def complete_spells(table: StepwiseTable) -> None:
    """Fill the list of casts by seat, highest first; for each: released spell, right hand, left."""
    found = {wizard.id: spell_candidates(table, wizard) for wizard in table.acting}
    batch: list[PresetQuestion] = []
    for wizard in table.acting:
        lefts, rights = found[wizard.id]
        if len(lefts) > 1 or len(rights) > 1:
            batch += choice_questions(table, wizard, found[wizard.id])
        if wizard.bank:
            batch.append(release_question(table, wizard))
    answers = table.require_answers(batch) if batch else {}
    for wizard in reversed(table.acting):
        if wizard.bank and answers[f"release:{wizard.id}"] == "yes":
            release_banked_spell(table, wizard)
        own = found[wizard.id]
        if own is not NO_CANDIDATES or KNIFE in table.rows[wizard.id]:
            cast_chosen_spells(table, wizard, own, answers)


Candidates = tuple[Sequence[CompletablePattern], Sequence[CompletablePattern]]
"""The spells that the left and the right hand may cast, in alphabetical order of pattern."""


NO_CANDIDATES: Final[Candidates] = (), ()


def spell_candidates(table: StepwiseTable, wizard: Wizard) -> Candidates:
    """Return the spells that each hand may cast; both have the two-handed ones. rules: R4"""
    rules = table.rules
    lefts, rights = rules.ends[wizard.left_state], rules.ends[wizard.right_state]
    if not lefts and not rights:
        return NO_CANDIDATES
    if wizard.used_bolt and not rules.spent_fizzles:
        lefts = completed_spells(rules, wizard.left_state, used_bolt=True)
        rights = completed_spells(rules, wizard.right_state, used_bolt=True)
    if len(lefts) + len(rights) == 1 and not (lefts or rights)[0].both:
        return lefts, rights
    shared = [end for end in (*lefts, *rights) if end.both]
    return sorted_candidates([*lefts, *shared]), sorted_candidates([*rights, *shared])


def sorted_candidates(ends: Sequence[CompletablePattern]) -> list[CompletablePattern]:
    return sorted(dict.fromkeys(ends), key=lambda end: end.pattern.upper())


def choice_questions(
    table: StepwiseTable, wizard: Wizard, found: Candidates
) -> list[PresetQuestion]:
    """Return a question for each hand that completed several spells. Default: the longest (R7)."""
    hands = table.hands_of(wizard.id)
    batch: list[PresetQuestion] = []
    for (hand, kind), ends in zip(HANDS_AND_SPELL_FIELDS, found, strict=True):
        if len(ends) < 2:
            continue
        options = tuple(spell_name_with_pattern(end.spell, end.pattern) for end in ends)
        default = min(ends, key=lambda end: cast_sort_key(end.pattern))
        question = Question(
            f"{kind}:{wizard.id}", kind, wizard.id, "", options,
            spell_name_with_pattern(default.spell, default.pattern), "", hand, is_preset=False,
        )  # fmt: skip
        written = written_candidate(hands, hand, ends) or question.default
        batch.append((question, written))
    return batch


def written_candidate(hands: HandSet, hand: str, ends: Sequence[CompletablePattern]) -> str:
    """Return the candidate that orders name for the hand, by its id, with or without a pattern."""
    for written in (hands.spells.get("BH"), hands.spells.get(hand)):
        for end in ends:
            name = spell_name_with_pattern(end.spell, end.pattern)
            if written in (name, end.spell.id):
                return name
    return ""


def release_question(table: StepwiseTable, wizard: Wizard) -> PresetQuestion:
    spell = table.rules.spells[wizard.bank]
    question = Question(
        f"release:{wizard.id}", "release", wizard.id, "", ("no", "yes"), "no",
        spell_name_with_pattern(spell, wizard.bank_pattern),
    )  # fmt: skip
    return question, "yes" if table.orders_of(wizard.id).release else "no"


def release_banked_spell(table: StepwiseTable, wizard: Wizard) -> None:
    """Cast the banked spell, and empty the bank. rules: spell:delayed_effect"""
    spell = table.rules.spells[wizard.bank]
    table.casts.append(Casting(spell, wizard, "BANK", 1, "", wizard.bank_pattern))
    wizard.bank = wizard.bank_pattern = ""


def cast_chosen_spells(
    table: StepwiseTable, wizard: Wizard, found: Candidates, answers: dict[str, str]
) -> None:
    """Add both hands' spells; a two-handed spell that only one hand chooses is lost."""
    chosen = [
        chosen_candidate(ends, answers.get(f"{kind}:{wizard.id}", ""))
        for (_, kind), ends in zip(HANDS_AND_SPELL_FIELDS, found, strict=True)
    ]
    left, right = chosen
    if left is not None and left is right and left.both:
        table.casts.append(Casting(left.spell, wizard, "BH", 1, "", left.pattern))
        return
    row = table.rows[wizard.id]
    for hand, end, letter in (("R", right, row[1]), ("L", left, row[0])):
        if letter == KNIFE:
            table.casts.append(Casting(table.rules.stab, wizard, hand, 1, "", KNIFE))
        elif end is not None and not end.both:
            table.casts.append(Casting(end.spell, wizard, hand, 1, "", end.pattern))


def chosen_candidate(ends: Sequence[CompletablePattern], answer: str) -> CompletablePattern | None:
    if len(ends) < 2:
        return ends[0] if ends else None
    return next(end for end in ends if spell_name_with_pattern(end.spell, end.pattern) == answer)
