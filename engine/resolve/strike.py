"""Damage by spells, stabs and monsters, all at once.

rules: turn:damage, turn:stab, turn:victims, turn:shield, R17, R33, R34, R64, R71-R74, R83, R95
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.gestures import BANK
from engine.legality.casting import default_opponent
from engine.legality.scope import ATTACKER, NO_ONE
from engine.positions.position import ALIVE, SACRIFICE, Effect, Monster, Wizard
from engine.resolve.event_factories import hit, idle, stopped
from engine.resolve.guard import doom_monster
from engine.resolve.summon import controller_for
from engine.resolve.table import Being, Casting, Harm, Table, is_alive
from engine.rulesets.choices import DefaultVictim, HasteMode, MissRule
from engine.spellbook import ICE, SpellClass, VictimEffect

HASTE_IN_OWN_TURN: Final = HasteMode.OWN_TURN
ALL_AIMED_CASTS_MISS = MissRule.ALL_AIMED
OPPONENT, LAST_OR_NOBODY = DefaultVictim.OPPONENT, DefaultVictim.LAST_OR_NOBODY
VICTIM_IS_KEPT = DefaultVictim.KEPT
DAMAGING = SpellClass.DAMAGING
LAST, NOBODY = VictimEffect.LAST, VictimEffect.NOBODY


class Victim(NamedTuple):
    """The id of the being that a monster attacks, or the reason why it attacks no one."""

    id: str = ""
    idle_cause: str = ""


def deal_damage(table: Table) -> None:
    """Record the damage done by spells, stabs and monsters. No one dies before all have struck."""
    strike_with_spells_and_stabs(table)
    if table.position.monsters:
        monsters_attack(table)


def strike_with_spells_and_stabs(table: Table) -> None:
    """Record the damage done by spells, storms and stabs."""
    if table.casts_reaching:
        strike_with_spells(table)
    if table.storms:
        strike_with_storms(table)
    for wizard, subject in table.stabs:
        stab(table, wizard, subject)


def strike_with_spells(table: Table) -> None:
    """Record the damage done by spells that reach a being. rules: R95, R120, R177"""
    for subject, casts in table.casts_reaching.items():
        for cast in casts:
            if cast.spell.class_ is DAMAGING:
                being = table.position.being(subject)
                if being is not None:
                    strike_with_spell(table, cast, being)


def strike_with_spell(table: Table, cast: Casting, being: Being) -> None:
    """Record the damage done by one spell to the being it reached."""
    spell = cast.spell
    if cast in table.spent:
        return
    if being.id in table.destroyed:
        return
    if being is not cast.wizard and isinstance(being, Wizard) and table.is_invisible(being):
        table.fail(cast, "invisible")
    elif spell.shieldable and table.is_shielded(being):
        table.fail(cast, "shield")
    elif spell.element and (
        table.resists(being, spell.element) or is_immune(table, being, spell.element)
    ):
        table.fail(cast, "resists")
    elif spell.slays:
        table.slain = {**table.slain, being.id: spell.id}
        record_harm(table, cast, being, slays=True)
        table.report(hit, being.id, 0, spell.id, cast.wizard.id)
    elif spell.gives_up:
        resolve_sacrifice(table, cast, being)
    else:
        record_harm(table, cast, being)
        table.strike(being, spell.amount, spell.id, cast.wizard.id)


def is_immune(table: Table, being: Being, element: str) -> bool:
    """Return whether an elemental is immune to a spell of its own element. rules: W43"""
    if not table.rules.elementals_immune or isinstance(being, Wizard):
        return False
    return table.rules.monsters[being.kind].element == element


def record_harm(table: Table, cast: Casting, being: Being, *, slays: bool = False) -> None:
    """Record harm done by a spell completed this turn, but not by a released spell. rules: R111"""
    if cast.hand != BANK:
        table.harms += (Harm(cast.wizard.id, being.id, slays),)


def resolve_sacrifice(table: Table, cast: Casting, being: Being) -> None:
    """Resolve a Sacrifice, which has no effect unless the duellists agreed to play with it.

    It destroys the caster's own monster named in the orders and deals damage equal to its attack.
    The monster attacks first. rules: R24
    """
    name = table.orders_of(cast.wizard.id).sacrifice
    monster = table.find(name) if SACRIFICE in table.position.options else None
    if (
        not isinstance(monster, Monster)
        or monster.controller != cast.wizard.id
        or monster.state != ALIVE
        or monster.is_elemental
        or monster.id in table.destroyed
        or monster.id in table.sacrificed
    ):
        table.fail(cast, "nothing_given" if SACRIFICE in table.position.options else "powerless")
        return
    table.sacrificed |= {monster.id}
    doom_monster(table, monster, cast.spell.id)
    strength = table.rules.monsters[monster.kind].attack
    record_harm(table, cast, being)
    table.strike(being, strength, cast.spell.id, cast.wizard.id)


def strike_with_storms(table: Table) -> None:
    """Record the damage done by storms. rules: spell:fire_storm, spell:ice_storm, R142, R151"""
    for storm in table.rules.storms.values():
        cast = table.storms.get(storm)
        if cast is None:
            continue
        for being in table.living():
            cause = reason_storm_fails(table, cast, being)
            for each in table.casts if not cause else ():
                if each.spell.id == storm:
                    record_harm(table, each, being)
            table.strike(being, cast.spell.amount, storm, cast.wizard.id, cause)


def reason_storm_fails(table: Table, storm: Casting, being: Being) -> str:
    """Return the reason why the storm does not hurt the being, or ""."""
    if storm.spell.counterable and being.id in table.countered:
        return "counter_spell"
    if table.resists(being, storm.spell.element):
        return "resists"
    is_spared = storm.spell.element == ICE and being.id in table.spared_by_ice_storm
    return "fireball" if is_spared else ""


def stab(table: Table, wizard: Wizard, subject: str) -> None:
    """Record the damage done by a stab, unless something stops it. rules: turn:stab, R17"""
    being = table.find(subject)
    if being is None or not is_alive(being) or being.id in table.destroyed:
        table.report(stopped, subject, "stab", wizard.id, "no_subject")
        return
    if (
        table.rules.misses is ALL_AIMED_CASTS_MISS
        and being is not wizard
        and table.was_blind(wizard.id)
    ):
        table.report(stopped, being.id, "stab", wizard.id, "blind")
        return
    row = table.rules.stab
    apply_blow(table, being, row.amount, row.id, wizard.id, shieldable=row.shieldable)


def reason_for_missing(table: Table, wizard: Wizard, by: str) -> str:
    """Return the reason why a stab or attack on the wizard misses, or "". rules: R95, W33"""
    if table.rules.misses is not ALL_AIMED_CASTS_MISS:
        return "invisible" if table.is_invisible(wizard) else ""
    return "invisible" if by != wizard.id and table.was_invisible(wizard.id) else ""


def apply_blow(
    table: Table, being: Being, amount: int, source: str, by: str, *, shieldable: bool = True
) -> None:
    """Apply a stab or a monster's attack, unless a shield or lack of sight stops it."""
    cause = ""
    if isinstance(being, Wizard):
        cause = reason_for_missing(table, being, by)
        if table.was_blind(being.id) and not table.rules.blind_sense_spells:
            being.attacker = by
    if not cause and shieldable and table.is_shielded(being):
        cause = "shield"
    table.strike(being, amount, source, by, cause)


