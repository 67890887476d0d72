"""Damage, applied one being at a time; then cures and raising.

rules: turn:stepwise, turn:damage, R30, R55, R58, R67, spell:finger_of_death
"""

from engine.events import Cured
from engine.ids import monster_number
from engine.positions.position import NO_EFFECTS, Monster, Wizard
from engine.resolve.event_factories import hit, removed
from engine.resolve.land import can_be_raised as is_dead
from engine.resolve.land import revive
from engine.resolve.stepwise.table import DOOM_DAMAGE, NO_LANDED_CASTS, StepwiseTable
from engine.resolve.strike import reason_storm_fails
from engine.resolve.table import Being, Casting, is_alive


def deal_damage(table: StepwiseTable) -> None:
    """Apply the damage of spells, stabs and storms."""
    if not table.landed and not table.storms:
        return
    strikers = [kind for kind in table.rules.strikers if kind in table.kinds]
    slayers = () if table.kinds.isdisjoint(table.rules.slayers) else table.rules.slayers
    if not strikers and not table.storms and not slayers:
        return
    for being in table.living():
        landed = table.landed.get(being.id, NO_LANDED_CASTS)
        for kind in strikers if landed else ():
            for cast in landed.get(kind, ()):
                strike_subject(table, being, cast)
        for id in table.rules.storms.values() if table.storms else ():
            if storm := table.storms.get(id):
                cause = reason_storm_fails(table, storm, being)
                table.strike(being, storm.spell.amount, id, storm.wizard.id, cause)
        for kind in slayers:
            if kind in landed:
                slay_being(table, being, landed[kind][0])


def slay_being(table: StepwiseTable, being: Being, cast: Casting) -> None:
    """Kill the being with more damage than any cure of the turn can heal. rules: R210"""
    being.damage = being.damage_limit(table.rules) + DOOM_DAMAGE
    table.report(hit, being.id, 0, cast.spell.id, cast.wizard.id)


def strike_subject(table: StepwiseTable, being: Being, cast: Casting) -> None:
    """Apply the damage of one spell or stab, unless a shield or a resistance stops it."""
    if cast.spell.shieldable and table.is_shielded(being):
        table.fail(cast, "shield")
    elif cast.spell.element and table.resists(being, cast.spell.element):
        table.fail(cast, "resists")
    else:
        table.strike(being, cast.spell.amount, cast.spell.id, cast.wizard.id)


def cure_and_raise(table: StepwiseTable) -> None:
    """Cure the living, at most up to full health, and raise the dead."""
    if table.kinds.isdisjoint(table.rules.cures):
        return
    monsters = [*table.position.monsters, *table.gone]
    beings: list[Being] = [*table.position.wizards, *sorted(monsters, key=creation_number)]
    for being in beings:
        landed = table.landed.get(being.id, {})
        if is_dead(being) or being in table.gone:  # even without a corpse. rules: R208
            raising = [cast for kind in table.rules.raisers for cast in landed.get(kind, ())]
            for cast in raising[-1:]:
                raise_corpse(table, being, cast)
        elif is_alive(being):
            for kind in table.rules.cures:
                for cast in landed.get(kind, []):
                    cure_being(table, being, cast)


def creation_number(monster: Monster) -> int:
    return monster_number(monster.id)


def cure_being(table: StepwiseTable, being: Being, cast: Casting) -> None:
    """Cure damage, and end illnesses that the cure heals. rules: R30, spell:cure_heavy_wounds"""
    being.damage = max(0, being.damage - cast.spell.amount)
    table.report(Cured, being.id, cast.spell.amount, cast.spell.id, cast.wizard.id)
    for illness in cast.spell.heals:
        if illness in being.effects:
            del being.effects[illness]
            table.report(removed, being.id, illness, cast.spell.id)


def raise_corpse(table: StepwiseTable, being: Being, cast: Casting) -> None:
    """Raise a corpse and clear its damage and effects. rules: spell:raise_dead"""
    being.lasting = NO_EFFECTS
    if isinstance(being, Wizard):
        being.bank = being.bank_pattern = ""
    else:
        if being in table.gone:
            table.position.monsters.append(being)
            table.position.monsters.sort(key=creation_number)
        being.raised = True
        being.waiting = {}
        being.keeps_victim = False
        table.in_time.discard(being.id)  # rules: R211
    revive(table, being, cast.wizard)
