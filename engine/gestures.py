"""Gestures, hands and the automaton that recognises spells in them.

A set is two letters, left hand then right. A hand's *symbol* says how its gesture counts in a
spell. It is the upper-case letter if only that hand made the gesture, the lower-case letter if both
hands made it, `c` for a clap, and `-` for anything that breaks a sequence (nothing, a stab, half a
clap).
rules: gesture:matching, R1, R5, R19
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

FINGERS, PALM, SNAP, WAVE, DIGIT, CLAP = "F", "P", "S", "W", "D", "C"
"""The gestures that spells consist of."""
STAB, NOTHING = ">", "-"
"""A stab and an idle hand, which break the hand's sequences. rules: R16"""
LETTERS: Final = "FPSWDC"
"""The letters of all gestures that spells consist of."""
GESTURES: Final = LETTERS + STAB + NOTHING
GESTURE_NAMES: Final = {
    "F": "fingers",
    "P": "palm",
    "S": "snap",
    "W": "wave",
    "D": "digit",
    "C": "clap",
    ">": "stab",
    "-": "nothing",
}
"""Names of the gestures for players, by letter."""
GESTURE_PAIRS: Final = tuple(left + right for left in GESTURES for right in GESTURES)
STABS_PAIR: Final = STAB + STAB
SURRENDER_PAIR: Final = PALM + PALM
"""The set of gestures that surrenders, left hand then right. rules: gesture:surrender"""

LEFT, RIGHT, BOTH, BANK = "L", "R", "BH", "BANK"
HAND_NAMES: Final = {"L": "left hand", "R": "right hand", "BH": "both hands", "BANK": "bank"}
"""Names of the hands and the bank for players, by their codes in orders and events."""
HAND_FIELD_NAMES: Final = {"L": "left", "R": "right", "BH": "both"}
"""Names of the hands in the fields of orders: "left_spell", "both_subject"."""

ALL_SYMBOLS: Final = "FPSWDfpswdc-"
"""All symbols that a hand's gesture can count as. rules: gesture:matching"""
SYMBOL_COUNT: Final = len(ALL_SYMBOLS)
"""The number of symbols."""
_INDEX_OF_SYMBOL: Final = {symbol: number for number, symbol in enumerate(ALL_SYMBOLS)}


def symbols(pair: str) -> str:
    """Return the symbols of both hands for one set, left then right.

    >>> symbols("WP"), symbols("WW"), symbols("CF"), symbols("CC")
    ('WP', 'ww', '-F', 'cc')
    """
    left, right = pair[0], pair[1]
    if left == right and left in LETTERS:
        return left.lower() * 2
    return "".join("-" if letter in "C>-" else letter for letter in pair)


SYMBOLS_OF_PAIR: Final[Mapping[str, tuple[int, int]]] = {
    pair: (_INDEX_OF_SYMBOL[symbols(pair)[0]], _INDEX_OF_SYMBOL[symbols(pair)[1]])
    for pair in GESTURE_PAIRS
}
"""The symbols of both hands for each set, left then right, as indices into ALL_SYMBOLS."""


def step_accepts_symbol(step: str, symbol: str) -> bool:
    """Return whether a pattern's step accepts a symbol: `W` accepts `W` and `w`, `w` only `w`."""
    return step == symbol or (step.isupper() and step.lower() == symbol)


def is_stab_or_surrender(pair: str) -> bool:
    """Return whether the set contains a stab or is a surrender."""
    return STAB in pair or pair == SURRENDER_PAIR


