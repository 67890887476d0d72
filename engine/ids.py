"""Ids with several parts, as values that convert to and from text.

They name hands of a set, monsters that are still to be made, hands of wizards, and spells with one
of their patterns. The texts appear in orders, positions and records.

rules: R14, R81, R102
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.gestures import BANK, BOTH, LEFT, RIGHT

_SEPARATOR: Final = ", "
_NOT: Final = "not "

MAX_SEATS: Final = 8
SEATS: Final = {f"w{seat}": seat for seat in range(MAX_SEATS)}
"""Seats by wizard id."""


def wizard_id(seat: int) -> str:
    return f"w{seat}"


def monster_id(number: int) -> str:
    """Return the id of the duel's monster with this number."""
    return f"m{number}"


def is_monster(id: str) -> bool:
    """Return whether this is the id of a monster that exists or existed."""
    return id[:1] == "m"


def monster_number(id: str) -> int:
    """Return the number of this monster in the duel, counted from 0."""
    return int(id[1:])


class SetHand(NamedTuple):
    """One hand or both in the first or second set of gestures ("L", "BH2"), or the bank."""

    hand: str
    set: int = 1

    @property
    def text(self) -> str:
        return self.hand if self.set == 1 else f"{self.hand}{self.set}"


def future_being_id(maker: str, hand: str, set: int = 1) -> str:
    """Return the text for the monster that this hand of a wizard will make."""
    return f"{hand}{set}:{maker}" if set > 1 else f"{hand}:{maker}"


class FutureBeing(NamedTuple):
    """A monster that a wizard's hand or bank will make: "L2:w0", "BANK:w1"."""

    maker: str
    hand: str
    set: int = 1

    @property
    def making_hand(self) -> SetHand:
        return SetHand(self.hand, self.set)

    @property
    def text(self) -> str:
        return future_being_id(self.maker, self.hand, self.set)


class WizardHand(NamedTuple):
    """A hand moved by another wizard: "w1.L", or "+w1.L" in the turn after the next one.

    rules: R169
    """

    wizard: str
    hand: str
    is_later: bool = False

    @property
    def text(self) -> str:
        return f"{'+' if self.is_later else ''}{self.wizard}.{self.hand}"


class SpellWithPattern(NamedTuple):
    """A spell, with the pattern that made it if that is given: "counter_spell/WWS"."""

    spell: str
    pattern: str = ""

    @property
    def text(self) -> str:
        return f"{self.spell}/{self.pattern}" if self.pattern else self.spell

    @classmethod
    def parse(cls, text: str) -> "SpellWithPattern":
        spell, _, pattern = text.partition("/")
        return cls(spell, pattern)


class RulesetReading(NamedTuple):
    """A ruleset with one switch reversed: "bartle-1, not elementals_merge"."""

    of: str
    switch: str
    is_on: bool

    @property
    def text(self) -> str:
        return f"{self.of}{_SEPARATOR}{'' if self.is_on else _NOT}{self.switch}"

    @classmethod
    def parse(cls, text: str) -> "RulesetReading | None":
        """Parse the name of a reading, which may not exist; return None for any other id."""
        of, between, switch = text.partition(_SEPARATOR)
        name = switch.removeprefix(_NOT)
        return cls(of, name, name == switch) if between else None


SET_HANDS: Final[Mapping[str, SetHand]] = {
    each.text: each
    for set in (1, 2)
    for each in (SetHand(hand, set) for hand in (LEFT, RIGHT, BOTH))
}
"""The hands of both sets, keyed by their text."""

FUTURE_BEINGS: Final[Mapping[str, FutureBeing]] = {
    each.text: each
    for maker in SEATS
    for each in (
        *(FutureBeing(maker, by.hand, by.set) for by in SET_HANDS.values()),
        FutureBeing(maker, BANK),
    )
}
"""All monsters that a hand or a bank could still make, by their texts."""

WIZARD_HANDS: Final[Mapping[str, WizardHand]] = {
    each.text: each
    for wizard in SEATS
    for each in (
        WizardHand(wizard, hand, later) for hand in (LEFT, RIGHT) for later in (False, True)
    )
}
"""Hands of wizards in the coming turn and in the turn after next, by their text form."""
