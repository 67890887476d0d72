"""Tests that compare the automaton with a slow search that is obviously correct."""

import itertools
import random

import pytest

from engine.gestures import (
    GESTURE_PAIRS,
    GESTURES,
    SYMBOLS_OF_PAIR,
    is_two_handed,
    step_accepts_symbol,
    symbols,
)
from engine.rulesets import BARTLE_1

PATTERNS = BARTLE_1.automaton.patterns
History = list[str]  # pairs, oldest first


def patterns_by_search(
    history: History, hand: int, patterns: tuple[str, ...] = PATTERNS
) -> set[str]:
    """Return the patterns that this hand (0 left, 1 right) has just completed, by plain search.

    rules: gesture:matching
    """
    return {pattern for pattern in patterns if _is_completed(pattern, history, hand)}


def _is_completed(pattern: str, history: History, hand: int) -> bool:
    if len(history) < len(pattern):
        return False
    sets = history[-len(pattern) :]
    return all(_is_step_made(step, pair, hand) for step, pair in zip(pattern, sets, strict=True))


def _is_step_made(step: str, pair: str, hand: int) -> bool:
    """Return whether this set makes the step. A lower-case step needs both hands."""
    if step.islower():
        return pair == step.upper() * 2
    return pair[hand] == step


def patterns_by_automaton(history: History, hand: int) -> set[str]:
    """Return the patterns that the automaton gives for this hand."""
    state = BARTLE_1.automaton.run(SYMBOLS_OF_PAIR[pair] for pair in history)[hand]
    return {PATTERNS[number] for number in BARTLE_1.automaton.completes[state]}


def assert_automaton_matches_search(history: History) -> None:
    for hand in (0, 1):
        assert patterns_by_automaton(history, hand) == patterns_by_search(history, hand), (
            history,
            hand,
        )


def sets_of_gestures(left: str, right: str) -> History:
    return [a + b for a, b in zip(left, right, strict=True)]


# All short histories, and random long ones


@pytest.mark.parametrize("length", [1, 2])
def test_automaton_matches_a_plain_search_for_all_short_histories(length: int) -> None:
    for history in itertools.product(GESTURE_PAIRS, repeat=length):
        assert_automaton_matches_search(list(history))


def test_automaton_matches_a_plain_search_for_all_one_handed_histories_of_six() -> None:
    """The right hand does nothing. The automaton treats the two hands in the same way."""
    for letters in itertools.product("FPSWD", repeat=6):
        history = [letter + "-" for letter in letters]
        assert patterns_by_automaton(history, 0) == patterns_by_search(history, 0)


@pytest.mark.parametrize("seed", range(20))
def test_automaton_matches_a_plain_search_for_random_long_histories(seed: int) -> None:
    """Half of the gestures follow patterns, so that long spells are completed too."""
    chance = random.Random(seed)
    history: History = []
    while len(history) < 150:
        pattern = chance.choice(PATTERNS)
        for step in pattern[: chance.randint(1, len(pattern))]:
            other = step.upper() if step.islower() else chance.choice(GESTURES)
            pair = step.upper() + other
            history.append(pair if chance.random() < 0.5 or step.islower() else pair[::-1])
            assert_automaton_matches_search(history[-10:])
    left, right = BARTLE_1.automaton.run(SYMBOLS_OF_PAIR[pair] for pair in history)
    again = BARTLE_1.automaton.run(SYMBOLS_OF_PAIR[pair] for pair in history[-8:])
    completes = BARTLE_1.automaton.completes
    assert (completes[left], completes[right]) == (completes[again[0]], completes[again[1]])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_either_hand_can_complete_every_pattern(pattern: str) -> None:
    for hand in (0, 1):
        history = [
            step.upper() * 2 if step.islower() else (step + "-", "-" + step)[hand]
            for step in pattern
        ]
        assert pattern in patterns_by_automaton(history, hand)
        assert pattern not in patterns_by_automaton(history[:-1], hand)
        assert pattern not in patterns_by_automaton([*history[:-1], "--"], hand)


# Common mistakes of other engines


def test_wave_with_both_hands_counts_for_each_hand() -> None:
    assert patterns_by_automaton(sets_of_gestures("SWD", "-W-"), 0) == {"SWD"}
    assert patterns_by_automaton(sets_of_gestures("DFW", "SFW"), 0) == {"DFW"}
    assert patterns_by_automaton(sets_of_gestures("DFW", "SFW"), 1) == {"SFW"}


