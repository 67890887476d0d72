"""Dispel magic, counter-spells and mirrors. rules: turn:guards, R32, R35-R48, R53"""

from engine.events import Doomed
from engine.ids import FUTURE_BEINGS
from engine.positions.position import ALIVE, Monster, Wizard
from engine.resolve.event_factories import guarded, reflected, removed
from engine.resolve.table import NOBODY, Being, Casting, Table, is_alive, is_corpse
from engine.spellbook import DIRECTED_EFFECTS, STOPPING_GUARDS, Guard, RemovalEffect

SHIELD = Guard.SHIELD
COUNTER, MIRROR = STOPPING_GUARDS
REMOVES_ALL_MAGIC = RemovalEffect.MAGIC


def dispel_magic(table: Table) -> None:
    """If magic was dispelled, end all other casts of the turn, all enchantments and older guards.

    rules: spell:dispel_magic, R46-R49, R53, R130, R131, R165, W11
    """
    dispels = [cast for cast in table.casts if cast.spell.unmakes is REMOVES_ALL_MAGIC]
    if not dispels:
        return
    table.dispelled = True
    for cast in table.casts:
        if cast.spell.unmakes is not REMOVES_ALL_MAGIC:
            table.fail(cast, "dispelled", dispels[0].wizard.id)
            if table.rules.dispelled_is_unspent and is_once_per_duel(cast):
                cast.wizard.used_bolt = False  # the spell that was stopped is not spent. rules: W5
    kind = dispels[0].spell.id
    table.shields = table.countered = NOBODY
    for wizard in table.started:
        end_old_guards(table, wizard, kind)
        end_effects_and_bank(table, wizard, kind)
    for monster in table.position.monsters:
        if monster.state == ALIVE:
            end_old_guards(table, monster, kind)
            end_effects_and_bank(table, monster, kind)
            doom_monster(table, monster, kind)
    for cast in dispels:
        being = table.find(cast.subject)
        if being is not None and is_alive(being):
            apply_guard(table, cast, being.id)
    table.casts = dispels


def is_once_per_duel(cast: Casting) -> bool:
    """Return whether the cast uses up a pattern that can be cast once in a duel. rules: R18, W5"""
    return cast.spell.once_by != "" and (cast.released or cast.pattern == cast.spell.once_by)


def end_old_guards(table: Table, being: Being, cause: str) -> None:
    """End the guards that the being still has from the normal turn. rules: W11"""
    for guard in being.guards:
        if guard != SHIELD or COUNTER not in being.guards:  # a counter-spell includes a shield
            table.report(removed, being.id, table.rules.guarding[guard], cause)
    being.guards = ()


def end_effects_and_bank(table: Table, being: Being, cause: str) -> None:
    """End every effect on the being, and empty its bank. rules: R53"""
    for effect in sorted(being.effects):
        table.report(removed, being.id, effect, cause)
    being.effects.clear()
    if isinstance(being, Wizard) and being.bank and not table.rules.keeps_bank:
        table.report(removed, being.id, "bank", cause)
        being.bank = being.bank_subject = ""


def doom_monster(table: Table, monster: Monster, cause: str) -> None:
    """Mark the monster for destruction at the end of the turn; it attacks first. rules: R47"""
    if monster.id not in table.doomed:
        table.doomed = {**table.doomed, monster.id: cause}
        table.report(Doomed, monster.id, cause)


def apply_guard(table: Table, cast: Casting, subject: str) -> None:
    """Apply a counter-spell, a mirror or the shield of a Dispel Magic. rules: R36, R42"""
    if cast.spell.guard is MIRROR:
        if subject in table.countered and not ignores_counter_spell(table, cast):
            table.fail(cast, "countered")
            return
        table.mirrored |= {subject}
    elif cast.spell.guard is COUNTER:
        table.countered |= {subject}
        table.mirrored -= {subject}  # the mirror of an elemental that merged with the subject
    if cast.spell.guard is not MIRROR:
        table.shields |= {subject}
    table.report(guarded, subject, cast.spell.id, cast.wizard.id)


def ignores_counter_spell(table: Table, cast: Casting) -> bool:
    """Return whether a counter-spell does not stop this cast. rules: R37, R105, R207"""
    if table.rules.release_ignores_counter and cast.released:
        return True
    return not cast.spell.counterable


def raise_guards(table: Table) -> None:
    """Apply counter-spells, then mirrors, to beings that exist. rules: R39, R41-R44, R137"""
    for kind in STOPPING_GUARDS:
        for cast in table.casts:
            if cast.spell.guard is kind:
                being = table.find(cast.subject)
                if cast.subject == "nowhere":
                    table.fail(cast, "nowhere")
                elif cast.subject in FUTURE_BEINGS and not table.rules.early_spells_wait:
                    table.fail(cast, "too_early")
                elif cast.subject in FUTURE_BEINGS or (
                    is_corpse(being) and isinstance(being, Monster)
                ):
                    table.waiting_guards += (cast,)
                elif being is None or not is_alive(being):
                    table.fail(cast, "no_subject")
                else:
                    apply_guard(table, cast, being.id)


def apply_waiting_guards(table: Table, being: Being, name: str) -> None:
    """Apply guards that were waiting for this being, which has just appeared or risen."""
    for kind in STOPPING_GUARDS:
        for cast in table.waiting_guards:
            if cast.spell.guard is kind and cast.subject == name:
                apply_guard(table, cast, being.id)
    table.waiting_guards = tuple(c for c in table.waiting_guards if c.subject != name)


def fail_waiting_guards(table: Table) -> None:
    """Cancel guards whose subject never appeared. rules: R14, R150"""
    for cast in table.waiting_guards:
        table.fail(cast, "no_subject" if cast.subject in FUTURE_BEINGS else "corpse")
    table.waiting_guards = ()


def reached_being(table: Table, cast: Casting, being: Being) -> Being | None:
    """Return the being that the cast reaches after mirrors and counter-spells, None if lost.

    rules: R40, R41, R43, R105, R119, R120, R177
    """
    if being.id in table.mirrored and being is not cast.wizard and cast.spell.reflectable:
        table.report(reflected, cast.spell.id, cast.wizard.id, being.id)
        if isinstance(being, Wizard):
            cast.master = being.id
        elif cast.spell.hands in DIRECTED_EFFECTS and not table.rules.monsters_direct_reflections:
            table.fail(cast, "no_master")
            return None
        else:
            cast.master = being.controller or cast.wizard.id
        if cast.wizard.id in table.mirrored and table.rules.mirrors_meet:
            table.fail(cast, "mirrors", being.id)
            return None
        being = cast.wizard
        cast.subject = being.id
    if being.id in table.countered and not ignores_counter_spell(table, cast):
        table.fail(cast, "countered")
        return None
    return being
