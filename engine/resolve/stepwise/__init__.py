"""Stepwise resolution: each call plays one phase, and most questions come after the reveal.

The program `spellcast` plays this way. A phase is for everyone, for time-stopped wizards, or for
hasted wizards. The spells of a haste phase are only aimed in it. `PHASES` and `EXECUTION_STEPS`
list the steps in order. rules: turn:stepwise
"""

from collections.abc import Callable, Mapping
from typing import Final

from engine.resolve.stepwise.aim import aim_spells, gather_casts, keep_casts_for_turn
from engine.resolve.stepwise.attacks import advance_mind_spells, monsters_attack
from engine.resolve.stepwise.cancel import cancel_opposites
from engine.resolve.stepwise.candidates import complete_spells
from engine.resolve.stepwise.capture import capture_spells
from engine.resolve.stepwise.close import begin_next_turn, run_clocks, settle_winner
from engine.resolve.stepwise.elements import settle_elements
from engine.resolve.stepwise.enchant import apply_enchantments, apply_protections
from engine.resolve.stepwise.harm import cure_and_raise, deal_damage
from engine.resolve.stepwise.magic import land_spells, raise_guards
from engine.resolve.stepwise.reveal import reveal_rows
from engine.resolve.stepwise.summons import summon_monsters
from engine.resolve.stepwise.table import StepwiseTable

Step = Callable[[StepwiseTable], None]

EXECUTION_STEPS: Final[tuple[Step, ...]] = (
    gather_casts,  # those of this phase and of the haste phase before it
    raise_guards,  # rules: turn:guards, spell:dispel_magic
    land_spells,  # rules: turn:landing
    summon_monsters,  # rules: turn:summons
    settle_elements,  # rules: turn:heat_and_cold
    cancel_opposites,  # rules: R59, R67, R77
    apply_protections,  # rules: spell:shield
    apply_enchantments,  # rules: turn:enchantments
    deal_damage,  # rules: turn:damage
    cure_and_raise,  # rules: R30, spell:raise_dead
    monsters_attack,  # rules: turn:victims
    advance_mind_spells,  # rules: R211
)
CLOSING_STEPS: Final[tuple[Step, ...]] = (
    run_clocks,  # rules: turn:deaths, turn:clock
    settle_winner,  # rules: turn:winner
)


def execution_steps(table: StepwiseTable) -> tuple[Step, ...]:
    """Return the steps that cast the aimed spells; a haste phase stores them for its turn.

    rules: R97
    """
    return (keep_casts_for_turn,) if table.is_haste_phase else EXECUTION_STEPS


def closing_steps(table: StepwiseTable) -> tuple[Step, ...]:
    """Return the steps that close the turn; a haste phase has none."""
    return () if table.is_haste_phase else CLOSING_STEPS


def execute_spells(table: StepwiseTable) -> None:
    for step in execution_steps(table):
        step(table)


def close_turn(table: StepwiseTable) -> None:
    for step in closing_steps(table):
        step(table)


PHASES: Final[tuple[Step, ...]] = (
    reveal_rows,  # rules: turn:reveal
    complete_spells,  # rules: turn:casting
    capture_spells,  # rules: spell:delayed_effect, spell:permanency
    aim_spells,  # rules: R8, R10
    execute_spells,
    close_turn,
    begin_next_turn,  # rules: turn:clock
)
STEPS_OF_PHASES: Final[Mapping[Step, Callable[[StepwiseTable], tuple[Step, ...]]]] = {
    execute_spells: execution_steps,
    close_turn: closing_steps,
}
"""The steps of each phase that consists of several."""
PHASES_THAT_ASK: Final = PHASES[: PHASES.index(execute_spells) + 1]