def monsters_attack(table: Table) -> None:
    """Resolve the attacks of all living monsters that can attack. rules: turn:victims, R71"""
    names: Mapping[str, str] = {}
    if table.created:
        names = {monster.id: key for key, monster in table.created.items()}
    for monster in list(table.position.monsters):
        if monster.state != ALIVE or monster.id in table.destroyed:
            continue
        if table.extra and monster.id not in table.position.stopped:
            continue
        if monster.is_elemental:
            attack_with_elemental(table, monster)
        else:
            attack_with_monster(table, monster, names.get(monster.id, ""))


def effects_on_attacker(table: Table, monster: Monster) -> Mapping[str, Effect]:
    """Return the effects on the monster's attack, even those removed this turn. rules: R50, R167"""
    if monster.id in table.before_removal:
        return table.before_removal[monster.id]
    return monster.effects


def number_of_attacks(table: Table, effects: Mapping[str, Effect]) -> int:
    """Return the number of a monster's attacks this turn. rules: R97, W42"""
    haste = effects.get(table.rules.hastening)
    if haste is None or table.rules.haste is HASTE_IN_OWN_TURN:
        return 1
    return 2 if haste.is_active(table.turn) and not table.extra else 1


def attack_with_elemental(table: Table, monster: Monster) -> None:
    """Resolve the elemental's attacks on all other beings, even invisible ones. rules: R34, R64"""
    kind = table.rules.monsters[monster.kind]
    cause = pacifying_mind_spell(table, effects_on_attacker(table, monster))
    if cause:
        table.report(idle, monster.id, cause)
        return
    table.attacks[monster.id] = []
    for _ in range(number_of_attacks(table, effects_on_attacker(table, monster))):
        for being in table.living():
            if being is not monster:
                cause = reason_attack_fails(table, being, kind.element)
                table.strike(being, kind.attack, "attack", monster.id, cause)


