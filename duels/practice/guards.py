"""The value of guards against dangerous spells in progress that shields do not stop."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import engine.play
from duels.practice.spell_values import SPELL_VALUES
from engine.play import (
    STOPPING_GUARDS,
    SYMBOL_COUNT,
    DefaultSubject,
    Position,
    RemovalEffect,
    Spell,
    Wizard,
)

# Share of a danger that a guard averts if it is ready in one turn, or in two turns.
GUARD_SHARES: Final = (0.6, 0.3)
DEADLY_VALUE: Final = 12.0  # value of averting a spell that would kill
KILLING_DAMAGE: Final = 99  # assumed damage of a spell that kills regardless of hit points


@dataclass(frozen=True, slots=True)
class HandThreat:
    """The danger from the spells that a hand can complete within a few turns, by its state.

    The fields are the value of the worst spell, the largest damage, and 1 if the hand can guard.
    """

    spell_value: Sequence[float]
    damage: Sequence[float]
    guard: Sequence[float]

    def threat_after_one_turn(self, rules: engine.play.Ruleset) -> "HandThreat":
        step = rules.automaton.step
        after = [
            step[state * SYMBOL_COUNT : (state + 1) * SYMBOL_COUNT]
            for state in range(len(self.guard))
        ]
        return HandThreat(
            *(
                [max(levels[state] for state in states) for states in after]
                for levels in (self.spell_value, self.damage, self.guard)
            )
        )


@lru_cache(maxsize=32)
def threats_ahead(ruleset: str, options: tuple[str, ...]) -> tuple[HandThreat, HandThreat]:
    """Return the threats from hands with their next gesture, and with the gesture after it."""
    rules = engine.play.RULESETS[ruleset].under(options)
    ends = [[end.spell for end in found] for found in rules.ends]
    feared = [[spell for spell in found if _passes_shields(spell)] for found in ends]
    now = HandThreat(
        [
            max((SPELL_VALUES.get(spell.id, 0.0) for spell in found), default=0.0)
            for found in feared
        ],
        [
            max(
                (float(KILLING_DAMAGE if spell.slays else spell.amount) for spell in found),
                default=0.0,
            )
            for found in feared
        ],
        [float(any(_is_guard(spell) for spell in found)) for found in ends],
    )
    soon = now.threat_after_one_turn(rules)
    return soon, soon.threat_after_one_turn(rules)


def _is_guard(spell: Spell) -> bool:
    """Return whether this spell stops other spells."""
    return spell.guard in STOPPING_GUARDS or spell.unmakes is RemovalEffect.MAGIC


def _passes_shields(spell: Spell) -> bool:
    return (
        spell.default is DefaultSubject.OPPONENT and not spell.shieldable and not _is_guard(spell)
    )


def guard_value(position: Position, wizard: Wizard, rivals: Sequence[Wizard]) -> float:
    """Return the value of the wizard's guards against spells in the next two turns.

    The value is negative if such a spell would kill and no guard can be ready in time.
    """
    states = [state for rival in rivals for state in (rival.left_state, rival.right_state)]
    if not states:
        return 0.0
    points = wizard.damage_limit(position.rules) - wizard.damage
    found: list[float] = []
    for soon, part in zip(
        threats_ahead(position.ruleset, position.options), GUARD_SHARES, strict=True
    ):
        is_deadly = max(soon.damage[state] for state in states) >= points
        if soon.guard[wizard.left_state] or soon.guard[wizard.right_state]:
            due = DEADLY_VALUE if is_deadly else max(soon.spell_value[state] for state in states)
            found.append(part * due)
        elif is_deadly and not found:
            return -DEADLY_VALUE  # a later guard comes too late
    return max(found, default=0.0)
