"""Words for hands, places, future monsters and lists of names, which all prose uses.

`naming` has the words that players write in text orders. rules: R14
"""

from collections.abc import Callable, Iterable
from typing import Final

from engine.gestures import BANK, BOTH, HAND_NAMES, NOTHING, STAB
from engine.ids import FUTURE_BEINGS, SET_HANDS

PLACE_WORDS: Final = {
    "nowhere": "nobody",
    "no_one": "nobody",
    "attacker": "your last attacker",
}
"""Words for values in orders that stand for places or unnamed people, such as `scope.NOWHERE`."""
DRAWN_OPPONENT: Final = "an opponent, drawn by lot"
"""Words for a subject that the dice choose. rules: W3"""


def and_list(names: Iterable[str]) -> str:
    """Return the names as a list: "Ada", "Ada and Bram", "Ada, Bram and Cleo"."""
    return _joined(names, "and")


def or_list(names: Iterable[str]) -> str:
    """Return the names as a list of alternatives: "Ada, Bram or Cleo"."""
    return _joined(names, "or")


def letters_text(letters: str) -> str:
    """Return the letters as a list of alternatives.

    >>> letters_text("PW>-") 'P, W, a stab or nothing'
    """
    return or_list({STAB: "a stab", NOTHING: "nothing"}.get(letter, letter) for letter in letters)


def _joined(names: Iterable[str], word: str) -> str:
    *before, last = list(names) or [""]
    return f"{', '.join(before)} {word} {last}" if before else last


def versus_text(names: Iterable[str]) -> str:
    """Return the opponents of a duel: "Ada against Bram", "Ada, Bram and Cleo"."""
    everybody = list(names)
    return " against ".join(everybody) if len(everybody) == 2 else and_list(everybody)


def with_set_name(words: str, number: int) -> str:
    """Return the words, with "in the second set" added if `number` is 2."""
    return f"{words} in the second set" if number > 1 else words


def hand_text(hand: str) -> str:
    """Return the words for a hand of one set: "L" is the left hand, "L2" in the second set.

    A form may contain an invalid hand, which is returned unchanged.

    >>> hand_text("L"), hand_text("BH2") ('left hand', 'both hands in the second set')
    """
    found = SET_HANDS.get(hand)
    return with_set_name(HAND_NAMES[found.hand], found.set) if found else hand


def own_future_monster_text(key: str) -> str:
    """Return the words for the monster that the reader's hand or bank is about to summon.

    >>> own_future_monster_text("L2:w0"), own_future_monster_text("BH:w0") ('the monster your left
    hand summons in the second set', 'the monster both your hands summon')
    """
    _, hand, number = FUTURE_BEINGS[key]
    if hand == BANK:
        return "the monster your banked spell summons"
    made = f"the monster your {HAND_NAMES[hand]} summons"
    if hand == BOTH:
        made = "the monster both your hands summon"
    return with_set_name(made, number)


def future_being_text(key: str, whose: Callable[[str], str]) -> str:
    """Return the words for a future monster. `whose` turns its maker into "your" or "Ada's".

    A form may contain an invalid name, which is returned unchanged.

    >>> future_being_text("L2:w0", lambda maker: "your") 'the monster that your left hand may summon
    in the second set'
    """
    if key not in FUTURE_BEINGS:
        return key
    maker, hand, number = FUTURE_BEINGS[key]
    if hand == BANK:
        return f"the monster that {whose(maker)} banked spell may summon"
    made = f"the monster that {whose(maker)} {HAND_NAMES[hand]} may summon"
    if hand == BOTH:
        made = f"the monster that both {whose(maker)} hands may summon"
    return with_set_name(made, number)
