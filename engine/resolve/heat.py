"""Heat and cold: clashes of storms, elementals, fireballs and resistances, all pairs at once.

rules: turn:heat_and_cold, R38, R65-R69, R151-R153, R166
"""

from collections.abc import Mapping
from typing import TypeVar

from engine.events import Merged, StormSpent
from engine.positions.position import ALIVE, Monster
from engine.resolve.enchant import join_effect
from engine.resolve.event_factories import enchanted
from engine.resolve.table import Table
from engine.spellbook import FIRE, ICE, OPPOSITE_ELEMENT, SpellClass

Noted = TypeVar("Noted")
NEWER_STAYS = "newer"  # destroyed by a newer elemental of the same kind. rules: W43
SAME_ELEMENT = "kin"  # destroyed by an older elemental of the same kind. rules: R65


def settle_heat_and_cold(table: Table) -> None:
    """Remove neutralised storms, and destroy elementals before they attack.

    An elemental that a spell of this turn destroys still clashes with the others. rules: R66
    """
    if not table.position.monsters and not table.storms:
        return
    elementals: list[Monster] = []
    for monster in table.position.monsters:
        if monster.kind in OPPOSITE_ELEMENT and monster.state == ALIVE:
            elementals.append(monster)
    if len(elementals) > 1 and not table.dispelled:
        merge_elementals(table, elementals)
    if elementals:
        destroy_opposites(table, elementals)
    if table.storms or elementals:
        settle_storms(table, elementals)
        settle_spells_at_elementals(table, elementals)
        cancel_fireballs_under_ice(table)


def merge_elementals(table: Table, elementals: list[Monster]) -> None:
    """Merge elementals of one kind into the oldest, which is healed. rules: R65, R153

    If the ruleset does not merge them, one stays as it is and the others are destroyed.
    """
    for element in OPPOSITE_ELEMENT:
        kin = [monster for monster in elementals if monster.kind == element]
        keeps_newest = table.rules.newer_elemental_stays and not table.rules.elementals_merge
        for gone in kin[:-1] if keeps_newest else kin[1:]:
            elementals.remove(gone)
            if table.rules.elementals_merge:
                absorb_elemental(table, kin[0], gone)
            else:
                table.destroy(gone.id, NEWER_STAYS if keeps_newest else SAME_ELEMENT)


def absorb_elemental(table: Table, kept: Monster, gone: Monster) -> None:
    """Make everything that was aimed at either elemental apply to the one that stays."""
    kept.damage = 0
    table.merged = {**table.merged, gone.id: kept.id}
    table.position.monsters.remove(gone)
    if gone.id in table.doomed:
        table.doomed = {kept.id: table.doomed[gone.id], **_notes_without(table.doomed, gone.id)}
    if gone.id in table.destroyed:
        table.destroy(kept.id, table.destroyed[gone.id])
    table.casts_reaching.setdefault(kept.id, []).extend(table.casts_reaching.pop(gone.id, []))
    if gone.id in table.countered:
        table.countered |= {kept.id}
    if gone.id in table.shields:
        table.shields |= {kept.id}
    if gone.id in table.mirrored:
        table.mirrored |= {kept.id}
    if gone.id in table.cures:
        cured = table.cures.get(kept.id, 0) + table.cures[gone.id]
        table.cures = {**_notes_without(table.cures, gone.id), kept.id: cured}
    if gone.id in table.position.stopped:
        stopped = tuple(kept.id if id == gone.id else id for id in table.position.stopped)
        table.position.stopped = tuple(dict.fromkeys(stopped))
    together = (kept.id if id == gone.id else id for id in table.stopped)
    table.stopped = tuple(dict.fromkeys(together))
    if kept.id in table.countered:
        protect_merged_elemental(table, kept)
    elif kept.id not in table.doomed:
        for kind in sorted(gone.effects):
            join_effect(kept, table.rules.spells[kind], gone.effects[kind])
    table.report(Merged, kept.id, gone.id)


def _notes_without(noted: Mapping[str, Noted], id: str) -> Mapping[str, Noted]:
    return {each: value for each, value in noted.items() if each != id}


def protect_merged_elemental(table: Table, kept: Monster) -> None:
    """Extend a counter-spell on either of two merged elementals to the merged one. rules: R153"""
    casts = table.casts_reaching.get(kept.id, [])
    table.fail_each(casts, [cast for cast in casts if cast.spell.counterable], "countered")
    before = table.before.being(kept.id)
    kept.effects = dict(before.effects) if before is not None else {}
    table.doomed = _notes_without(table.doomed, kept.id)
    table.destroyed = _notes_without(table.destroyed, kept.id)
    table.cures = _notes_without(table.cures, kept.id)


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
    table.storms = _notes_without(table.storms, storm)
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
