"""Dangerous spells that shields do not stop, seen coming, and what stops them in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import engine
from duels.practice.worth import WORTH
from engine.gestures import WIDTH
from engine.position import Position, Wizard
from engine.spellbook import Default, Spell

GUARDS: Final = frozenset({"counter_spell", "magic_mirror", "dispel_magic"})
READY: Final = (0.6, 0.3)
"""What part of a danger one is spared who will have a guard in time: in one turn, in two."""
DEADLY: Final = 12.0
"""What a spell is worth that would kill."""
OUTRIGHT: Final = 99
"""The damage of a spell that kills whatever is left."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """By state of a hand, what it may do in so many turns: the worst spell's worth, the worst
    damage, and whether it can guard."""

    worth: Sequence[float]
    damage: Sequence[float]
    guard: Sequence[float]

    def one_later(self, rules: engine.Ruleset) -> "Ahead":
        return Ahead(*(_next(rules, each) for each in (self.worth, self.damage, self.guard)))


@lru_cache(maxsize=8)
def ahead(ruleset: str) -> tuple[Ahead, Ahead]:
    """What hands may do with the next gesture, and with the one after it."""
    rules = engine.RULESETS[ruleset]
    ends = [[end.spell for end in found] for found in rules.ends]
    feared = [[spell for spell in found if _passes_shields(spell)] for found in ends]
    now = Ahead(
        [max((WORTH.get(spell.id, 0.0) for spell in found), default=0.0) for found in feared],
        [max((_damage(spell) for spell in found), default=0.0) for found in feared],
        [float(any(spell.id in GUARDS for spell in found)) for found in ends],
    )
    soon = now.one_later(rules)
    return soon, soon.one_later(rules)


def _passes_shields(spell: Spell) -> bool:
    return spell.default is Default.OPPONENT and spell.id not in (*GUARDS, "missile")


def _damage(spell: Spell) -> float:
    return OUTRIGHT if spell.id == "finger_of_death" else spell.amount


def _next(rules: engine.Ruleset, levels: Sequence[float]) -> list[float]:
    step = rules.automaton.step
    return [
        max(levels[after] for after in step[state * WIDTH : (state + 1) * WIDTH])
        for state in range(len(levels))
    ]


def readiness(position: Position, wizard: Wizard, rivals: Sequence[Wizard]) -> float:
    """What it is worth to be able to stop, next turn or the turn after, what is due then."""
    states = [state for rival in rivals for state in (rival.left_state, rival.right_state)]
    if not states:
        return 0.0
    found = 0.0
    for soon, part in zip(ahead(position.ruleset), READY, strict=True):
        if soon.guard[wizard.left_state] or soon.guard[wizard.right_state]:
            due = max(soon.worth[state] for state in states)
            if max(soon.damage[state] for state in states) >= wizard.limit - wizard.damage:
                due = DEADLY
            found = max(found, part * due)
    return found
