"""The arrival of casts at their subjects: raising, mirrors, removal, cures, mind spells.

rules: turn:landing, R39, R50-R55, R58, R59, R76, R77, R90, R124, R137, R149-R151
"""

from engine.events import Cured, Raised
from engine.positions.position import ALIVE, CORPSE, DEAD, STANDING, Monster, Wizard
from engine.resolve import guard
from engine.resolve.event_factories import removed
from engine.resolve.table import Being, Casting, Table, can_affect, is_alive, is_corpse
from engine.spellbook import Spell


def land_casts(table: Table) -> None:
    """Assign each remaining cast to the being that it reaches, or record why it fails."""
    if table.waiting_guards:
        guard.fail_waiting_guards(table)
    for cast in table.casts:
        if not cast.spell.stops_spells and not cast.spell.monster:
            land_cast(table, cast)


def raise_corpses(table: Table) -> None:
    """Raise corpses; the earliest seat counts if several raise one. rules: R54, R55, R124, R149"""
    raising: dict[str, list[Casting]] = {}
    for cast in table.casts:
        if cast.spell.raises and is_corpse(table.find(cast.subject)):
            raising.setdefault(cast.subject, []).append(cast)
    for subject, casts in raising.items():
        slaying = [c for c in table.casts if c.spell.slays and c.subject == subject]
        for cast in casts:
            table.casts.remove(cast)
        if slaying:
            for cast in casts:
                table.fail(cast, "opposed")
            table.fail_each(table.casts, slaying, "opposed")
            continue
        being = table.find(subject)
        assert being is not None
        if not can_be_raised(being):
            for cast in casts:
                table.fail(cast, "no_subject")
            continue
        raise_corpse(table, being, casts[0].wizard)
        for cast in casts[1:]:
            table.fail(cast, "already", casts[0].wizard.id)
        guard.apply_waiting_guards(table, being, subject)


def can_be_raised(being: Being) -> bool:
    """Return whether the being is dead, not just out of the duel. rules: R54, R113"""
    return being.standing == DEAD if isinstance(being, Wizard) else being.state == CORPSE


def raise_corpse(table: Table, being: Being, raiser: Wizard) -> None:
    """Raise a corpse, and clear a monster's old victim. rules: spell:raise_dead, R174"""
    if isinstance(being, Monster):
        being.victim = ""
    table.raised = {**table.raised, being.id: being}
    revive(table, being, raiser)


def revive(table: Table, being: Being, raiser: Wizard) -> None:
    """Revive a being without damage or effects; a monster obeys its raiser.

    rules: spell:raise_dead
    """
    being.damage = 0
    being.effects = {}
    if isinstance(being, Wizard):
        being.standing = STANDING
    else:
        being.state = ALIVE
        being.controller = raiser.id
    table.report(Raised, being.id, raiser.id)


def land_cast(table: Table, cast: Casting) -> None:
    """Deliver one cast to its subject, or record why it fails. rules: R8, R14, R117, R150"""
    if cast.spell.is_area:
        table.storms = {cast.spell.id: cast, **table.storms}
        return
    if cast.subject == "nowhere":
        table.fail(cast, "nowhere")
        return
    being = cast.wizard if cast.subject == cast.wizard.id else table.find(cast.subject)
    if not is_alive(being):
        lies = being is not None and can_be_raised(being)
        table.fail(cast, "corpse" if lies else "no_subject")
        return
    assert being is not None
    is_open = not table.mirrored and not table.countered
    final = being if is_open else guard.reached_being(table, cast, being)
    if final is None:
        return
    if cast.spell.is_enchantment and final.id in table.raised:
        table.fail(cast, "raised")
        return
    cast.subject = final.id
    table.casts_reaching.setdefault(final.id, []).append(cast)


