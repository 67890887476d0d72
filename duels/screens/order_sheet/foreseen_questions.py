"""Questions after the reveal that a wizard can foresee from visible gestures."""

from collections.abc import Mapping

from engine.play import AdvanceQuestion, Sheet, View

COMPLETED_THIS_TURN = 1  # value of `turns` for a spell in progress that the open turn may complete


def foreseen_questions(
    sheet: Sheet, view: View, fields: Mapping[str, str]
) -> tuple[AdvanceQuestion, ...]:
    """Return the sheet's questions that may come up in this turn. rules: R9

    The engine offers every question that could come up for the wizard. This function keeps
    questions that already have an answer. It keeps a question about the wizard's own spell only if
    the gestures on the sheet complete that spell, or if there are no gestures yet and the hands
    could complete it. It keeps a question about another wizard's elemental only if their hands
    could summon one.
    """
    is_empty = "left" not in fields and "right" not in fields

    def is_possible(question: AdvanceQuestion) -> bool:
        if question.is_raised or fields.get(question.field):
            return True
        if question.kind == "elemental":
            return _may_summon_elemental(sheet, view, is_own=is_empty)
        return is_empty

    return tuple(filter(is_possible, sheet.advance))


def _may_summon_elemental(sheet: Sheet, view: View, *, is_own: bool) -> bool:
    """Return whether this turn may summon an elemental whose kind this wizard would choose.

    Other wizards' hands count in rulesets where the subject of the spell picks the element. The
    wizard's own hands count if `is_own` is set.
    """
    rules = view.rules
    makes_one = {id for id, spell in rules.spells.items() if spell.monster == "elemental"}
    if is_own and sheet.bank is not None and sheet.bank.spell in makes_one:
        return True
    return any(
        COMPLETED_THIS_TURN in hand.out_of_sight
        or any(
            each.turns == COMPLETED_THIS_TURN and each.spell in makes_one for each in hand.progress
        )
        for hand in view.hands
        if (is_own if hand.wizard == sheet.wizard else rules.subject_picks_element)
    )
