"""Which questions of the reveal a wizard can foresee, by what they have seen of all hands."""

from collections.abc import Iterator, Mapping

from engine import AdvanceQuestion, Ruleset, Sheet, View

NEXT_TURN = 1  # of a spell in progress: it may be complete in the turn that is being written for


def foreseen_questions(
    sheet: Sheet, view: View, ruleset: Ruleset, fields: Mapping[str, str]
) -> tuple[AdvanceQuestion, ...]:
    """The questions of the sheet that may come of this turn. rules: R9

    The engine offers what a wizard might be asked one day. Here their own hands must complete it as
    they are written; while nothing is written, as far as they can complete it now. Another's hands,
    of which nobody knows, must be able to make an elemental now. What is answered already stays.
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
    """Whether one may come whose kind this wizard is asked for: of others', and of their own."""
    makes_one = {id for id, spell in ruleset.spells.items() if spell.monster == "elemental"}
    if of_own and sheet.bank is not None and sheet.bank.spell in makes_one:
        return True
    return any(
        NEXT_TURN in hand.out_of_sight
        or any(each.turns == NEXT_TURN and each.spell in makes_one for each in hand.progress)
        for hand in view.hands
        if (of_own if hand.wizard == sheet.wizard else ruleset.subject_picks_element)
    )
