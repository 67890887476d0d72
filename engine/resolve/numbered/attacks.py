"""Attacks by monsters in rulesets with numbered extra turns: they attack only in normal turns.

rules: W10, W13, W40, W42
"""

from engine.events import TimeStopped
from engine.positions.position import ALIVE, NORMAL, Monster
from engine.resolve.close import damage_after
from engine.resolve.strike import (
    apply_blow,
    effects_on_attacker,
    monsters_attack,
    ordered_victims,
    store_victim,
    strike_with_spells_and_stabs,
)
from engine.resolve.table import Being, Table


def deal_damage_in_rounds(table: Table) -> None:
    """Resolve spells and stabs, then attacks, then second attacks of hasted or stopped monsters."""
    strike_with_spells_and_stabs(table)
    if not table.position.monsters:
        return
    if table.position.kind != NORMAL:
        store_ordered_victims(table)
        return
    monsters_attack(table)
    repeat_hasted_attacks(table)
    repeat_time_stopped_attacks(table)


def store_ordered_victims(table: Table) -> None:
    """Store victims that are ordered in an extra turn, for the next normal turn. rules: W10, W39"""
    names = {monster.id: key for key, monster in table.created.items()}
    for monster in table.position.monsters:
        if monster.state == ALIVE and not monster.is_elemental:
            store_victim(table, monster, ordered_victims(table, monster, names.get(monster.id, "")))


def repeat_hasted_attacks(table: Table) -> None:
    """Resolve second attacks of hasted monsters that will survive, on the same victim.

    rules: W42
    """
    for monster in list(table.position.monsters):
        victim = victim_of(table, monster)
        if victim is None or not is_hasted(table, monster) or will_die(table, monster):
            continue
        apply_blow(table, victim, table.rules.monsters[monster.kind].attack, "attack", monster.id)


def repeat_time_stopped_attacks(table: Table) -> None:
    """Resolve second attacks of time-stopped monsters, against which no defence counts.

    rules: W13
    """
    for monster in list(table.position.monsters):
        if (
            monster.id not in table.stopped
            or monster.id in table.destroyed
            or monster.state != ALIVE
        ):
            continue
        table.report(TimeStopped, monster.id)
        victim = victim_of(table, monster)
        victims = [victim] if victim is not None else []
        if monster.is_elemental and monster.id in table.attacks:
            victims = [being for being in table.living() if being is not monster]
        for being in victims:
            strength = table.rules.monsters[monster.kind].attack
            table.strike(being, strength, "attack", monster.id)


def victim_of(table: Table, monster: Monster) -> Being | None:
    """Return the being that the monster attacked this turn, or None."""
    made = table.attacks.get(monster.id)
    return table.position.being(made[-1]) if made else None


def is_hasted(table: Table, monster: Monster) -> bool:
    haste = effects_on_attacker(table, monster).get(table.rules.hastening)
    return haste is not None and haste.is_active(table.turn)


def will_die(table: Table, monster: Monster) -> bool:
    """Return whether the monster's damage, including this turn's so far, will kill it.

    rules: W42
    """
    return damage_after(table, monster) >= monster.damage_limit(table.rules)