def test_two_handed_step_needs_both_hands() -> None:
    assert patterns_by_automaton(sets_of_gestures("PPWS", "--WS"), 0) == {"PPws"}
    assert patterns_by_automaton(sets_of_gestures("PPWS", "--W-"), 0) == set()
    assert patterns_by_automaton(sets_of_gestures("PPWS", "---S"), 0) == set()


def test_ffff_completes_paralysis_twice() -> None:
    """The second three gestures overlap the first three. rules: gesture:matching"""
    histories = [sets_of_gestures("F" * count, "-" * count) for count in (2, 3, 4)]
    assert [patterns_by_automaton(history, 0) for history in histories] == [
        set(), {"FFF"}, {"FFF"},
    ]  # fmt: skip


def test_extra_w_before_w_w_s_still_completes_counter_spell() -> None:
    assert patterns_by_automaton(sets_of_gestures("WWWS", "----"), 0) == {"WWS"}


def test_half_a_clap_breaks_the_sequence_of_its_hand() -> None:
    """rules: R1"""
    assert symbols("CP") == "-P"
    assert patterns_by_automaton(sets_of_gestures("SWWC", "----"), 0) == set()
    assert patterns_by_automaton(sets_of_gestures("SWWC", "---C"), 0) == {"SWWc"}
    assert patterns_by_automaton(sets_of_gestures("SCD", "---"), 0) == set()


def test_sequence_after_a_clap_must_continue_with_one_hand() -> None:
    """rules: R5, R6"""
    assert patterns_by_automaton(sets_of_gestures("CDPW", "C---"), 0) == {"cDPW"}
    assert patterns_by_automaton(sets_of_gestures("C---", "CDPW"), 1) == {"cDPW"}
    crossed = sets_of_gestures("CD-W", "C-P-")
    assert patterns_by_automaton(crossed, 0) | patterns_by_automaton(crossed, 1) == set()
    both = sets_of_gestures("CDPW-", "CSWWS")
    assert patterns_by_automaton(both[:4], 0) == {"cDPW"}
    assert patterns_by_automaton(both, 1) == {"cSWWS", "WWS"}


def test_both_hands_complete_magic_mirror() -> None:
    mirror = sets_of_gestures("CW", "CW")
    assert patterns_by_automaton(mirror, 0) == patterns_by_automaton(mirror, 1) == {"cw"}


@pytest.mark.parametrize("breaks", ["-", ">"])
def test_stab_or_no_gesture_breaks_a_sequence(breaks: str) -> None:
    assert patterns_by_automaton(sets_of_gestures(f"S{breaks}D", "---"), 0) == set()


def test_pattern_step_accepts_these_symbols() -> None:
    assert step_accepts_symbol("W", "W")
    assert step_accepts_symbol("W", "w")
    assert step_accepts_symbol("w", "w")
    assert not step_accepts_symbol("w", "W")
    assert not step_accepts_symbol("W", "P")
    assert not step_accepts_symbol("-", "W")


def test_longest_spell_is_preferred_and_then_the_two_handed_one() -> None:
    """The automaton lists the default spell first. rules: R3, R7"""
    left, _ = BARTLE_1.automaton.run(
        SYMBOLS_OF_PAIR[pair] for pair in sets_of_gestures("CSWWS", "C----")
    )
    assert [PATTERNS[n] for n in BARTLE_1.automaton.completes[left]] == ["cSWWS", "WWS"]
    assert [pattern for pattern in PATTERNS if is_two_handed(pattern)] == [
        "cw", "DWWFWc", "WDDc", "SWWc", "WSSc", "DSFFFc", "DWFFd", "PPws", "PWPWWc", "SPPc",
    ]  # fmt: skip


def test_reach_lists_spells_that_need_one_more_gesture() -> None:
    left, right = BARTLE_1.automaton.run(
        SYMBOLS_OF_PAIR[pair] for pair in sets_of_gestures("SW", "--")
    )
    reach = BARTLE_1.automaton.reach
    assert {PATTERNS[n] for n in reach[left]} == {"P", "SWD"}
    assert {PATTERNS[n] for n in reach[right]} == {"P"}
    assert BARTLE_1.automaton.depth == 7  # Finger of Death has eight gestures
