"""The step from one numbered turn to the next: kind of turn, clocks, and guards that last.

rules: W8-W12, W16
"""

from engine.events import TimeStopped
from engine.ids import SEATS
from engine.positions.position import EXTRA, FOREVER, HASTE, NORMAL, Effect, is_effect_active
from engine.resolve.close import (
    expire_effect,
    expire_effects,
    time_stopped_survivors,
    update_known_monsters,
)
from engine.resolve.table import Table, living
from engine.spellbook import Guard

SHIELD, COUNTER, MIRROR = Guard.SHIELD.value, Guard.COUNTER.value, Guard.MIRROR.value


def keep_guards_in_hasted_turn(table: Table) -> None:
    """Keep the normal turn's shields and counter-spells in its hasted turn. rules: W11"""
    if table.position.kind != HASTE:
        return
    for being in living(table.position):
        if SHIELD in being.guards:
            table.shields |= {being.id}
        if COUNTER in being.guards:
            table.countered |= {being.id}


def keep_mirrors_in_hasted_turn(table: Table) -> None:
    """Keep mirrors in the hasted turn, except under a counter-spell. rules: W11, W37"""
    if table.position.kind != HASTE:
        return
    for being in living(table.position):
        if MIRROR in being.guards and being.id not in table.countered:
            table.mirrored |= {being.id}


def begin_next_turn(table: Table) -> None:
    """Prepare the next position: the next number, and the kind of its turn. rules: W8, W11"""
    position = table.position
    position.left_now = ()
    survivors = time_stopped_survivors(table) if table.stopped and not position.outcome else ()
    stopped = tuple(id for id in survivors if id in SEATS)  # only wizards get one. rules: W12
    kind = NORMAL if position.outcome else next_turn_kind(table, stopped)
    was_hasted = position.was_hasted or position.kind == HASTE
    store_guards_for_hasted_turn(table, kind)
    position.kind, position.stopped = kind, stopped
    position.was_hasted = was_hasted and kind == EXTRA
    if position.outcome:
        return
    position.turn += 1
    if kind == NORMAL:
        run_clocks(table)
    else:
        stop_clocks(table)
    for wizard in position.wizards:
        if wizard.knows is not None or table.rules.blinding in wizard.effects:
            update_known_monsters(position, wizard)
    for id in stopped:
        table.report(TimeStopped, id)


def next_turn_kind(table: Table, stopped: tuple[str, ...]) -> str:
    """Return the next turn's kind: time-stopped before hasted, and hasted before normal.

    Each normal turn has at most one hasted turn after it, even with time-stopped turns in between.
    rules: W9, W12
    """
    position = table.position
    if stopped:
        return EXTRA
    if position.kind == HASTE or position.was_hasted:
        return NORMAL
    for wizard in position.wizards_in_duel():
        if is_effect_active(wizard, table.rules.hastening, table.turn):
            return HASTE
    return NORMAL


def store_guards_for_hasted_turn(table: Table, kind: str) -> None:
    """Keep guards of a normal turn for its hasted turn; drop those of an extra turn. rules: W11"""
    is_normal = table.position.kind == NORMAL
    if is_normal and kind == NORMAL:
        return
    for being in living(table.position):
        if is_normal:
            being.guards = guards_of(table, being.id)
        elif kind == NORMAL or table.position.kind == HASTE:
            being.guards = ()


def guards_of(table: Table, id: str) -> tuple[str, ...]:
    """Return the guards that protected this being this turn, as stored in `Wizard.guards`."""
    guards: tuple[str, ...] = (SHIELD,) if id in table.shields else ()
    if id in table.countered:
        guards = (*guards, COUNTER)
    return (*guards, MIRROR) if id in table.mirrored else guards


def run_clocks(table: Table) -> None:
    """Advance the clocks by one turn, and remove expired effects. rules: turn:clock, W11"""
    for being in living(table.position):
        expire_effects(table, being, table.turn)


def stop_clocks(table: Table) -> None:
    """Stop the clocks, because an extra turn belongs to the turn before it.

    Effects that would begin on the next turn begin later. However, a waiting mind spell acts in
    hasted turns, and a window is open in any extra turn. rules: W11, W16, W34
    """
    turn, stops = table.turn, table.position.kind == EXTRA
    minds, windows = table.rules.mind_spells, table.rules.windows
    for being in living(table.position):
        for kind in sorted(being.effects):
            effect = being.effects[kind]
            if kind in minds and effect.last <= turn:
                expire_effect(table, being, kind)
            else:
                begins_later = kind not in windows and (stops or kind not in minds)
                being.effects[kind] = postponed_effect(effect, turn, begins_later=begins_later)


def postponed_effect(effect: Effect, turn: int, *, begins_later: bool) -> Effect:
    """Return the effect with its turns moved, because an extra turn follows this one."""
    first, last = effect.first, effect.last
    if begins_later and first > turn:
        first += 1
    return effect._replace(first=first, last=last if last >= FOREVER else last + 1)
