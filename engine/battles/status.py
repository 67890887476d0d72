"""A wizard's status line after a turn, as recorded at the end of a battle.

rules: W11
"""

from collections.abc import Collection
from typing import Final

from engine.battles.document import Effect as RecordedEffect
from engine.battles.outcome import SIGHT_WORDS, OutcomeCollector
from engine.battles.resolution import PlayedTurn
from engine.battles.words import STATUS_WORDS
from engine.positions.position import (
    FOREVER,
    HASTE,
    NORMAL,
    STANDING,
    Effect,
    Position,
    is_effect_active,
)

PERMANENT: Final = "permanent"


def wizard_status(
    before: Position, played: PlayedTurn, wizard: str, *, is_counted: bool
) -> dict[str, object]:
    """Return a wizard's effects after that turn, with the turns each has left.

    If an extra turn follows, the clocks have not run yet. If the wizard leaves, an illness keeps
    the number of turns that the record reported last: in this turn if `is_counted`, otherwise in an
    earlier turn. rules: W11
    """
    found: dict[str, object] = {}
    clocks_are_stopped = is_extra_turn_due(before, played)
    is_over = bool(played.after.outcome)
    leaves = played.after.wizard(wizard).standing != STANDING
    for kind, effect in played.kept[wizard].effects.items():
        left = turns_left(before, kind, effect, clocks_are_stopped=clocks_are_stopped)
        if leaves and not is_counted and kind in before.rules.illnesses and before.kind == NORMAL:
            left = effect.last - before.turn + 1
        is_begun = effect.first <= before.turn or not (is_over and kind in SIGHT_WORDS)
        if kind in STATUS_WORDS and left and is_begun:
            found[STATUS_WORDS[kind]] = left
    for kind in waiting_mind_spells(before, played, wizard):
        found.setdefault(STATUS_WORDS[kind], 1)
    return found


def undecided_status_entries(
    before: Position, played: PlayedTurn, wizard: str, recorded: Collection[RecordedEffect]
) -> set[tuple[str, object]]:
    """Return other entries that the status line may have, because records leave this open.

    This concerns effects that reached the wizard in the turn in which they leave or the battle
    ends. The line can count an illness's turns from this turn, from the next, or not at all. If the
    wizard leaves or the beginning is recorded, the line can omit blindness or invisibility that
    begins later.
    """
    found: set[tuple[str, object]] = set()
    leaves = played.after.wizard(wizard).standing != STANDING
    held = before.wizard(wizard).effects
    announced = [effect.code for effect in recorded if effect.on == wizard]
    for kind, effect in played.kept[wizard].effects.items():
        left = effect.last - before.turn
        if kind in before.rules.illnesses and leaves and kind not in held:
            found |= {(STATUS_WORDS[kind], turns) for turns in (0, left, left + 1)}
        elif kind in SIGHT_WORDS and effect.first > before.turn and effect.last < FOREVER:
            is_open = leaves or (
                bool(played.after.outcome) and f"{SIGHT_WORDS[kind]}_begins" in announced
            )
            found |= {(STATUS_WORDS[kind], turns) for turns in (0, left) if is_open}
    return found


def turns_left(
    before: Position, kind: str, effect: Effect, *, clocks_are_stopped: bool
) -> int | str:
    """Return the turns left for the effect after that turn, or PERMANENT if it has no end."""
    turn = before.turn
    if effect.last >= FOREVER:
        return PERMANENT
    if kind in before.rules.illnesses or kind in before.rules.mind_spells:
        return effect.last - turn
    if kind == "haste":  # counted in hasted turns
        return effect.last - turn + int(before.kind != HASTE and not before.was_hasted)
    if clocks_are_stopped:
        return effect.last - turn + 1 if effect.first <= turn or kind in before.rules.windows else 0
    return effect.last - turn


def is_extra_turn_due(before: Position, played: PlayedTurn) -> bool:
    """Return whether an extra turn follows, or would if the battle continued. rules: W9, W12"""
    after = played.after
    if not after.outcome:
        return after.kind != NORMAL
    if before.kind == HASTE or before.was_hasted:
        return False
    return any(
        is_effect_active(wizard, "haste", before.turn)
        for wizard in after.wizards
        if wizard.standing == STANDING
    )


def waiting_mind_spells(before: Position, played: PlayedTurn, wizard: str) -> list[str]:
    """Return the mind spells that reached the wizard in this turn and act in a later one."""
    effects = OutcomeCollector(before, played).whole_outcome({}).effects
    mine = [effect.code for effect in effects if effect.on == wizard]
    hands = before.rules.hands_under
    return [] if "mind_cancel" in mine else [code for code in mine if code in hands]
