"""The practice opponent's knowledge of a duel: its seat's view, order sheet and faults.

Only functions of the engine read the duel's position.
"""

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Self

import engine.orders
import engine.play
from duels.practice.aims import Aims
from duels.practice.evaluation import needs_by_wizard
from duels.practice.hands import most_harmed_hand
from duels.practice.legal import without_illegal_orders
from engine.orders import NO_ORDERS
from engine.play import LETTERS, NOTHING, STAB, HandEffect, paralysed_letter

# Number of past turns in the view, which is many more than any spell needs.
TURNS_REMEMBERED: Final = 40
# The reason on a sheet that a left hand may change because it copies the right hand. rules: W23
MALADROIT_VARIANT: Final = "maladroit"


class PracticeSeat:
    """The practice opponent's seat in one turn."""

    def __init__(self, history: engine.play.History, wizard: str) -> None:
        self._position = history.position
        self.wizard = wizard
        recent = engine.play.History(history.turns[-TURNS_REMEMBERED:], history.position)
        self.view = engine.play.view(recent, wizard)
        self.rules = self.view.rules
        self.blank = self.sheet(NO_ORDERS)
        self.aims = Aims.from_view(self.view)
        self.needs = needs_by_wizard(self.view)
        self.letters = {
            hand.key: (NOTHING,) * hand.sets
            for hand in self.blank.charmed
            if not hand.is_one_of_two
            or hand.hand == most_harmed_hand(self.view, hand.wizard, "charm_person")
        }
        """The gestures for charmed hands. They are always idle, which breaks spells in progress."""
        self.held = {
            held.wizard: most_harmed_hand(self.view, held.wizard, "paralysis")
            if len(held.options) > 1
            else held.default
            for held in self.blank.held
        }
        """The hand that this wizard's Paralysis holds, by subject."""
        self.changed_letters = {
            hand.hand: self._changed_letters(hand.hand)
            for hands in self.blank.sets[:1]
            for hand in (hands.left, hands.right)
            if hand.changeable and hand.changeable != MALADROIT_VARIANT
        }
        """The letters that others or chance may give a hand; first the one that breaks spells."""

    def _changed_letters(self, hand: str) -> str:
        """Return nothing and the letters of the die or of a charmer, or only the held letter."""
        effects = {self.rules.hands_under.get(effect) for effect in self.aims.effects[self.wizard]}
        if HandEffect.HELD in effects:
            seen = {row.hand: row.letters for row in self.view.hands if row.wizard == self.wizard}
            return paralysed_letter(self.rules, seen[hand][-1:] or NOTHING)
        drawn = HandEffect.DRAWN in effects
        return NOTHING + (self.rules.confused if drawn else LETTERS + STAB)

    def seats_with_other_hands(self) -> Iterator[Self]:
        """Yield this seat with each other choice of a hand that it holds or charms. rules: W18"""
        for held in self.blank.held:
            for hand in held.options:
                if hand != self.held[held.wizard]:
                    other = copy.copy(self)
                    other.held = {**self.held, held.wizard: hand}
                    yield other
        for charmed in self.blank.charmed:
            if charmed.is_one_of_two and charmed.key not in self.letters:
                same = {each.key for each in self.blank.charmed if each.wizard == charmed.wizard}
                kept = {key: made for key, made in self.letters.items() if key not in same}
                other = copy.copy(self)
                other.letters = {**kept, charmed.key: (NOTHING,) * charmed.sets}
                yield other

    def sheet(self, draft: engine.orders.Orders) -> engine.play.Sheet:
        return engine.play.sheet(self._position, self.wizard, draft)

    def caution_count(self, orders: engine.orders.Orders) -> int:
        """Return the number of warnings that these orders would cause on the order sheet."""
        return len(engine.play.cautions(self._position, self.wizard, orders))

    def without_illegal_orders(self, orders: engine.orders.Orders) -> engine.orders.Orders:
        """Return these orders without illegal fields.

        If the ruleset asks for all other choices after the reveal, keep only the gestures.
        """
        if self.blank.is_gestures_only:
            bare = (engine.orders.HandSet(hands.left, hands.right) for hands in orders.sets)
            orders = replace(NO_ORDERS, sets=tuple(bare))
        return without_illegal_orders(self._position, self.wizard, orders)
