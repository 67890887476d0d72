"""Two simple players to measure the practice opponent against, and duels between players.

`RandomPlayer` gives random legal orders. `NearestSpellPlayer` always works towards the damaging
spell that it can complete soonest. Neither player surrenders unless its hands are forced. Like
human players, they see only the order sheet of their own seat.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Protocol

import engine.orders
import engine.play
from engine.gestures import LETTERS, STAB, SURRENDER_PAIR
from engine.spellbook import SpellClass

TWO_STABS = STAB + STAB


class Opponent(Protocol):
    """An automatic player that can be seated in a duel."""

    def choose_orders(
        self, history: engine.play.History, wizard: str, luck: random.Random, /
    ) -> engine.orders.Orders: ...

    def choose_answers(
        self,
        history: engine.play.History,
        wizard: str,
        questions: Sequence[engine.play.Question],
        luck: random.Random,
        /,
    ) -> Mapping[str, str]: ...


class RandomPlayer:
    """A player that makes random gestures and picks random options of the order sheet."""

    def choose_orders(
        self, history: engine.play.History, wizard: str, luck: random.Random, /
    ) -> engine.orders.Orders:
        position = history.position
        flat: dict[str, str] = {}
        for number in range(1, len(engine.play.sheet(position, wizard).sets) + 1):
            hands = engine.play.sheet(position, wizard, engine.orders.from_fields(flat)).sets[
                number - 1
            ]
            suffix = "" if number == 1 else "2"
            pair = luck.choice(allowed_gesture_pairs(hands))
            flat[f"left{suffix}"], flat[f"right{suffix}"] = pair[0], pair[1]
        sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(flat))
        if not sheet.is_gestures_only:
            self._choose(sheet, flat, luck)
        return without_rejected_fields(position, wizard, flat)

    def _choose(self, sheet: engine.play.Sheet, flat: dict[str, str], luck: random.Random) -> None:
        for number, hands in enumerate(sheet.sets, 1):
            suffix = "" if number == 1 else "2"
            pair = flat[f"left{suffix}"] + flat[f"right{suffix}"]
            for side, letter in zip(("left", "right"), pair, strict=True):
                rows = [
                    row for row in hands.completions.get(pair, ()) if SIDE_NAMES[row.hand] == side
                ]
                if rows:
                    row = luck.choice(rows)
                    flat[f"{side}_spell{suffix}"] = row.spell
                    choose_random_target(sheet, row.spell, f"{side}_subject{suffix}", flat, luck)
                elif letter == STAB:
                    choose_random_target(sheet, "stab", f"{side}_subject{suffix}", flat, luck)
        for monster in sheet.monsters:
            flat[f"victim:{monster.key}"] = luck.choice(monster.options)
        for hand in sheet.charmed:
            flat[f"charmed:{hand.key}"] = luck.choice(LETTERS)
        for question in sheet.advance:
            flat[f"answer:{question.kind}"] = luck.choice(question.options)
        if sheet.bank is not None and luck.random() < 0.5:
            flat["release"] = "yes"

    def choose_answers(
        self,
        history: engine.play.History,
        wizard: str,
        questions: Sequence[engine.play.Question],
        luck: random.Random,
        /,
    ) -> Mapping[str, str]:
        return {question.id: luck.choice(question.options) for question in questions}


class NearestSpellPlayer:
    """A player that always works towards the nearest damaging spell.

    Each hand continues the damaging spell that needs the fewest further gestures; if there are
    several such spells, the strongest. Spells, stabs and monsters keep their default target, the
    enemy. A hand that may not make the gesture stabs instead.
    """

    def choose_orders(
        self, history: engine.play.History, wizard: str, luck: random.Random, /
    ) -> engine.orders.Orders:
        position, own = history.position, history.position.wizard(wizard)
        letters = [own.left, own.right]
        sets: list[engine.orders.HandSet] = []
        for hands in engine.play.sheet(position, wizard).sets:
            wanted = [next_spell_gesture(position.rules, made) for made in letters]
            pair = most_wanted_pair(allowed_gesture_pairs(hands), wanted[0] + wanted[1])
            sets.append(engine.orders.HandSet(pair[0], pair[1]))
            letters = [made + letter for made, letter in zip(letters, pair, strict=True)]
        return without_rejected_fields(
            position, wizard, engine.orders.fields(engine.orders.Orders(sets=tuple(sets)))
        )

    def choose_answers(
        self,
        history: engine.play.History,
        wizard: str,
        questions: Sequence[engine.play.Question],
        luck: random.Random,
        /,
    ) -> Mapping[str, str]:
        return {question.id: question.default for question in questions}


SIDE_NAMES = {"L": "left", "R": "right", "BH": "left"}


def allowed_gesture_pairs(hands: engine.play.SetSheet) -> list[str]:
    """Return the allowed pairs of gestures, if possible without surrender or two stabs."""
    lefts, rights = (
        [option.letter for option in hand.gestures if option.allowed]
        for hand in (hands.left, hands.right)
    )
    every = [left + right for left in lefts for right in rights]
    return [pair for pair in every if pair not in (SURRENDER_PAIR, TWO_STABS)] or every


def choose_random_target(
    sheet: engine.play.Sheet, kind: str, field: str, fields: dict[str, str], luck: random.Random
) -> None:
    if options := sheet.subjects[kind].options:
        fields[field] = luck.choice(options)


def without_rejected_fields(
    position: engine.play.Position, wizard: str, flat: Mapping[str, str]
) -> engine.orders.Orders:
    """Return these orders, without any fields that `check` rejects."""
    orders = engine.orders.from_fields(flat)
    while faults := engine.play.check(position, wizard, orders):
        refused = {fault.field for fault in faults}
        kept = {
            field: value
            for field, value in engine.orders.fields(orders).items()
            if field not in refused
        }
        assert kept != engine.orders.fields(orders), faults
        orders = engine.orders.from_fields(kept)
    return orders


def next_spell_gesture(rules: engine.play.Ruleset, made: str) -> str:
    """Return the next gesture of the one-handed damaging spell that is closest to completion."""
    found = [
        (len(pattern) - done, -spell.amount, pattern[done])
        for spell in rules.spells.values()
        if spell.class_ is SpellClass.DAMAGING and not spell.is_area
        for pattern in spell.patterns
        if pattern.isupper()
        for done in range(len(pattern))
        if made.endswith(pattern[:done])
    ]
    return min(found)[2]


def most_wanted_pair(pairs: Sequence[str], wanted: str) -> str:
    """Return the pair with the most wanted gestures, or of several such pairs one with a stab."""
    return max(
        pairs,
        key=lambda pair: (
            sum(letter == wish for letter, wish in zip(pair, wanted, strict=True)), STAB in pair
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayedDuel:
    """A duel between opponents, with the processor time in seconds that each move of theirs took.
    `outcome` is "" if the duel did not end within the maximum number of turns.
    """

    outcome: str
    turns: tuple[engine.play.Turn, ...]
    seconds: Mapping[str, Sequence[float]]


def play_duel(
    ruleset: str,
    players: Sequence[Opponent],
    seed: int,
    *,
    turns: int = 200,
    options: tuple[str, ...] = (),
) -> PlayedDuel:
    """Play a duel between these players, in order of seats, until it ends or `turns` are played."""
    luck = random.Random(seed)
    dice = engine.play.Dice(luck.randbytes(32))
    position = engine.play.begin(ruleset, [engine.play.Duellist()] * len(players), options=options)
    seats = {wizard.id: player for wizard, player in zip(position.wizards, players, strict=True)}
    past: list[engine.play.Turn] = []
    seconds: dict[str, list[float]] = {wizard: [] for wizard in seats}
    while not position.outcome and len(past) < turns:
        history = engine.play.History(tuple(past), position)
        orders: dict[str, engine.orders.Orders] = {}
        for wizard in engine.play.acting_wizards(position):
            started = process_time()
            orders[wizard] = seats[wizard].choose_orders(history, wizard, luck)
            seconds[wizard].append(process_time() - started)
        answers: dict[str, str] = {}
        while asked := engine.play.questions(position, orders, answers, dice):
            for wizard in dict.fromkeys(question.wizard for question in asked):
                own = [question for question in asked if question.wizard == wizard]
                answers |= seats[wizard].choose_answers(history, wizard, own, luck)
        after, events = engine.play.resolve(position, orders, answers, dice)
        past.append(engine.play.Turn(len(past) + 1, position, events))
        position = after
    return PlayedDuel(position.outcome, tuple(past), seconds)