def reason_attack_fails(table: Table, being: Being, element: str) -> str:
    """Return the defence that stops an attack with this element, or "" if nothing does."""
    if table.is_shielded(being):
        return "shield"
    return "resists" if table.resists(being, element) else ""


def attack_with_monster(table: Table, monster: Monster, name: str) -> None:
    """Resolve one monster's attacks this turn.

    rules: turn:victims, R72-R74, R155, R156, R161, R170
    """
    written = ordered_victims(table, monster, name)
    effects = effects_on_attacker(table, monster)
    if effects:
        effects = dict(effects)  # copied, because later turns repeat a victim that this loop draws
        attacks = number_of_attacks(table, effects)
        victims = [
            forced_victim(table, monster, effects, number, attacks)
            or chosen_victim(table, monster, written, number)
            for number in range(attacks)
        ]
    else:
        victims = [chosen_victim(table, monster, written, 0)]
    if table.rules.unordered is VICTIM_IS_KEPT:
        store_victim(table, monster, written)
    else:
        remember_victim(table, monster, written)
    made = table.attacks[monster.id] = list[str]()
    for id, idle_cause in victims:
        being = table.find(id) if id else None
        if being is None or not is_alive(being) or being.id in table.destroyed:
            table.report(idle, monster.id, idle_cause or "no_victim")
            continue
        made.append(being.id)
        apply_blow(table, being, table.rules.monsters[monster.kind].attack, "attack", monster.id)


def ordered_victims(table: Table, monster: Monster, name: str) -> tuple[str, ...]:
    """Return the victims that the monster's present controller wrote for it. rules: R15, R123"""
    if not monster.controller:
        return ()
    victims = table.orders_of(monster.controller).victims
    return victims.get(monster.id) or victims.get(name) or ()


def forced_victim(
    table: Table, monster: Monster, effects: dict[str, Effect], number: int, attacks: int
) -> Victim | None:
    """Return the victim that a mind spell forces, or None if none does."""
    if not effects:
        return None
    cause = pacifying_mind_spell(table, effects)
    if cause:
        return Victim(idle_cause=cause)
    minds = [
        kind
        for kind in table.rules.victims_under
        if (effect := effects.get(kind)) is not None
        and effect.is_active(table.turn)
        and (effect.permanent or not table.extra)
    ]
    if len(minds) != 1:
        return None
    kind = minds[0]
    victims, made = table.rules.victims_under[kind], effects[kind].sets
    if victims is NOBODY or (victims is LAST and not made):
        return Victim(idle_cause=kind)
    if made:
        return Victim(made[min(number, len(made) - 1)])
    return drawn_victim(table, monster, number, attacks, kind, effects[kind])


