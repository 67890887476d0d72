"""Removal of all effects from a being. rules: R50, R53, spell:remove_enchantment"""

from engine.positions.position import NO_EFFECTS, Wizard
from engine.resolve.event_factories import removed
from engine.resolve.stepwise.table import StepwiseTable
from engine.resolve.table import Being


def end_effects_and_bank(table: StepwiseTable, being: Being, cause: str) -> None:
    """Remove all effects from the being, including waiting ones, and empty its bank."""
    waiting = {} if isinstance(being, Wizard) else being.waiting
    for effect in sorted({*being.effects, *being.lasting, *waiting}):
        table.report(removed, being.id, effect, cause)
    if being.id in table.stopped:
        table.report(removed, being.id, table.rules.stopping, cause)
    being.effects.clear()
    being.lasting = NO_EFFECTS
    table.stopped = tuple(id for id in table.stopped if id != being.id)
    table.in_time.discard(being.id)  # rules: R211
    if not isinstance(being, Wizard):
        being.waiting.clear()
    elif being.bank:
        being.bank = being.bank_pattern = ""
        table.report(removed, being.id, "bank", cause)
