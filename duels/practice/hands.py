"""Which of a rival's hands is best taken from him."""

import engine
from duels.practice.worth import Needs, promises
from engine.gestures import ALPHABET, NOTHING, WIDTH, symbols
from engine.minds import paralysed_letter


def hand_to_bind(view: engine.View, subject: str, spell: str) -> str:
    """The hand of the subject that loses most by this spell, by what was seen of it."""
    letters = {hand.hand: hand.letters for hand in view.hands if hand.wizard == subject}
    loss = {hand: _loss(view.ruleset, letters, hand, spell) for hand in "LR"}
    return "R" if loss["R"] > loss["L"] else "L"


def _loss(ruleset: str, letters: dict[str, str], hand: str, spell: str) -> float:
    hopes = promises(ruleset, Needs())
    step = engine.RULESETS[ruleset].automaton.step
    state = 0
    left, right = letters.get("L", ""), letters.get("R", "")
    for pair in zip(left, right, strict=False):
        symbol = symbols("".join(pair))["LR".index(hand)]
        state = step[state * WIDTH + ALPHABET.index(symbol)]
    last = letters.get(hand, "")[-1:]
    must = paralysed_letter(last) if spell == "paralysis" and last else NOTHING
    after = step[state * WIDTH + ALPHABET.index(must if must in ALPHABET else NOTHING)]
    return hopes[state] - hopes[after]
