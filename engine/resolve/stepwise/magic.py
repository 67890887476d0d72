"""Dispel Magic, counter-spells and mirrors, and which beings all other spells reach.

rules: turn:stepwise, spell:dispel_magic, spell:counter_spell, spell:magic_mirror, R36-R48
"""

from engine.events import Destroyed
from engine.legality.scope import NOWHERE
from engine.positions.position import CORPSE, Monster, Wizard
from engine.resolve import guard
from engine.resolve.event_factories import reflected
from engine.resolve.stepwise.minds import renew_permanent_mind_spell
from engine.resolve.stepwise.removal import end_effects_and_bank
from engine.resolve.stepwise.table import (
    DOOM_DAMAGE,
    StepwiseTable,
    fails_because_unseen,
    monsters_of,
)
from engine.resolve.table import Being, Casting, can_affect, is_alive
from engine.spellbook import STOPPING_GUARDS, AffectedBeings, RemovalEffect

ALL = AffectedBeings.ALL


def raise_guards(table: StepwiseTable) -> None:
    """Apply Dispel Magic, or if no one casts it, counter-spells and then mirrors."""
    dispels = [
        c for c in table.casts if c.spell.unmakes is RemovalEffect.MAGIC and is_seen(table, c)
    ]
    guards = [c for c in table.casts if c.spell.guard in STOPPING_GUARDS and is_seen(table, c)]
    if dispels:
        dispel_magic(table, dispels, guards)
        return
    for kind in STOPPING_GUARDS:
        for cast in guards:
            if cast.spell.guard is kind and cast.subject != NOWHERE:
                guard.apply_guard(table, cast, cast.subject)


def is_seen(table: StepwiseTable, cast: Casting) -> bool:
    being = table.position.being(cast.subject)
    return being is None or not fails_because_unseen(table, cast, being)


def dispel_magic(table: StepwiseTable, dispels: list[Casting], guards: list[Casting]) -> None:
    """End all spells of the phase and all enchantments, and doom all monsters. rules: R46-R49"""
    table.dispelled = True
    kind = dispels[0].spell.id
    for cast in guards:
        table.fail(cast, "dispelled", dispels[0].wizard.id)
    for cast in dispels:
        guard.apply_guard(table, cast, cast.subject)
    for being in table.living():
        # A monster obeys its permanent charmer again. rules: R212
        renew_permanent_mind_spell(table, being)
        end_effects_and_bank(table, being, kind)
    for monster in list(table.position.monsters):
        if monster.state == CORPSE:
            table.position.monsters.remove(monster)
            table.report(Destroyed, monster.id, kind)
    for monster in monsters_of(table):
        doom_monster(table, monster, kind)


def doom_monster(table: StepwiseTable, monster: Monster, cause: str) -> None:
    """Doom the monster: it attacks once more and leaves no corpse. rules: R47, R51"""
    monster.damage = monster.damage_limit(table.rules) + DOOM_DAMAGE
    guard.doom_monster(table, monster, cause)


def land_spells(table: StepwiseTable) -> None:
    """Deliver every other spell to a being, or record why it fails."""
    for cast in table.casts:
        if cast.spell.stops_spells:
            continue
        if cast.pattern == cast.spell.once_by:
            if cast.wizard.used_bolt:
                table.fail(cast, "spent")
                continue
            cast.wizard.used_bolt = True
        if table.dispelled and cast.spell is not table.rules.stab:
            table.fail(cast, "dispelled")
        elif cast.spell.is_area:
            table.storms = {cast.spell.id: cast, **table.storms}
        elif cast.subject == NOWHERE:
            table.fail(cast, "nowhere")
        else:
            land_spell(table, cast)


def land_spell(table: StepwiseTable, cast: Casting) -> None:
    """Deliver one spell or stab to its subject, unless a counter-spell or a mirror stops it."""
    being = table.position.being(cast.subject)
    if being is None or not (is_alive(being) or cast.spell.raises):
        table.fail(cast, "no_subject")
        return
    if fails_because_unseen(table, cast, being):
        return
    if cast.spell is not table.rules.stab:
        if is_stopped(table, cast, being):
            table.fail(cast, "countered")
            return
        if being.id in table.mirrored and cast.spell.reflectable and being is not cast.wizard:
            reflect_spell(table, cast, being)
            return
    record_reached_being(table, cast, being)


def is_stopped(table: StepwiseTable, cast: Casting, being: Being) -> bool:
    """Return whether a counter-spell stops the cast. rules: R37, R105"""
    return being.id in table.countered and not guard.ignores_counter_spell(table, cast)


def reflect_spell(table: StepwiseTable, cast: Casting, being: Being) -> None:
    """Send the cast back; the mirror's owner becomes master of a charm or paralysis. rules: R43

    A monster cannot be the master of a spell, which is then lost.
    """
    table.report(reflected, cast.spell.id, cast.wizard.id, being.id)
    if cast.wizard.id in table.mirrored:
        table.fail(cast, "mirrors", being.id)
        return
    cast.subject = cast.wizard.id
    cast.master = being.id if isinstance(being, Wizard) else ""
    if is_stopped(table, cast, cast.wizard):
        table.fail(cast, "countered")
        return
    record_reached_being(table, cast, cast.wizard)


def record_reached_being(table: StepwiseTable, cast: Casting, being: Being) -> None:
    """Record that the cast reached the being or cannot affect it. Minds are checked later.

    rules: R77
    """
    spell = cast.spell
    if spell.works is not ALL and not spell.mind and not can_affect(spell.works, being):
        table.fail(cast, "unsuitable")
        return
    table.kinds.add(spell.id)
    table.landed.setdefault(being.id, {}).setdefault(spell.id, []).append(cast)
