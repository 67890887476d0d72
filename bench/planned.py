"""Realistic duels: hands follow the sequences of spells, and one gesture in eight is random.

Random gestures rarely complete any spell except Shield. In planned duels, spells of every length
are cast, monsters are summoned and fight, effects last for several turns, and duels are played to
the end.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import engine.orders
import engine.play
from engine.legality.hand_constraints import set_count
from engine.legality.scope import is_acting
from tests.engine.random_duels import ALL_LETTERS, WIZARD_NAMES, Step, legal_orders_from_fields

MAX_TURNS = 100  # maximum number of turns of a duel
RANDOM_GESTURE_SHARE = 1 / 8  # share of random gestures
# Share of spells with a chosen subject; the others have their default subject.
CHOSEN_SUBJECT_SHARE = 1 / 3
ORDERED_MONSTER_SHARE = 1 / 2  # share of monsters that get orders in a turn


@dataclass
class Planner:
    """A wizard whose hands each follow a sequence drawn from the spellbook.

    If a hand's next gesture is two-handed, both hands make it, and the other hand abandons its own
    sequence.
    """

    chance: random.Random
    patterns: list[str]
    plans: dict[str, str] = field(default_factory=dict[str, str])  # remaining gestures of each hand

    def next_gestures(self) -> str:
        """Return the next gestures of both hands."""
        chance = self.chance
        for hand in "LR":
            if not self.plans.get(hand):
                self.plans[hand] = chance.choice(self.patterns)
        letters = {hand: self.plans[hand][0] for hand in "LR"}
        together = next((hand for hand in "LR" if letters[hand].islower()), "")
        if together:
            both = letters[together].upper()
            self.plans = {together: self.plans[together][1:]}
            return both + both
        self.plans = {hand: plan[1:] for hand, plan in self.plans.items()}
        made = [
            chance.choice(ALL_LETTERS) if chance.random() < RANDOM_GESTURE_SHARE else letters[hand]
            for hand in "LR"
        ]
        if made[0] == made[1] and made[0] in "P>":
            made[chance.randrange(2)] = "-"  # avoid surrenders and two stabs
        return "".join(made)


def planned_duel(
    chance: random.Random, *, ruleset: str = "bartle-1", wizards: int = 2
) -> Iterator[Step]:
    """Yield the turns of one duel, up to its end or the maximum number of turns."""
    position = engine.play.begin(
        ruleset, [engine.play.Duellist(name) for name in WIZARD_NAMES[:wizards]]
    )
    patterns = [completable.pattern for completable in position.rules.completables]
    planners = {wizard.id: Planner(chance, patterns) for wizard in position.wizards}
    dice = engine.play.Dice(chance.randbytes(32))
    for _ in range(MAX_TURNS):
        if position.outcome:
            return
        orders = {
            wizard: _planned_orders(position, wizard, planners[wizard])
            for wizard in engine.play.acting_wizards(position)
        }
        answers: dict[str, str] = {}
        while asked := engine.play.questions(position, orders, answers, dice):
            answers |= {question.id: chance.choice(question.options) for question in asked}
        after, events = engine.play.resolve(position, orders, answers, dice)
        yield Step(position, orders, answers, dice, events, after)
        position = after


def _planned_orders(
    position: engine.play.Position, wizard: str, planner: Planner
) -> engine.orders.Orders:
    chance, own = planner.chance, position.wizard(wizard)
    beings = [other.id for other in position.wizards_in_duel()]
    beings += [monster.id for monster in position.monsters if monster.state == "alive"]
    flat: dict[str, str] = {}
    if is_acting(position, own):
        for number in range(1, set_count(position, own) + 1):
            suffix = "" if number == 1 else str(number)
            pair = planner.next_gestures()
            flat["left" + suffix], flat["right" + suffix] = pair[0], pair[1]
            for side in ("left", "right", "both"):
                if chance.random() < CHOSEN_SUBJECT_SHARE:
                    flat[f"{side}_subject{suffix}"] = chance.choice(beings)
    for monster in position.monsters:
        if monster.controller == wizard and chance.random() < ORDERED_MONSTER_SHARE:
            flat[f"victim:{monster.id}"] = chance.choice(beings)
    if own.bank and chance.random() < ORDERED_MONSTER_SHARE:
        flat["release"] = "yes"
    return legal_orders_from_fields(position, wizard, flat)
