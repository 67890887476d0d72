"""Delayed effects and permanencies, which act on spells before these are aimed.

rules: turn:stepwise, spell:delayed_effect, spell:permanency
"""

from engine.events import Banked, Extended
from engine.gestures import cast_sort_key
from engine.positions.position import Wizard
from engine.questions import Question
from engine.resolve.event_factories import removed
from engine.resolve.stepwise.table import StepwiseTable, spell_name_with_pattern
from engine.resolve.table import Casting
from engine.rulesets.choices import FullBank


def capture_spells(table: StepwiseTable) -> None:
    """In seat order, apply each wizard's open delay, and then their open permanency."""
    banking, extending = table.rules.banking, table.rules.extending
    for wizard in table.acting:
        if banking in wizard.effects and not is_bank_full(table, wizard):
            caught = cast_to_take(table, wizard, "which_delay", bankable_casts(table, wizard))
            if caught is not None:
                bank_spell(table, wizard, caught)
        if extending in wizard.effects:
            extended = cast_to_take(table, wizard, "which_extend", extendable_casts(table, wizard))
            if extended is not None:
                extend_spell(table, wizard, extended)


def is_bank_full(table: StepwiseTable, wizard: Wizard) -> bool:
    """Return whether the bank is full, so that no other spell can be banked. rules: R104"""
    return bool(wizard.bank) and table.rules.full_bank is FullBank.KEEPS


def bankable_casts(table: StepwiseTable, wizard: Wizard) -> list[Casting]:
    """Return the spells that the wizard's row casts, without stabs."""
    own = [cast for cast in table.casts if cast.wizard is wizard and not cast.released]
    return [cast for cast in own if cast.spell is not table.rules.stab]


def extendable_casts(table: StepwiseTable, wizard: Wizard) -> list[Casting]:
    return [cast for cast in bankable_casts(table, wizard) if cast.spell.can_be_permanent]


def cast_to_take(
    table: StepwiseTable, wizard: Wizard, kind: str, casts: list[Casting]
) -> Casting | None:
    """Return the cast for the window. Ask the wizard if there are several; default: the longest."""
    if len(casts) < 2:
        return casts[0] if casts else None
    default = min(casts, key=lambda cast: cast_sort_key(cast.pattern))
    question = Question(
        f"{kind}:{wizard.id}", kind, wizard.id, "", tuple(cast.hand for cast in casts),
        default.hand, is_preset=False,
        labels=tuple(spell_name_with_pattern(cast.spell, cast.pattern) for cast in casts),
    )  # fmt: skip
    orders = table.orders_of(wizard.id)
    written = orders.bank if kind == "which_delay" else orders.permanency
    known = written if written in question.options else default.hand
    answer = table.require_answers([(question, known)])[question.id]
    return next(cast for cast in casts if cast.hand == answer)


def bank_spell(table: StepwiseTable, wizard: Wizard, caught: Casting) -> None:
    """Bank the spell. A spell that was already in the bank is lost. rules: R103"""
    table.casts.remove(caught)
    del wizard.effects[table.rules.banking]
    if wizard.bank:
        table.report(removed, wizard.id, "bank", table.rules.banking)
    wizard.bank, wizard.bank_pattern = caught.spell.id, caught.pattern
    table.report(Banked, wizard.id, caught.spell.id)


def extend_spell(table: StepwiseTable, wizard: Wizard, extended: Casting) -> None:
    """Mark the spell to be permanent if it takes effect, and use up the permanency. rules: R107"""
    extended.permanent = True
    del wizard.effects[table.rules.extending]
    table.report(Extended, wizard.id, extended.spell.id)
