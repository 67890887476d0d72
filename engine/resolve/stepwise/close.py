"""The end of a phase: deaths, the clocks, the winner, and the next phase.

rules: turn:stepwise, turn:deaths, turn:winner, turn:clock, R97, R98, R109-R113
"""

from engine.events import Destroyed, Died, Drawn, Won
from engine.gestures import NOTHING
from engine.positions.position import (
    DEAD,
    DRAW,
    EXTRA,
    HASTE,
    NO_EFFECTS,
    NORMAL,
    STANDING,
    SURRENDERED,
    Monster,
    Wizard,
)
from engine.resolve.close import time_stopped_survivors, turn_into_corpse, update_known_monsters
from engine.resolve.event_factories import wounded
from engine.resolve.stepwise.enchant import run_clock, turns_after_casting
from engine.resolve.stepwise.reveal import append_row
from engine.resolve.stepwise.table import DOOM_DAMAGE, StepwiseTable
from engine.resolve.table import Being, is_alive


def run_clocks(table: StepwiseTable) -> None:
    """Apply deaths and run clocks, for wizards by seat, then for monsters.

    Beings that are not part of an extra phase can die of wounds in it, but their clocks do not run.
    """
    for being in table.living():
        report_wounds(table, being)
        if being.damage >= being.damage_limit(table.rules):
            die_of_wounds(table, being)
        elif being.effects and not table.is_defenceless(being):
            run_clock(table, being, table.rules.protecting)
            if not run_illnesses(table, being):
                for kind in table.rules.windows:
                    run_clock(table, being, kind)


def report_wounds(table: StepwiseTable, being: Being) -> None:
    """Report the being's total change in damage, unless the being is doomed."""
    before = table.before.being(being.id)
    damage = before.damage if before is not None and is_alive(before) else 0
    if damage != being.damage < DOOM_DAMAGE:
        table.report(wounded, being.id, damage, being.damage)


def die_of_wounds(table: StepwiseTable, being: Being) -> None:
    """Let a being die of its wounds. A wizard gets a last row of idle hands. rules: turn:deaths"""
    slain = (kind for kind in table.rules.slayers if table.casts_that_reached(being, kind))
    cause = next(slain, "wounds")
    if isinstance(being, Wizard):
        append_row(table, being, NOTHING * 2)
        being.standing = DEAD
        being.effects = {}
        being.lasting = NO_EFFECTS
        being.bank = being.bank_pattern = ""
        table.report(Died, being.id, cause)
    else:
        remove_dead_monster(table, being, cause)


def remove_dead_monster(table: StepwiseTable, monster: Monster, cause: str) -> None:
    """Turn the monster into a corpse, unless it is an elemental or doomed. rules: R56"""
    torn = table.doomed.get(monster.id)
    table.report(Destroyed if torn else Died, monster.id, torn or cause)
    if torn or (monster.is_elemental and not monster.raised):
        table.position.monsters.remove(monster)
    else:
        victim = monster.victim
        turn_into_corpse(monster)
        monster.victim = victim  # rules: R209


def run_illnesses(table: StepwiseTable, being: Being) -> bool:
    """Advance the being's illnesses, and return whether one was fatal, even after a surrender.

    An illness does not advance in an extra phase of the being that is followed by another one.
    rules: R112, R211
    """
    if table.extra and not table.is_in_own_phase(being):
        return False
    fatal = ""
    for kind in table.rules.illnesses:
        if kind in being.effects:
            turns = table.turns_left(being, kind) - 1
            table.set_turns_left(being, kind, turns)
            if not turns:
                fatal = fatal or kind
    if not fatal:
        return False
    if isinstance(being, Wizard):
        being.standing = DEAD
        for kind in table.rules.windows:
            table.stop_clock(being, kind)
        table.report(Died, being.id, fatal)
    else:
        remove_dead_monster(table, being, fatal)
    return True


def settle_winner(table: StepwiseTable) -> None:
    """End the duel if no more than one wizard is still fighting. rules: turn:winner, R109, R111"""
    position = table.position
    standing = position.wizards_in_duel()
    yielding = [wizard for wizard in standing if wizard.yielded]
    if len(standing) - len(yielding) <= 1:
        left = [wizard for wizard in standing if wizard not in yielding] or standing
        position.outcome = left[0].id if len(left) == 1 else DRAW
    for wizard in yielding:
        wizard.standing = SURRENDERED
    if position.outcome == DRAW:
        table.report(Drawn, tuple(wizard.id for wizard in table.before.wizards_in_duel()))
    elif position.outcome:
        table.report(Won, position.outcome)


def begin_next_turn(table: StepwiseTable) -> None:
    """Prepare the next turn: of the time-stopped wizards if there are any, else of the hasted ones,
    else of everyone.

    rules: R97, R98
    """
    position = table.position
    position.left_now = ()
    living = table.living()
    if len(living) < len(position.wizards) + len(position.monsters):
        stop_clocks_of_departed(table)
    if table.is_haste_phase:
        position.kind = NORMAL
        return
    position.stopped = () if position.outcome else time_stopped_survivors(table)
    if position.outcome or position.stopped:
        position.kind = EXTRA if position.stopped else NORMAL
        for being in living:
            table.stop_clock(being, table.rules.hastening)
    else:
        for being in living:
            shorten_haste(table, being)
        hasted = any(table.rules.hastening in being.effects for being in living)
        position.kind = HASTE if hasted else NORMAL
    if not position.outcome:
        position.turn = table.next_turn
    for wizard in position.wizards:
        update_known_monsters(position, wizard)


def stop_clocks_of_departed(table: StepwiseTable) -> None:
    """Stop the clocks of effects on wizards who are out, in case they are raised."""
    for wizard in table.position.wizards:
        if wizard.standing != STANDING:
            just_now = table.before.wizard(wizard.id).standing == STANDING
            for kind in (table.rules.hastening,) if just_now else wizard.effects:
                table.stop_clock(wizard, kind)


def shorten_haste(table: StepwiseTable, being: Being) -> None:
    """Shorten the being's haste by one row, to at most the length of a single haste. rules: R97"""
    kind = table.rules.hastening
    if kind in being.effects:
        run_clock(table, being, kind, most=turns_after_casting(table, kind))
