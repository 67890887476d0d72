"""Short crowded duels, with effects in force, monsters, and spells about to be cast.

Ordinary random duels have one or two spells in a turn. Here, every wizard begins with random
effects and monsters, needs one more gesture for a spell, and prefers sets that complete spells.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import engine.play
from engine.gestures import SYMBOL_COUNT, SYMBOLS_OF_PAIR
from engine.json_values import InvalidData
from engine.positions.position import Position, Wizard, can_make_gestures
from engine.rulesets.choices import HandNamingTime
from engine.rulesets.ruleset import Ruleset
from tests.engine.random_duels import ALL_LETTERS, WIZARD_NAMES, Player, Step, random_orders

MAX_TURNS = 5
POSSIBLE_EFFECTS: Final = frozenset(
    {
        "amnesia", "confusion", "maladroitness", "charm_person", "paralysis", "fear",
        "protection_from_evil", "resist_heat", "resist_cold", "disease", "poison", "blindness",
        "invisibility", "haste", "delayed_effect", "permanency",
    }
)  # fmt: skip
"""Effects that can be in force under some ruleset. Each duel uses those that its ruleset allows."""
GESTURE_PAIRS = tuple(
    a + b for a, b in product(ALL_LETTERS, ALL_LETTERS) if a + b not in ("PP", ">>")
)


@dataclass
class SpellCompletingPlayer(Player):
    """A player who makes a set of gestures that completes a spell whenever possible."""

    near: tuple[str, ...] = ()

    def pair(self) -> str:
        return self.chance.choice(self.near or GESTURE_PAIRS)


def completing_sets(position: Position, wizard: Wizard) -> tuple[str, ...]:
    """Return the sets that complete a spell of two or more gestures with either hand."""
    step, rules = position.rules.automaton.step, position.rules
    states = (wizard.left_state, wizard.right_state)
    return tuple(
        pair
        for pair in GESTURE_PAIRS
        if any(
            len(end.pattern) > 1
            for state, symbol in zip(states, SYMBOLS_OF_PAIR[pair], strict=True)
            for end in rules.ends[step[state * SYMBOL_COUNT + symbol]]
        )
    )


def crowded_duel(
    chance: random.Random, *, ruleset: str, wizards: int = 2, options: tuple[str, ...] = ()
) -> Iterator[Step]:
    """Yield the first turns of a crowded duel, with legal random orders and answers."""
    position = crowded_position(chance, ruleset, wizards, options)
    players = {wizard.id: SpellCompletingPlayer(chance, ["P"]) for wizard in position.wizards}
    dice = engine.play.Dice(chance.randbytes(32))
    for _ in range(MAX_TURNS):
        if position.outcome:
            return
        orders = {}
        for id in engine.play.acting_wizards(position):
            wizard = position.wizard(id)
            eager = can_make_gestures(position, wizard) and chance.random() < 0.8
            players[id].near = completing_sets(position, wizard) if eager else ()
            orders[id] = random_orders(position, id, players[id])
        answers: dict[str, str] = {}
        while asked := engine.play.questions(position, orders, answers, dice):
            answers |= {question.id: chance.choice(question.options) for question in asked}
        after, events = engine.play.resolve(position, orders, answers, dice)
        yield Step(position, orders, answers, dice, events, after)
        position = after


def crowded_position(
    chance: random.Random, ruleset: str, wizards: int, options: tuple[str, ...]
) -> Position:
    """Return a random starting position. Leave out rows that the ruleset rejects."""
    seated = [engine.play.Duellist(name) for name in WIZARD_NAMES[:wizards]]
    rules = engine.play.RULESETS[ruleset]
    seats = [f"w{seat}" for seat in range(wizards)]
    setup: dict[str, Any] = {"turn": 5, "wizards": [], "monsters": []}

    def is_accepted(part: str, row: Mapping[str, object]) -> bool:
        # A row's validity depends only on the number of earlier rows and the kinds of monsters.
        plain = [{**beast, "effects": {}} for beast in setup["monsters"]]
        before = {"wizards": [{}] * len(setup["wizards"]), "monsters": plain}
        tried = {**setup, part: [*before[part], row]}
        try:
            engine.play.begin(ruleset, seated, setup=tried, options=options)
        except InvalidData:
            return False
        return True

    def add_row(part: str, row: dict[str, Any], effects: Mapping[str, dict[str, Any]]) -> None:
        row["effects"] = {}
        for kind, effect in effects.items():
            if is_accepted(part, {**row, "effects": {**row["effects"], kind: effect}}):
                row["effects"][kind] = effect
        if is_accepted(part, row):
            setup[part].append(row)

    for _ in seats:
        pattern, other = (_random_unfinished_gestures(chance, rules) for _ in "LR")
        row = {
            "damage": chance.choice((0, 0, 0, 3, 8, 13)),
            "left": pattern.rjust(8, "-"),
            "right": other.rjust(8, "-"),
            "used_bolt": chance.random() < 0.2,
        }
        banked = {
            **row,
            "bank": chance.choice(list(rules.spells)),
            "bank_subject": chance.choice(seats) if rules.bank_keeps_subject else "",
        }
        row = banked if chance.random() < 0.4 and is_accepted("wizards", banked) else row
        add_row("wizards", row, _random_effects(chance, rules, seats, 0.12))
    beasts = [kind for kind in rules.monsters if kind != "elemental"]
    for number in range(chance.randrange(4)):
        beast: dict[str, Any] = {
            "kind": chance.choice(beasts),
            "controller": chance.choice(seats),
            "victim": chance.choice((*seats, "", f"m{chance.randrange(number + 1)}")),
        }
        if chance.random() < 0.15:
            beast["state"] = "corpse"
        add_row("monsters", beast, _random_effects(chance, rules, seats, 0.12))
    return engine.play.begin(ruleset, seated, setup=setup, options=options)


def _random_unfinished_gestures(chance: random.Random, rules: Ruleset) -> str:
    """Return a pattern of the book without its last gesture, as made by one hand."""
    return chance.choice(rules.completables).pattern[:-1].upper()


def _random_effects(
    chance: random.Random, rules: Ruleset, seats: list[str], share: float
) -> dict[str, dict[str, Any]]:
    """Return random effects in force, each with all details that the effect can have."""
    found: dict[str, dict[str, Any]] = {}
    for kind in sorted(POSSIBLE_EFFECTS):
        if chance.random() >= share:
            continue
        effect: dict[str, Any] = {"caster": chance.choice(seats)}
        if chance.random() < 0.3:
            effect["permanent"] = True
        else:
            effect["turns"] = chance.randint(1, 3)
        named = rules.hand_named is HandNamingTime.WHEN_IT_WORKS
        if kind in ("paralysis", "charm_person") and named:
            effect["hand"] = chance.choice("LR")
            effect["letter"] = chance.choice("FPSWD")
        if kind == "amnesia" and chance.random() < 0.7:
            effect["sets"] = ["".join(chance.choice("FPSWD") for _ in "LR")]
        found[kind] = effect
    return found
