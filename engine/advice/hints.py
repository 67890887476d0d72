"""Hints about each gesture: the spells that it completes, brings near or gives up.

rules: gesture:matching, F11, F14
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.gestures import GESTURES, NOTHING, STABS_PAIR, SYMBOL_COUNT, SYMBOLS_OF_PAIR
from engine.legality.casting import completed_spells
from engine.legality.hand_constraints import HandLimits, hand_limits, set_count
from engine.legality.progress import Progress, spells_in_progress
from engine.legality.scope import is_acting, is_bolt_spent
from engine.legality.upcoming_sets import upcoming_sets_by_turn
from engine.orders import NO_ORDERS, Orders, SetField
from engine.positions.position import Position, Wizard

MAX_GESTURES_TO_SPELL: Final = 2
"""Maximum number of missing gestures for a spell to count as near."""
MIN_LOST_GESTURES: Final = 2
"""Minimum number of gestures made in a sequence for its loss to be reported."""
MAX_LISTED_SETBACKS: Final = 3


@dataclass(frozen=True, slots=True)
class GestureHint:
    """The result if a hand makes this letter and the other hand makes the letter in the draft.

    `completes` lists spells by id, the longest first. `both_complete` lists the two-handed spells
    that are completed if the other hand makes this letter too, whichever hand has begun them.
    `leads_to` lists spells that are then one or two gestures from completion; their `turns` do not
    count the coming turn. `sets_back` lists sequences that the hand had begun and that are set
    back.
    """

    letter: str
    completes: tuple[str, ...]
    both_complete: tuple[str, ...]
    leads_to: tuple[Progress, ...]
    sets_back: tuple[Progress, ...]


@dataclass(frozen=True, slots=True)
class HandHint:
    """One hand of one set: the sequences it has begun, and a hint for each gesture in sheet order.

    `field` is the hand's field in the flat form of orders, and `drafted` the letter that it makes
    in the draft.
    """

    set: int
    hand: str
    field: str
    drafted: str
    begun: tuple[Progress, ...]
    gestures: tuple[GestureHint, ...]

    @property
    def drafted_hint(self) -> GestureHint:
        """The hint for the drafted letter."""
        return next(hint for hint in self.gestures if hint.letter == self.drafted)


def hints(position: Position, wizard: str, draft: Orders | None = None) -> tuple[HandHint, ...]:
    """Return hints for each gesture of each hand, if the other hand makes the gesture in the draft.

    Hints for a second set assume the first set in the draft. Raises KeyError for an unknown wizard.
    """
    own = position.wizard(wizard)
    if not is_acting(position, own):
        return ()
    return tuple(hand_hints(position, own, draft if draft is not None else NO_ORDERS))


def hand_hints(position: Position, own: Wizard, orders: Orders) -> Iterator[HandHint]:
    """Yield both hands of every set, with hints for every letter."""
    states = own.left_state, own.right_state
    limits = hand_limits(position, own)
    upcoming_sets = upcoming_sets_by_turn(position, own, own.effects)
    for number in range(1, set_count(position, own) + 1):
        pair = drafted_pair(limits, orders, number)
        two_handed = {
            letter: two_handed_spells(
                position, own, states, limits.expected_pair(number, letter, letter)
            )
            for letter in GESTURES
        }
        for side, hand in enumerate("LR"):
            hinter = HandHinter(position, own, states[side], upcoming_sets, number, two_handed)
            rows = tuple(
                hinter.hint(
                    letter,
                    limits.pair_after_changes(letter + pair[1] if side == 0 else pair[0] + letter),
                    side,
                )
                for letter in GESTURES
            )
            field = SetField(hand, number).text
            yield HandHint(number, hand, field, pair[side], hinter.begun, rows)
        move = position.rules.automaton.moves[pair]
        states = move.left[states[0]], move.right[states[1]]


def two_handed_spells(
    position: Position, own: Wizard, states: tuple[int, int], pair: str
) -> tuple[str, ...]:
    """Return the two-handed spells, by id, that hands in these states complete with this pair.

    The hands may have made different gestures before, so it is possible that only one of them
    completes the spell.
    """
    found: list[str] = []
    move = position.rules.automaton.moves[pair]
    for after in (move.left[states[0]], move.right[states[1]]):
        ends = completed_spells(position.rules, after, used_bolt=is_bolt_spent(position, own))
        found += [end.spell.id for end in ends if end.both]
    return tuple(dict.fromkeys(found))


def drafted_pair(limits: HandLimits, orders: Orders, number: int) -> str:
    """Return the set as drafted, with idle hands in place of invalid gestures."""
    hands = orders.hands(number)
    left, right = (
        letter if len(letter) == 1 and letter in GESTURES else NOTHING
        for letter in (hands.left, hands.right)
    )
    return limits.expected_pair(number, left, right)


class HandHinter:
    """Source of hints for one hand, which is in this automaton state before set `number`."""

    def __init__(
        self,
        position: Position,
        own: Wizard,
        state: int,
        upcoming_sets: tuple[int, ...],
        number: int,
        two_handed: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.rules = position.rules
        self.used = is_bolt_spent(position, own)
        self.state = state
        self.two_handed = two_handed  # spell ids, by the letter that both hands make
        self.upcoming_sets = upcoming_sets
        due_now = upcoming_sets[0] if upcoming_sets else 1
        self.left_now = due_now - number  # sets of this turn after this one
        sets_from_now = (self.left_now + 1, *upcoming_sets[1:])
        self.begun = tuple(
            spells_in_progress(self.rules, state, used_bolt=self.used, upcoming_sets=sets_from_now)
        )
        self.worth_telling = [each for each in self.begun if each.done >= MIN_LOST_GESTURES]
        self.leads: dict[int, tuple[Progress, ...]] = {}  # by automaton state

    def hint(self, letter: str, pair: str, side: int) -> GestureHint:
        """Return the hint for a letter that makes this pair.

        `turns` of a spell that it leads to is 0 if later sets of the coming turn can complete it.
        """
        state = self.rules.automaton.step[self.state * SYMBOL_COUNT + SYMBOLS_OF_PAIR[pair][side]]
        ends = (
            completed_spells(self.rules, state, used_bolt=self.used) if pair != STABS_PAIR else ()
        )
        completes = tuple(dict.fromkeys(end.spell.id for end in ends))
        if state not in self.leads:
            leads = spells_in_progress(
                self.rules, state, used_bolt=self.used, upcoming_sets=self.upcoming_sets[1:],
                made=self.left_now, near=MAX_GESTURES_TO_SPELL,
            )  # fmt: skip
            self.leads[state] = tuple(leads)
        return GestureHint(
            letter,
            completes,
            self.two_handed[letter],
            self.leads[state],
            self.sequences_set_back(completes, state),
        )

    def sequences_set_back(self, completes: tuple[str, ...], state: int) -> tuple[Progress, ...]:
        """Return the longest sequences that are set back, except those too short to matter."""
        if not self.worth_telling:
            return ()
        patterns = self.rules.automaton.patterns
        done = {patterns[number]: done for number, done in self.rules.automaton.begun[state]}
        sequences_set_back = [
            each
            for each in self.worth_telling
            if each.spell not in completes and done.get(each.pattern, 0) < each.done
        ]
        sequences_set_back.sort(key=lambda each: (-each.done, len(each.remaining), each.spell))
        longest: dict[str, Progress] = {}  # one for each spell, even one with two patterns
        for each in sequences_set_back:
            longest.setdefault(each.spell, each)
        return tuple(longest.values())[:MAX_LISTED_SETBACKS]
