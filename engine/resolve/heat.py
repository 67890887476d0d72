"""Heat and cold: clashes of storms, elementals, fireballs and resistances, all pairs at once.

rules: turn:heat_and_cold, R38, R65-R69, R151-R153, R166
"""

from engine.events import Merged, StormSpent
from engine.positions.position import ALIVE, Monster
from engine.resolve.event_factories import enchanted
from engine.resolve.summon import merge_elementals
from engine.resolve.table import Table
from engine.spellbook import FIRE, ICE, OPPOSITE_ELEMENT, SpellClass

DESTROYED_BY_NEWER = "newer"  # destroyed by a newer elemental of the same kind. rules: W43
SAME_ELEMENT = "kin"  # destroyed by an older elemental of the same kind. rules: R65


def settle_heat_and_cold(table: Table) -> None:
    """Remove neutralised storms, and destroy elementals before they attack.

    An elemental that a spell of this turn destroys still clashes with the others. rules: R66
    """
    if not table.position.monsters and not table.storms:
        return
    merge_elementals(table)
    for gone, kept in table.merged.items():
        table.report(Merged, kept.id, gone)
    elementals: list[Monster] = []
    for monster in table.position.monsters:
        if monster.kind in OPPOSITE_ELEMENT and monster.state == ALIVE:
            elementals.append(monster)
    if len(elementals) > 1 and not table.dispelled:
        destroy_same_kind(table, elementals)
    if elementals:
        destroy_opposites(table, elementals)
    if table.storms or elementals:
        settle_storms(table, elementals)
        settle_spells_at_elementals(table, elementals)
        cancel_fireballs_under_ice(table)


def destroy_same_kind(table: Table, elementals: list[Monster]) -> None:
    """Destroy all but one elemental of each kind, if the ruleset does not merge them. rules: R65"""
    for element in OPPOSITE_ELEMENT:
        kin = [monster for monster in elementals if monster.kind == element]
        keeps_newest = table.rules.newer_elemental_stays
        for gone in kin[:-1] if keeps_newest else kin[1:]:
            elementals.remove(gone)
            table.destroy(gone.id, DESTROYED_BY_NEWER if keeps_newest else SAME_ELEMENT)


def destroy_opposites(table: Table, elementals: list[Monster]) -> None:
    """Make fire and ice elementals destroy each other, even under a counter-spell.

    rules: R38, R66
    """
    if len({monster.kind for monster in elementals}) == 2:
        for monster in elementals:
            table.destroy(monster.id, OPPOSITE_ELEMENT[monster.kind])


def settle_storms(table: Table, elementals: list[Monster]) -> None:
    """Resolve clashes of storms and elementals: all at once, or the storms first.

    rules: R38, R66, W44
    """
    present = set(table.storms)
    if table.rules.storms_meet_first and len(present) == 2:
        for storm in table.rules.storms.values():
            neutralise_storm(table, storm, next(other for other in present if other != storm))
        return
    open_kinds = {m.kind for m in elementals if m.id not in table.countered}
    storms = table.rules.storms
    for element, storm in storms.items():
        if storm not in present:
            continue
        for monster in elementals:
            if monster.id not in table.countered:
                table.destroy(monster.id, storm)
        other = storms[OPPOSITE_ELEMENT[element]]
        if other in present or OPPOSITE_ELEMENT[element] in open_kinds:
            neutralise_storm(table, storm, other if other in present else OPPOSITE_ELEMENT[element])


def neutralise_storm(table: Table, storm: str, cause: str) -> None:
    """Neutralise the storm, so that it hurts no one."""
    table.storms = {id: cast for id, cast in table.storms.items() if id != storm}
    table.report(StormSpent, storm, cause)


def settle_spells_at_elementals(table: Table, elementals: list[Monster]) -> None:
    """Resolve fireballs and resistances that were cast at elementals. rules: R68, R69"""
    for monster in elementals:
        for cast in table.casts_reaching.get(monster.id, ()):
            kills = monster.kind in cast.spell.destroys
            if cast.spell.resists and not kills:
                table.fail(cast, "unsuitable")
            elif kills and cast.spell.resists:
                table.destroy(monster.id, cast.spell.id)
                table.report(enchanted, monster.id, cast.spell.id, cast.wizard.id)
            elif kills and cast.spell.class_ is SpellClass.DAMAGING:
                table.destroy(monster.id, cast.spell.id)
                table.spent += (cast,)


def cancel_fireballs_under_ice(table: Table) -> None:
    """Cancel fireballs at beings under an ice storm, and that storm's damage to them.

    rules: R67, R166
    """
    if table.rules.storms.get(ICE) not in table.storms:
        return
    for subject, casts in table.casts_reaching.items():
        for cast in casts:
            if cast.spell.element == FIRE and cast not in table.spent:
                table.spared_by_ice_storm |= {subject}
                table.spent += (cast,)
                table.fail(cast, "storm")