def remove_and_cure(table: Table) -> None:
    """Apply removals, cancel opposite spells, and note cures. rules: R30, R50-R52, R59"""
    slayers, raisers = table.rules.slayers, table.rules.raisers
    for subject, casts in list(table.casts_reaching.items()):
        being = table.position.being(subject)
        assert being is not None
        kinds = {cast.spell.id for cast in casts}
        if table.rules.removing in kinds and can_remove(table, being, casts):
            apply_removal(table, being, casts)
        if not kinds.isdisjoint(slayers) and not kinds.isdisjoint(raisers):
            cancel_slaying_and_raising(table, casts)
        for cast in [cast for cast in casts if cast.spell.heals]:
            cure_illnesses(table, being, casts, cast.spell)
        for cast in casts:
            if cast.spell.id in table.rules.cures:
                cured = table.cures.get(subject, 0) + cast.spell.amount
                table.cures = {**table.cures, subject: cured}
                table.report(Cured, subject, cast.spell.amount, cast.spell.id, cast.wizard.id)


def can_remove(table: Table, being: Being, casts: list[Casting]) -> bool:
    """Return whether a removal can affect the being; if not, record that it fails. rules: R70"""
    removing = table.rules.removing
    if can_affect(table.rules.spells[removing].works, being):
        return True
    table.fail_each(casts, [c for c in casts if c.spell.id == removing], "unsuitable")
    return False


def apply_removal(table: Table, being: Being, casts: list[Casting]) -> None:
    """Apply a Remove Enchantment to the being. rules: spell:remove_enchantment, R50-R53, R167"""
    table.before_removal = {**table.before_removal, being.id: dict(being.effects)}
    kind = table.rules.removing
    guard.end_effects_and_bank(table, being, kind)
    ended = [c for c in casts if c.spell.is_enchantment and c.spell.removable]
    table.fail_each(casts, ended, "removed")
    if isinstance(being, Monster):
        guard.doom_monster(table, being, kind)
    elif table.rules.removal_unmakes_summons:
        for subject, monster in table.summoned_for:
            if subject == being.id:
                guard.doom_monster(table, monster, kind)


def cancel_slaying_and_raising(table: Table, casts: list[Casting]) -> None:
    """Cancel every Finger of Death and every Raise Dead on this living being. rules: R37, R59"""
    table.fail_each(casts, [c for c in casts if c.spell.slays or c.spell.raises], "opposed")


def cure_illnesses(table: Table, being: Being, casts: list[Casting], cure: Spell) -> None:
    """End the illnesses that the cure heals, including those cast this turn. rules: R90"""
    for illness in cure.heals:
        if illness in being.effects:
            del being.effects[illness]
            table.report(removed, being.id, illness, cure.id)
        table.fail_each(casts, [c for c in casts if c.spell.id == illness], "cured")


def cancel_conflicting_mind_spells(table: Table) -> None:
    """Cancel all mind spells on a being if they conflict. rules: R76-R78"""
    for subject, casts in table.casts_reaching.items():
        minds = [cast for cast in casts if cast.spell.mind]
        if not minds or (len(minds) == 1 and not table.rules.minds_in_force_cancel):
            continue
        kinds = {cast.spell.id for cast in minds}
        masters = {cast.master for cast in minds}
        if len(kinds) > 1 or (len(minds) > 1 and table.rules.same_minds_cancel):
            cause = "mind_conflict"
        elif minds[0].spell.one_master and len(masters) > 1:
            cause = "two_charmers"
        elif table.rules.minds_in_force_cancel and mind_spells_in_force(table, subject) - kinds:
            cause = "mind_in_force"
        else:
            continue
        table.fail_each(casts, minds, cause)


def mind_spells_in_force(table: Table, subject: str) -> set[str]:
    """Return the older mind spell that acts on the being this turn and then ends.

    If two of them cancel each other, neither counts. rules: R78, R79, R182
    """
    before = table.before.being(subject)
    effects = before.effects if before is not None else {}
    acting = {
        kind
        for kind in table.rules.mind_spells
        if kind in effects and effects[kind].is_active(table.turn)
    }
    if len(acting) > 1:
        return set()
    return {kind for kind in acting if not effects[kind].permanent}
