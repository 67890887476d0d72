"""Which questions of the reveal a wizard can foresee, by what they have seen of all hands."""

from collections.abc import Iterator, Mapping

from engine import AdvanceQuestion, Ruleset, Sheet, View

NEXT_TURN = 1  # of a spell in progress: it may be complete in the turn that is being written for


def foreseen_questions(
    sheet: Sheet, view: View, ruleset: Ruleset, fields: Mapping[str, str]
) -> tuple[AdvanceQuestion, ...]:
    """The questions of the sheet that may come of this turn. rules: R9

    The engine offers that of an elemental's kind whenever another wizard might send them one; here
    somebody's hands must be able to make one now. What is answered already stays.
    """
    return tuple(_foreseen(sheet, view, ruleset, fields))


def _foreseen(
    sheet: Sheet, view: View, ruleset: Ruleset, fields: Mapping[str, str]
) -> Iterator[AdvanceQuestion]:
    for question in sheet.advance:
        is_known = question.kind != "elemental" or question.is_raised or fields.get(question.field)
        if is_known or _elemental_may_come(sheet, view, ruleset):
            yield question


def _elemental_may_come(sheet: Sheet, view: View, ruleset: Ruleset) -> bool:
    makes_one = {id for id, spell in ruleset.spells.items() if spell.monster == "elemental"}
    if sheet.bank is not None and sheet.bank.spell in makes_one:
        return True
    return any(
        NEXT_TURN in hand.out_of_sight
        or any(each.turns == NEXT_TURN and each.spell in makes_one for each in hand.progress)
        for hand in view.hands
    )