def pacifying_mind_spell(table: Table, effects: Mapping[str, Effect]) -> str:
    """Return the mind spell that keeps a monster from attacking, or "". rules: W15"""
    if not effects or not table.rules.minds_strike_monsters_at_once:
        return ""
    return next(
        (
            kind
            for kind, victims in table.rules.victims_under.items()
            if victims is NOBODY and kind in effects and effects[kind].is_active(table.turn)
        ),
        "",
    )


def drawn_victim(
    table: Table, monster: Monster, number: int, attacks: int, kind: str, effect: Effect
) -> Victim:
    """Draw a victim at random from all beings except the monster itself. rules: R83, R160"""
    beings = [being for being in table.living() if being is not monster]
    if not beings:
        return Victim(idle_cause=kind)
    which = f"attack {number + 1} " if attacks > 1 else ""
    extra = " extra" if table.extra else ""
    label = f"turn {table.turn}{extra} confusion {monster.id} {which}victim"
    victim = table.draw(monster.id, "victim", label, [being.id for being in beings])
    if effect.permanent and table.rules.lasting_minds_repeat:
        held = monster.effects.get(kind)
        if held is not None:
            monster.effects[kind] = held._replace(sets=(*held.sets, victim))
    return Victim(victim)


def chosen_victim(table: Table, monster: Monster, written: tuple[str, ...], number: int) -> Victim:
    """Return the victim that is written, or otherwise the monster's default victim.

    rules: R161, R170
    """
    if not monster.controller and table.rules.unordered is not VICTIM_IS_KEPT:
        return Victim(idle_cause="uncontrolled")
    victim = written[min(number, len(written) - 1)] if written else ""
    if victim == NO_ONE:
        return Victim(idle_cause="ordered")
    if victim == ATTACKER:
        return Victim(table.position.wizard(monster.controller).attacker)
    if victim:
        return Victim(victim)
    return unordered_victim(table, monster)


def unordered_victim(table: Table, monster: Monster) -> Victim:
    """Return the monster's victim if none is written this turn. rules: R161, R170"""
    unordered = table.rules.unordered
    if unordered is VICTIM_IS_KEPT:
        set_first_victim(table, monster)  # rules: W39
        return Victim(idle_cause="ordered") if monster.victim == NO_ONE else Victim(monster.victim)
    if unordered is not OPPONENT:
        if monster.victim and is_alive(table.position.being(monster.victim)):
            return Victim(monster.victim)
        if unordered is LAST_OR_NOBODY:
            return Victim(idle_cause="ordered")
    return Victim(default_opponent(table.position, monster.controller))


def set_first_victim(table: Table, monster: Monster) -> None:
    """Make the new monster attack an opponent of the wizard it was made for. rules: W20, W39"""
    if not monster.victim:
        monster.victim = table.draw_opponent(controller_at_start(table, monster), monster)


def controller_at_start(table: Table, monster: Monster) -> str:
    """Return the wizard that the monster obeyed when the turn began, or when it was made."""
    before = table.before.being(monster.id)
    if isinstance(before, Monster):
        return before.controller or monster.controller
    for subject, made in table.summoned_for:
        being = table.position.being(subject)
        if made is monster and being is not None:
            return controller_for(table, being)
    return monster.controller


def store_victim(table: Table, monster: Monster, written: tuple[str, ...]) -> None:
    """Store the monster's victim for later turns; if it does not exist, store `no_one`.

    rules: W39
    """
    if not written:
        set_first_victim(table, monster)
    victim = written[-1] if written else monster.victim
    if victim == NO_ONE:
        monster.victim = victim
        return
    being = table.find(victim)
    is_there = being is not None and is_alive(being) and being.id not in table.destroyed
    monster.victim = being.id if being is not None and is_there else NO_ONE


def remember_victim(table: Table, monster: Monster, written: tuple[str, ...]) -> None:
    """Store the written victim for later turns, except `no_one`. rules: R170"""
    for victim in written:
        being = table.find(victim) if victim not in (NO_ONE, ATTACKER, "") else None
        if being is not None and is_alive(being):
            monster.victim = being.id
