"""The choice of a rival's hand to paralyse or charm, and sets with a changed hand."""

from dataclasses import replace

import engine.play
from duels.practice.spell_values import Needs, expected_values
from engine.orders import HandSet
from engine.play import ALL_SYMBOLS, NOTHING, SYMBOL_COUNT, paralysed_letter, symbols


def most_harmed_hand(view: engine.play.View, subject: str, spell: str) -> str:
    """Return the hand that this spell would harm most, according to the visible gestures."""
    letters = {hand.hand: hand.letters for hand in view.hands if hand.wizard == subject}
    loss = {hand: _value_lost(view, letters, hand, spell) for hand in "LR"}
    return "R" if loss["R"] > loss["L"] else "L"


def _value_lost(view: engine.play.View, letters: dict[str, str], hand: str, spell: str) -> float:
    expected = expected_values(view.ruleset, view.options, Needs())
    rules = view.rules
    step = rules.automaton.step
    state = 0
    left, right = letters.get("L", ""), letters.get("R", "")
    for pair in zip(left, right, strict=False):
        symbol = symbols("".join(pair))["LR".index(hand)]
        state = step[state * SYMBOL_COUNT + ALL_SYMBOLS.index(symbol)]
    last = letters.get(hand, "")[-1:]
    must = paralysed_letter(rules, last) if spell == "paralysis" and last else NOTHING
    after = step[state * SYMBOL_COUNT + ALL_SYMBOLS.index(must if must in ALL_SYMBOLS else NOTHING)]
    return expected[state] - expected[after]


def with_letter(hands: HandSet, hand: str, letter: str) -> HandSet:
    """Return the set with this letter of the hand "L" or "R"."""
    return replace(hands, left=letter) if hand == "L" else replace(hands, right=letter)
