"""Spells that a hand has begun: the gestures made, those still needed, and the turns they take.

rules: gesture:matching, R4, R97, F49
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.gestures import step_accepts_symbol, symbols
from engine.rulesets.ruleset import Ruleset

PossibleLetters = Sequence[tuple[str, str]]
"""The letters that the left and the right hand can make in each of the next sets.

In sets after those, they can make any letter.
"""


@dataclass(frozen=True, slots=True)
class PatternStep:
    """One gesture that a spell still needs; `both` if the other hand must make it too."""

    letter: str
    both: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """A spell begun by a hand: how many gestures are done and which are still needed.

    `turns` is the number of turns until it can be complete: 1 for the coming turn, 0 if not
    counted.
    """

    spell: str
    name: str
    pattern: str
    done: int
    turns: int = 0

    @property
    def remaining(self) -> str:
        return self.pattern[self.done :]

    @property
    def steps(self) -> tuple[PatternStep, ...]:
        """The gestures still needed, in order."""
        return tuple(PatternStep(letter.upper(), letter.islower()) for letter in self.remaining)


def spells_in_progress(
    rules: Ruleset,
    state: int,
    *,
    used_bolt: bool,
    upcoming_sets: Sequence[int] = (),
    made: int = 0,
    near: int = 0,
) -> list[Progress]:
    """Return the spells that a hand in this state has begun, fewest missing gestures first.

    `upcoming_sets` has the number of sets in each coming turn; after those, each turn has one.
    `made` is the number of sets still to be made before the first of these turns. `near`, if given,
    is the maximum number of missing gestures.
    """
    steps = rules.automaton.begun[state]
    return _spells_begun(rules, steps, used_bolt, upcoming_sets, made=made, near=near)


def visible_progress(
    rules: Ruleset,
    letters: tuple[str, str],
    hand: int,
    possible: PossibleLetters,
    used_bolt: bool,
    upcoming_sets: Sequence[int],
) -> list[Progress]:
    """Return the spells that a hand (0 left, 1 right) has begun in this way and can continue.

    If these letters begin a spell in two ways, the longer one that can be continued counts.
    """
    made = [symbols(one + other)[hand] for one, other in zip(*letters, strict=True)]
    steps: list[tuple[int, int]] = []
    for number, pattern in enumerate(rules.automaton.patterns):
        for done in range(min(len(made), len(pattern) - 1), 0, -1):
            is_begun = all(map(step_accepts_symbol, pattern[:done], made[-done:]))
            if is_begun and can_continue(pattern[done:], hand, possible):
                steps.append((number, done))
                break
    return _spells_begun(rules, steps, used_bolt, upcoming_sets)


def can_continue(remaining: str, hand: int, possible: PossibleLetters) -> bool:
    """Return whether this hand, with the other if needed, can make the rest of a pattern."""
    for step, letters in zip(remaining, possible, strict=False):
        letter = step.upper()
        if letter not in letters[hand] or (step.islower() and letter not in letters[1 - hand]):
            return False
    return True


def _spells_begun(
    rules: Ruleset,
    steps: Iterable[tuple[int, int]],
    used_bolt: bool,
    upcoming_sets: Sequence[int],
    *,
    made: int = 0,
    near: int = 0,
) -> list[Progress]:
    found: list[Progress] = []
    for number, done in steps:
        completable = rules.completables[number]
        missing = len(completable.pattern) - done
        if (completable.once and used_bolt) or (near and missing > near):
            continue
        spell, turns = completable.spell, turns_needed(missing - made, upcoming_sets)
        found.append(Progress(spell.id, spell.name, completable.pattern, done, turns))
    return found


def earliest_turns_of_unseen_spells(
    rules: Ruleset,
    left: str,
    right: str,
    upcoming_sets: Sequence[int],
    possible: PossibleLetters = (),
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the turns in which each hand may complete a spell that it began before these letters.

    The turns are counted from now (1 is the next turn) and are in ascending order.
    """
    made = [symbols(one + other) for one, other in zip(left, right, strict=True)]

    def earliest_turns_of_hand(number: int) -> tuple[int, ...]:
        missing = _missing_gestures_of_unseen_spells(
            rules, [pair[number] for pair in made], number, possible
        )
        return tuple(sorted({turns_needed(gestures, upcoming_sets) for gestures in missing}))

    return earliest_turns_of_hand(0), earliest_turns_of_hand(1)


def _missing_gestures_of_unseen_spells(
    rules: Ruleset, made: Sequence[str], hand: int, possible: PossibleLetters
) -> Iterator[int]:
    """Yield the number of missing gestures for each pattern with these symbols in its middle.

    The hand must be able to continue the pattern after them.
    """
    for pattern in rules.automaton.patterns:
        for done in range(len(made) + 1, len(pattern)):
            middle = pattern[done - len(made) : done]
            if all(map(step_accepts_symbol, middle, made)) and can_continue(
                pattern[done:], hand, possible
            ):
                yield len(pattern) - done


def turns_needed(gestures: int, upcoming_sets: Sequence[int]) -> int:
    """Return the number of turns needed for this many gestures."""
    turns = 0
    for sets in upcoming_sets:
        if gestures <= 0:
            break
        gestures -= sets
        turns += 1
    return turns + max(0, gestures)
