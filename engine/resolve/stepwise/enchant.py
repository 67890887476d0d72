"""Enchantments, applied to one being at a time; permanent ones are renewed.

rules: turn:stepwise, turn:enchantments, R92, R93, R98, R107
"""

from engine.events import TimeStopped
from engine.legality.hand_constraints import last_row
from engine.positions.position import FOREVER, Effect, Wizard
from engine.resolve.close import break_sequence, expire_effect
from engine.resolve.enchant import report_enchanted
from engine.resolve.event_factories import guarded
from engine.resolve.stepwise.magic import doom_monster
from engine.resolve.stepwise.minds import update_waiting_mind_spell
from engine.resolve.stepwise.removal import end_effects_and_bank
from engine.resolve.stepwise.table import NO_LANDED_CASTS, StepwiseTable
from engine.resolve.table import Being, unseen_by
from engine.spellbook import TURNS_OF_DURATION

NEW_HASTE, RENEWED_HASTE = 2, 1
"""Turns added to a new and to a renewed haste; `shorten_haste` later removes the surplus."""


def apply_protections(table: StepwiseTable) -> None:
    """Apply shields, resistances and protections from evil."""
    rules = table.rules
    resistances = [kind for kind in rules.resistances.values() if kind in table.kinds]
    for being in table.living():
        landed = table.landed.get(being.id, NO_LANDED_CASTS)
        if not landed and not being.effects and not being.lasting:
            continue
        if rules.shielding in landed:
            shield_being(table, being)
        for kind in resistances:
            if landed.get(kind):
                apply_timed_enchantment(table, being, kind, turns_in_effect(table, kind))
        if rules.protecting in being.effects or rules.protecting in landed:
            turns = turns_in_effect(table, rules.protecting)
            renew_enchantment(table, being, rules.protecting, turns, turns)
    for monster in table.gone:
        shield_being(table, monster)  # counts if it is raised. rules: R208


def shield_being(table: StepwiseTable, being: Being) -> None:
    """Shield the being; several shields count as one."""
    for cast in table.casts_that_reached(being, table.rules.shielding)[:1]:
        table.shields |= {being.id}
        table.report(guarded, being.id, cast.spell.id, cast.wizard.id)


def apply_enchantments(table: StepwiseTable) -> None:
    """Apply every enchantment that reached its subject, removals last."""
    rules = table.rules
    haste = rules.hastening
    illnesses = [kind for kind in rules.illnesses if kind in table.kinds]
    ending_or_opening = (rules.removing, rules.breaking, *rules.windows)
    for being in table.living():
        landed = table.landed.get(being.id, NO_LANDED_CASTS)
        if not landed and not being.effects and not being.lasting:
            continue
        for kind in illnesses:
            if landed.get(kind) and kind not in being.effects:
                apply_timed_enchantment(table, being, kind, turns_in_effect(table, kind))
        for kind in (rules.blinding, rules.hiding):
            if kind in being.effects or kind in landed:
                shorten_sight_effect(table, being, kind)
        if haste in being.effects or haste in landed:
            sets = turns_after_casting(table, haste)
            new = RENEWED_HASTE if haste in being.effects else NEW_HASTE
            renew_enchantment(table, being, haste, sets + new, sets + RENEWED_HASTE)
        if landed.get(rules.stopping):
            table.stopped += (being.id,)
            table.report(TimeStopped, being.id)
        update_waiting_mind_spell(table, being)
        if not landed.keys().isdisjoint(ending_or_opening):
            apply_removals_and_window_spells(table, being)


def turns_after_casting(table: StepwiseTable, kind: str) -> int:
    """Return the number of turns on which it acts after the turn of casting, or FOREVER."""
    _, last = TURNS_OF_DURATION[table.rules.spells[kind].lasts]
    return FOREVER if last is None else last


def turns_in_effect(table: StepwiseTable, kind: str) -> int:
    """Return the number of turns that it lasts, including the turn of casting, or FOREVER."""
    after = turns_after_casting(table, kind)
    return FOREVER if after == FOREVER else after + 1


def apply_timed_enchantment(table: StepwiseTable, being: Being, kind: str, turns: int) -> None:
    """Apply the enchantment, permanently if a permanency extended one of its castings."""
    casts = table.casts_that_reached(being, kind)
    held = being.effects.get(kind)
    permanent = any(cast.permanent for cast in casts) or (held is not None and held.permanent)
    last = FOREVER if turns >= FOREVER else table.turn + turns - 1
    unseen = unseen_by(table.position, being, casts[-1])
    if held is not None:
        unseen = tuple(wizard for wizard in held.unseen_by if wizard in unseen)
    caster = casts[-1].wizard.id
    being.effects[kind] = Effect(table.next_turn, last, caster, permanent, unseen_by=unseen)
    report_enchanted(table, being, casts[-1])


def renew_enchantment(table: StepwiseTable, being: Being, kind: str, new: int, again: int) -> bool:
    """Apply an enchantment cast now, or renew a permanent one. Return whether it did so. R107

    The enchantment must be on the being already, or have just reached it.
    """
    if table.casts_that_reached(being, kind):
        apply_timed_enchantment(table, being, kind, new)
        return True
    held = being.effects[kind]
    if held.permanent:
        last = FOREVER if again >= FOREVER else table.turn + again - 1
        being.effects[kind] = held._replace(last=last)
        return True
    return False


def shorten_sight_effect(table: StepwiseTable, being: Being, kind: str) -> None:
    """Shorten a blindness or invisibility by one turn, in every phase and for everyone."""
    after = turns_after_casting(table, kind)
    if renew_enchantment(table, being, kind, after, after):
        if after != FOREVER:
            table.set_turns_left(being, kind, after)
    else:
        run_clock(table, being, kind)


def run_clock(table: StepwiseTable, being: Being, kind: str, *, most: int = FOREVER) -> None:
    """Shorten an effect by one turn, to at most this number, and end it if none is left."""
    if kind in being.effects and being.effects[kind].last != FOREVER:
        turns = min(most, table.turns_left(being, kind) - 1)
        table.set_turns_left(being, kind, turns)
        if not turns:
            expire_effect(table, being, kind)


def apply_removals_and_window_spells(table: StepwiseTable, being: Being) -> None:
    """Apply removals, then windows and Anti-spells, which a removal stops. rules: R52"""
    rules = table.rules
    removed = bool(table.casts_that_reached(being, rules.removing))
    if removed:
        end_effects_and_bank(table, being, rules.removing)
        if not isinstance(being, Wizard):
            doom_monster(table, being, rules.removing)
    if not isinstance(being, Wizard):
        return
    for kind in (*rules.windows, rules.breaking):
        casts = table.casts_that_reached(being, kind)
        if casts and removed and rules.spells[kind].removable:
            for cast in casts:
                table.fail(cast, "removed")
        elif casts and rules.spells[kind].breaks:
            break_sequences(table, being)
        elif casts:
            apply_timed_enchantment(table, being, kind, turns_in_effect(table, kind))


def break_sequences(table: StepwiseTable, wizard: Wizard) -> None:
    """Break the wizard's sequences, and keep only the last row. rules: R93"""
    wizard.made = (last_row(wizard),)
    break_sequence(table, wizard)
