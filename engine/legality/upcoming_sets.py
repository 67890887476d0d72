"""Number of gesture sets that a wizard makes in each coming turn. rules: R97-R99, turn:extra"""

from collections.abc import Collection, Sequence
from typing import Final

from engine.positions.position import EXTRA, NORMAL, Effect, Position, Wizard
from engine.rulesets.choices import HasteMode, TimeStopMode

HASTED_TURNS: Final = 3
MAX_TURNS_AHEAD: Final = 8
"""Number of coming turns that are considered, enough for the longest spell."""
NO_EFFECT: Final = Effect(0, -1)


def upcoming_sets_by_turn(
    position: Position, wizard: Wizard, known: Collection[str]
) -> tuple[int, ...]:
    """Return the number of sets that the wizard makes in each coming turn; later turns have one.

    An extra turn counts as a turn. Only effects in `known` are considered. In rulesets with
    separate hasted turns, each turn has one set. rules: R97-R99, W9
    """
    rules, turn = position.rules, position.turn
    haste, stop = (
        wizard.effects[kind] if kind in known else NO_EFFECT
        for kind in (rules.hastening, rules.stopping)
    )
    if rules.haste is HasteMode.OWN_TURN:
        return (1,) * MAX_TURNS_AHEAD
    has_own_phase = rules.haste is HasteMode.OWN_PHASE
    if has_own_phase and position.kind == EXTRA and not haste.permanent:
        haste = haste._replace(last=min(haste.last, turn + HASTED_TURNS) - 1)  # put off
    found: list[int] = []
    if position.kind == EXTRA:
        if wizard.id in position.stopped:
            found.append(1)
        if rules.time_stop is TimeStopMode.AFTER_TURN:
            turn += 1
    elif position.kind == NORMAL and has_own_phase and haste.is_active(turn):
        found.append(1)  # the haste row of this turn is already made
        turn += 1
    for coming in range(turn, turn + MAX_TURNS_AHEAD):
        if stop.is_active(coming) and coming > turn:
            found.append(1)
        found.append(2 if haste.is_active(coming) else 1)
    return tuple(found)


def sets_after(upcoming_sets: Sequence[int], made: int) -> tuple[int, ...]:
    """Return the number of sets left in each turn, once `made` sets of the first one are made."""
    if not made or not upcoming_sets:
        return tuple(upcoming_sets)
    left, *later = upcoming_sets
    return (left - made, *later) if left > made else tuple(later)
