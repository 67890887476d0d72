"""Elementals and storms, and spells that destroy monsters at once.

rules: turn:stepwise, turn:heat_and_cold, R38, R65-R69
"""

from engine.events import Destroyed, Merged
from engine.positions.position import Monster
from engine.resolve.heat import SAME_ELEMENT, neutralise_storm
from engine.resolve.stepwise.table import StepwiseTable, monsters_of
from engine.spellbook import OPPOSITE_ELEMENT


def settle_elements(table: StepwiseTable) -> None:
    """Resolve clashes of elementals and storms, before any attack."""
    if not table.storms and not table.position.monsters:
        return
    merge_elementals(table)
    elements = {m.kind for m in monsters_of(table) if m.is_elemental}
    storms = {element for element, storm in table.rules.storms.items() if storm in table.storms}
    if len(elements | storms) == 2:
        neutralise_storms(table, storms)
    if storms or len(elements) == 2:
        destroy_elementals(table, elements, storms)
    destroy_by_spell(table)


def merge_elementals(table: StepwiseTable) -> None:
    """Merge elementals of one kind into the oldest and heal it, or destroy the newer ones.

    rules: R65
    """
    merges = table.rules.elementals_merge
    for element in OPPOSITE_ELEMENT:
        kin = [monster for monster in monsters_of(table) if monster.kind == element]
        for gone in kin[1:]:
            if not merges:
                destroy_monster(table, gone, SAME_ELEMENT)
                continue
            remove_monster(table, gone)
            table.report(Merged, kin[0].id, gone.id)
        if len(kin) > 1 and merges:
            kin[0].damage = 0


def neutralise_storms(table: StepwiseTable, storms: set[str]) -> None:
    """Neutralise these storms, so that they hurt no one. rules: R66"""
    for element in sorted(storms):
        other = OPPOSITE_ELEMENT[element]
        cause = table.rules.storms[other] if other in storms else other
        neutralise_storm(table, table.rules.storms[element], cause)


def destroy_elementals(table: StepwiseTable, elements: set[str], storms: set[str]) -> None:
    for monster in monsters_of(table):
        if monster.is_elemental:
            other = OPPOSITE_ELEMENT[monster.kind]
            cause = other if other in elements else table.rules.storms[min(storms)]
            destroy_monster(table, monster, cause)


def destroy_by_spell(table: StepwiseTable) -> None:
    """Destroy the monsters that a spell of this phase destroys before they attack.

    rules: R68, R69
    """
    for monster in monsters_of(table):
        landed = table.landed.get(monster.id)
        for spell in table.rules.destroyers if landed else ():
            if monster.kind in spell.destroys and table.casts_that_reached(monster, spell.id):
                destroy_monster(table, monster, spell.id)
                break


def destroy_monster(table: StepwiseTable, monster: Monster, cause: str) -> None:
    remove_monster(table, monster)
    table.report(Destroyed, monster.id, cause)


def remove_monster(table: StepwiseTable, monster: Monster) -> None:
    """Remove the monster. In this phase only a Raise Dead can still affect it. rules: R208"""
    table.position.monsters.remove(monster)
    table.gone.append(monster)
