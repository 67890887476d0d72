"""Spells that hands have begun, by what an observer has seen of them. rules: F49"""

from collections.abc import Iterator, Sequence

from engine.gestures import symbols
from engine.position import (
    STANDING,
    Position,
)
from engine.rulesets import Ruleset
from engine.view.shapes import (
    ALL,
    FOG,
    FOG_ROW,
    HandView,
    Progress,
    TurnView,
)


def hands_in_progress(
    position: Position, turns: Sequence[TurnView], observer: str
) -> Iterator[HandView]:
    """Each standing wizard's hands, by what the observer has seen of them. rules: F49"""
    for wizard in position.wizards:
        if wizard.standing != STANDING:
            continue
        if observer in (ALL, wizard.id):
            left, right = wizard.left, wizard.right
        else:
            left, right = _seen_letters(position.rules, turns, wizard.id)
        for hand, letters in (("L", left), ("R", right)):
            used = wizard.used_bolt and observer in (ALL, wizard.id)
            progress = _progress(position.rules, left, right, hand, used_bolt=used)
            yield HandView(wizard.id, hand, letters, tuple(progress))


def _seen_letters(rules: Ruleset, turns: Sequence[TurnView], wizard: str) -> tuple[str, str]:
    """The letters since the last break or fog that the observer knows of."""
    left = right = ""
    for turn in turns:
        for row in turn.rows.get(wizard, ()):
            if row is FOG_ROW or row.left.letter == FOG:
                left = right = ""
            else:
                left, right = left + row.left.letter, right + row.right.letter
        if wizard in turn.breaks:
            left = right = ""
    depth = rules.automaton.depth
    return left[-depth:], right[-depth:]


def _progress(
    rules: Ruleset, left: str, right: str, hand: str, *, used_bolt: bool
) -> list[Progress]:
    """The spells this hand has begun, fewest gestures missing first."""
    pairs = [symbols(a + b) for a, b in zip(left, right, strict=True)]
    track = "".join(pair[0 if hand == "L" else 1] for pair in pairs)
    found: list[Progress] = []
    for completable in rules.completables:
        pattern = completable.pattern
        if completable.once and used_bolt:
            continue
        for done in range(min(len(pattern) - 1, len(track)), 0, -1):
            if _matches(pattern[:done], track[-done:]):
                spell = completable.spell
                found.append(Progress(spell.id, spell.name, pattern, done))
                break
    return sorted(found, key=lambda p: (len(p.remaining), -p.done, p.spell))


def _matches(steps: str, track: str) -> bool:
    return all(
        step == symbol or (step.isupper() and step.lower() == symbol)
        for step, symbol in zip(steps, track, strict=True)
    )
