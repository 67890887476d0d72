"""The questions of the reveal that a wizard can foresee from the gestures they have seen."""

from collections.abc import Iterator, Mapping

from engine import AdvanceQuestion, Ruleset, Sheet, View

NEXT_TURN = 1  # turns left to a spell in progress that may be complete in the open turn


def foreseen_questions(
    sheet: Sheet, view: View, ruleset: Ruleset, fields: Mapping[str, str]
) -> tuple[AdvanceQuestion, ...]:
    """Return the questions of the sheet that this turn may raise. rules: R9

    The engine offers every question that may ever come up for a wizard. A question about
    the wizard's own spell is kept only if the written gestures complete it or, while nothing is
    written, if the hands can complete it now. For another wizard's hidden gestures, their hands
    must be able to make an elemental now. Questions that already have an answer are kept.
    """
    return tuple(_foreseen(sheet, view, ruleset, fields))


def _foreseen(
    sheet: Sheet, view: View, ruleset: Ruleset, fields: Mapping[str, str]
) -> Iterator[AdvanceQuestion]:
    is_written = "left" in fields or "right" in fields
    for question in sheet.advance:
        if question.is_raised or fields.get(question.field):
            yield question
        elif question.kind == "elemental":
            if _elemental_may_come(sheet, view, ruleset, of_own=not is_written):
                yield question
        elif not is_written:
            yield question


def _elemental_may_come(sheet: Sheet, view: View, ruleset: Ruleset, *, of_own: bool) -> bool:
    """Return whether an elemental may be summoned now whose kind this wizard would choose.

    Others' hands count if the subject picks the element; the wizard's own count with `of_own`.
    """
    makes_one = {id for id, spell in ruleset.spells.items() if spell.monster == "elemental"}
    if of_own and sheet.bank is not None and sheet.bank.spell in makes_one:
        return True
    return any(
        NEXT_TURN in hand.out_of_sight
        or any(each.turns == NEXT_TURN and each.spell in makes_one for each in hand.progress)
        for hand in view.hands
        if (of_own if hand.wizard == sheet.wizard else ruleset.subject_picks_element)
    )
