"""Random duels by legal orders: for properties, for the fuzz and for the bench.

A player here pursues spells drawn from the book, so that every spell occurs; the rest is chance.
He asks `check` and not the sheet, so that thousands of duels take seconds.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import engine
from engine.minds import allowed_letters, count_sets, forced_letters
from engine.position import Position

NAMES = ("Ada", "Bram", "Cleo", "Dorn", "Edda", "Falk", "Gwen", "Hugo")
FREE = "FPSWDC>-"


@dataclass(frozen=True)
class Step:
    """One turn ready to be played: everything that `resolve` takes, and what came of it."""

    position: Position
    orders: dict[str, engine.Orders]
    answers: dict[str, str]
    dice: engine.Dice
    events: tuple[engine.Event, ...]
    after: Position


@dataclass
class Player:
    """Somebody who pursues one spell after another, and never surrenders on purpose."""

    chance: random.Random
    patterns: list[str]
    steps: str = ""
    hand: str = "L"
    idle: bool = False  # pursues nothing: every letter is chance

    def pair(self) -> str:
        """The next set: one hand on its way to a spell, the other following its whim."""
        if self.idle:
            return self.chance.choice(FREE) + self.chance.choice(FREE)
        if not self.steps:
            self.steps = self.chance.choice(self.patterns)
            self.hand = self.chance.choice("LR")
        step, self.steps = self.steps[0], self.steps[1:]
        letter = step.upper()
        whim = letter if step.islower() else self.chance.choice(FREE)
        if whim == letter and step.isupper() and letter in "PC":
            whim = "-"
        return letter + whim if self.hand == "L" else whim + letter


def random_duel(
    chance: random.Random,
    *,
    wizards: int = 2,
    turns: int = 60,
    ruleset: str = "bartle-1",
    idle: bool = False,
) -> Iterator[Step]:
    """The turns of one duel until it ends or the bound is reached."""
    position = engine.begin(ruleset, [engine.Duellist(name) for name in NAMES[:wizards]])
    patterns = [completable.pattern for completable in position.rules.completables]
    players = {wizard.id: Player(chance, patterns, idle=idle) for wizard in position.wizards}
    dice = engine.Dice(chance.randbytes(32))
    for _ in range(turns):
        if position.outcome:
            return
        orders = {
            wizard: random_orders(position, wizard, players[wizard])
            for wizard in engine.acting(position)
        }
        answers: dict[str, str] = {}
        while asked := engine.questions(position, orders, answers, dice):
            answers |= {question.id: chance.choice(question.options) for question in asked}
        after, events = engine.resolve(position, orders, answers, dice)
        yield Step(position, orders, answers, dice, events, after)
        position = after


def random_orders(position: Position, wizard: str, player: Player) -> engine.Orders:
    """Legal orders for this wizard: whatever `check` refuses of what he wants is left out."""
    chance, own = player.chance, position.wizard(wizard)
    flat: dict[str, str] = {}
    extra = position.kind == "extra"
    beings = [other.id for other in position.wizards]
    beings += [monster.id for monster in position.monsters]
    beings += ["nowhere", f"L:{chance.choice(position.wizards).id}"]
    if not extra or wizard in position.stopped:
        for number in range(1, count_sets(own, position.turn, extra=extra) + 1):
            suffix = "" if number == 1 else "2"
            for side, letter in zip(
                ("left", "right"), _pair(position, own, number, player), strict=True
            ):
                flat[side + suffix] = letter
                if chance.random() < 0.3:
                    flat[f"{side}_subject{suffix}"] = chance.choice(beings)
            if chance.random() < 0.2:
                flat[f"both_subject{suffix}"] = chance.choice(beings)
    if own.bank and chance.random() < 0.4:
        flat["release"] = "yes"
    for monster in position.monsters:
        if monster.controller == wizard and chance.random() < 0.7:
            flat[f"victim:{monster.id}"] = chance.choice([*beings[:-2], "no_one"])
    for other in position.wizards:
        charm = other.effects.get("charm_person")
        if charm is not None and charm.caster == wizard:
            flat[f"charmed:{other.id}.{charm.hand}"] = chance.choice(FREE)
    return _lawful(position, wizard, flat)


def _pair(position: Position, own: engine.Wizard, number: int, player: Player) -> str:
    pair = player.pair()
    open_letters = allowed_letters(position, own)
    forced = forced_letters(position, own, number)
    made = "".join(
        must or (letter if letter in open_letters else "-")
        for must, letter in zip(forced, pair, strict=True)
    )
    if made in (">>", "PP") and not forced[1]:
        return made[0] + "-"
    return "-" + made[1] if made in (">>", "PP") and not forced[0] else made


def _lawful(position: Position, wizard: str, flat: dict[str, str]) -> engine.Orders:
    orders = engine.from_fields(flat)
    for fault in engine.check(position, wizard, orders):
        flat.pop(fault.field, None)
    return engine.from_fields(flat)
