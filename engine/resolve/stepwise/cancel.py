"""Spells of one phase that cancel each other on one being.

rules: turn:stepwise, R37, R59, R67, R76, R77
"""

from engine.positions.position import Wizard
from engine.resolve.event_factories import failed
from engine.resolve.stepwise.table import StepwiseTable
from engine.resolve.table import Being
from engine.spellbook import FIRE, ICE, CasterDecision


def cancel_opposites(table: StepwiseTable) -> None:
    """Cancel opposite spells: killing and raising, fireball and ice storm, mind spells."""
    kinds, rules = table.kinds, table.rules
    are_opposed = not kinds.isdisjoint(rules.slayers) and not kinds.isdisjoint(rules.raisers)
    is_cold = bool(table.storms) and rules.storms.get(ICE) in table.storms
    for being in table.living():
        landed = table.landed.get(being.id)
        if landed:
            if are_opposed:
                cancel_slaying_and_raising(table, being)
            if is_cold:
                cancel_fireballs_under_ice(table, being)
            cancel_mind_spells(table, being)


def fail_castings(table: StepwiseTable, being: Being, kind: str, cause: str) -> None:
    """Cancel every casting of that spell on the being."""
    for cast in table.landed[being.id].pop(kind, []):
        table.report(failed, kind, cast.wizard.id, being.id, cause)


def cancel_slaying_and_raising(table: StepwiseTable, being: Being) -> None:
    """Cancel fatal spells and raisings on the same being. rules: R37, R59"""
    landed, rules = table.landed[being.id].keys(), table.rules
    if not landed.isdisjoint(rules.slayers) and not landed.isdisjoint(rules.raisers):
        for kind in (*rules.slayers, *rules.raisers):
            fail_castings(table, being, kind, "opposed")


def cancel_fireballs_under_ice(table: StepwiseTable, being: Being) -> None:
    """Cancel fireballs on the being, and protect it from the ice storm. rules: R67"""
    for kind, casts in list(table.landed[being.id].items()):
        if casts[0].spell.element == FIRE:
            fail_castings(table, being, kind, "storm")
            table.spared_by_ice_storm |= {being.id}


def cancel_mind_spells(table: StepwiseTable, being: Being) -> None:
    """Cancel mind spells of two kinds, even if one of them could not have worked. rules: R77"""
    landed = table.landed[being.id]
    minds = table.rules.mind_spells
    if landed.keys().isdisjoint(minds):
        return
    kinds = [kind for kind in minds if landed.get(kind)]
    if len(kinds) > 1:
        for kind in kinds:
            fail_castings(table, being, kind, "mind_conflict")
    elif do_casts_cancel(table, being, kinds[0]):
        fail_castings(table, being, kinds[0], "two_charmers")


def do_casts_cancel(table: StepwiseTable, being: Being, kind: str) -> bool:
    """Return whether several casts of this mind spell cancel each other. rules: R76

    Charms cancel each other, and so do spells for which a hand must still be named.
    """
    casts = table.casts_that_reached(being, kind)
    if len(casts) < 2:
        return False
    if casts[0].spell.one_master:
        return True
    return (
        casts[0].spell.asks is CasterDecision.HAND and isinstance(being, Wizard) and not being.held
    )