@dataclass(frozen=True, slots=True)
class Transition:
    """Effect of one set of gestures: for each hand, its next state by its current state."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    is_stab_or_surrender: bool


@dataclass(frozen=True, slots=True)
class Automaton:
    """Automaton that follows all patterns of a spellbook at once. A hand's state is an integer.

    State 0 means that no sequence has begun. Patterns are given by their index in `patterns`.

    - `step[state * SYMBOL_COUNT + symbol]`: the next state.
    - `completes[state]`: the patterns that end there, longest first, two-handed before one-handed.
    - `reach[state]`: the patterns that one more gesture could complete.
    - `begun[state]`: each unfinished pattern, with the number of gestures already made.
    - `depth`: the number of past letters that can still matter.
    - `moves`: the `Transition` for each pair of letters.
    """

    patterns: tuple[str, ...]
    step: tuple[int, ...]
    completes: tuple[tuple[int, ...], ...]
    reach: tuple[frozenset[int], ...]
    begun: tuple[tuple[tuple[int, int], ...], ...]
    depth: int
    moves: Mapping[str, Transition] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        by_symbol = [self.step[symbol::SYMBOL_COUNT] for symbol in range(SYMBOL_COUNT)]
        moves = {
            pair: Transition(by_symbol[left], by_symbol[right], is_stab_or_surrender(pair))
            for pair, (left, right) in SYMBOLS_OF_PAIR.items()
        }
        object.__setattr__(self, "moves", moves)

    def run(self, rows: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """Return the states of the left and right hand after these sets of symbols."""
        left = right = 0
        for left_symbol, right_symbol in rows:
            left = self.step[left * SYMBOL_COUNT + left_symbol]
            right = self.step[right * SYMBOL_COUNT + right_symbol]
        return left, right


@lru_cache(maxsize=8)  # three rulesets have the same patterns
def build_automaton(patterns: tuple[str, ...]) -> Automaton:
    """Return the automaton of these patterns, by subset construction."""
    start: frozenset[tuple[int, int]] = frozenset()
    numbers = {start: 0}
    order = [start]
    step: list[int] = []
    accepted = {
        step: [each for each in ALL_SYMBOLS if step_accepts_symbol(step, each)]
        for step in ALL_SYMBOLS
    }
    for state in order:
        open_steps = [(number, 0) for number in range(len(patterns))]
        open_steps += [(number, done) for number, done in state if done < len(patterns[number])]
        reached: dict[str, list[tuple[int, int]]] = {symbol: [] for symbol in ALL_SYMBOLS}
        for number, done in open_steps:
            for symbol in accepted[patterns[number][done]]:
                reached[symbol].append((number, done + 1))
        for next_state in map(frozenset, reached.values()):
            if next_state not in numbers:
                numbers[next_state] = len(order)
                order.append(next_state)
            step.append(numbers[next_state])

    def completed_patterns(state: frozenset[tuple[int, int]]) -> tuple[int, ...]:
        whole = [number for number, done in state if done == len(patterns[number])]
        return tuple(sorted(whole, key=lambda number: (*cast_sort_key(patterns[number]), number)))

    def begun_patterns(state: frozenset[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        unended = sorted((number, done) for number, done in state if done < len(patterns[number]))
        return tuple(dict(unended).items())

    completes = tuple(completed_patterns(state) for state in order)
    reach = tuple(
        frozenset(
            n
            for symbol in range(SYMBOL_COUNT)
            for n in completes[step[state * SYMBOL_COUNT + symbol]]
        )
        for state in range(len(order))
    )
    begun = tuple(begun_patterns(state) for state in order)
    depth = max(map(len, patterns)) - 1
    return Automaton(patterns, tuple(step), completes, reach, begun, depth)


def cast_sort_key(pattern: str) -> tuple[int, int]:
    """Return the sort key of default casts: longest first, then two-handed. rules: R3, R7"""
    return (-len(pattern), 0 if is_two_handed(pattern) else 1)


def pattern_text(pattern: str) -> str:
    """Return the pattern as players write it, with a small letter if both hands make it.

    >>> pattern_text("cDPW")
    'c-D-P-W'
    """
    return "-".join(pattern)


def is_two_handed(pattern: str) -> bool:
    """Return whether the pattern's last gesture uses both hands. rules: R4"""
    return pattern[-1].islower()
