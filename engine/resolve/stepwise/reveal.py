"""The rows that acting wizards really make, after mind spells have changed them.

rules: turn:stepwise, turn:reveal, R16, R80, R82, R86, R87
"""

from engine.events import KnifeKept, Spoke, Surrendered
from engine.gestures import GESTURES, NOTHING, STAB, STABS_PAIR, SURRENDER_PAIR
from engine.ids import WizardHand
from engine.legality.hand_constraints import (
    CHARMED,
    COPIED,
    FREE,
    FRIGHTENED,
    HELD,
    REPEATED,
    first_mind_spell,
    last_row,
    paralysed_letter,
)
from engine.positions.position import DEAD, STANDING, SURRENDERED, Effect, Wizard
from engine.questions import Question
from engine.resolve.event_factories import gestured, overridden
from engine.resolve.reveal import frightened_set, roll_confused_gesture
from engine.resolve.stepwise.table import StepwiseTable
from engine.resolve.table import can_affect
from engine.rulesets.choices import TwoStabs

ANSWERING_STANDINGS = (STANDING, DEAD, SURRENDERED)
"""Standings of wizards who can still be asked a question. Others have left the duel early."""


def reveal_rows(table: StepwiseTable) -> None:
    """Record every acting wizard's row in their history, and note surrenders."""
    for wizard in table.acting:
        own = table.orders_of(wizard.id)
        if own.say:
            table.report(Spoke, wizard.id, own.say)
        row = table.hands_of(wizard.id).pair
        if wizard.held:
            wizard.held = ""
        kind = first_mind_spell(table.rules, wizard.effects)
        if kind:
            row = forced_row(table, wizard, kind, row)
            if not table.is_haste_phase:
                del wizard.effects[kind]
        if row == STABS_PAIR:
            right = table.rules.two_stabs is TwoStabs.RIGHT
            row = NOTHING + STAB if right else STAB + NOTHING
            table.report(KnifeKept, wizard.id, 1, "L" if right else "R")
        append_row(table, wizard, row)
        table.rows[wizard.id] = row
        if table.emit:
            table.emit(gestured(wizard.id, 1, row[0], row[1], table.extra))
        if row == SURRENDER_PAIR and not wizard.yielded:
            wizard.yielded = True  # out at the end of the turn. rules: R111
            table.report(Surrendered, wizard.id)


def append_row(table: StepwiseTable, wizard: Wizard, row: str) -> None:
    """Advance the wizard's letters and automaton states by one row."""
    automaton = table.rules.automaton
    move = automaton.moves[row]
    wizard.left_state = move.left[wizard.left_state]
    wizard.right_state = move.right[wizard.right_state]
    wizard.letters = (wizard.letters + row)[-2 * automaton.depth :]
    if wizard.made:
        wizard.made = ()


def forced_row(table: StepwiseTable, wizard: Wizard, kind: str, row: str) -> str:
    """Return the row as changed by the mind spell that acts."""
    spell, effect = table.rules.spells[kind], wizard.effects[kind]
    hands = spell.hands if can_affect(spell.works, wizard) else FREE
    if hands is FREE:
        return row
    if hands is REPEATED:
        return repeated_row(table, wizard, kind, effect)
    if hands is FRIGHTENED:
        return frightened_set(table, wizard, 1, row, kind, effect.caster)
    if hands is COPIED:
        table.report(overridden, wizard.id, 1, "L", row[1], kind, effect.caster)
        return row[1] * 2
    if hands is HELD:
        hand = wizard.held = effect.hand
        letter = paralysed_letter(table.rules, last_row(wizard)[0 if hand == "L" else 1])
    elif effect.letter:
        hand, letter = effect.hand, effect.letter
    elif hands is CHARMED:
        hand = effect.hand
        letter = charmed_letter(table, wizard, effect) or row[0 if hand == "L" else 1]
    else:
        when = "extra " if table.extra else "haste " if table.is_haste_phase else ""
        hand, letter = roll_confused_gesture(table, wizard, when, "LR")
    if effect.permanent and hands is not HELD:
        store_repeated_hand(wizard, kind, hand, letter)
    table.report(overridden, wizard.id, 1, hand, letter, kind, effect.caster)
    return letter + row[1] if hand == "L" else row[0] + letter


def store_repeated_hand(wizard: Wizard, kind: str, hand: str, letter: str) -> None:
    """Store what a permanent confusion or charm made first, to repeat it. rules: R173"""
    if held := wizard.lasting.get(kind):
        settled = held._replace(hand=hand, letter=letter)
        wizard.lasting = {**wizard.lasting, kind: settled}
    if held := wizard.effects.get(kind):
        wizard.effects[kind] = held._replace(hand=hand, letter=letter)


def repeated_row(table: StepwiseTable, wizard: Wizard, kind: str, effect: Effect) -> str:
    """Return the wizard's last row, which an amnesia repeats. rules: R82"""
    row = last_row(wizard)
    for hand, letter in zip("LR", row, strict=True):
        table.report(overridden, wizard.id, 1, hand, letter, kind, effect.caster)
    return row


def charmed_letter(table: StepwiseTable, wizard: Wizard, effect: Effect) -> str:
    """Return the letter that the charmer chooses, once all rows are submitted. rules: R86, R214

    A charmer who is dead or has surrendered is asked too. Return "" if the charmer left the duel in
    another way.
    """
    charmer = table.position.wizard(effect.caster)
    if charmer.standing not in ANSWERING_STANDINGS:
        return ""
    question = Question(
        f"charm_gesture:{wizard.id}", "charm_gesture", charmer.id, wizard.id, tuple(GESTURES),
        NOTHING, table.rules.charming, effect.hand, is_preset=False,
    )  # fmt: skip
    written = table.orders_of(charmer.id).charmed.get(
        WizardHand(wizard.id, effect.hand).text, ("",)
    )
    return table.require_answers([(question, written[0])])[question.id]
