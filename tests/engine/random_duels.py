"""Random duels with legal orders, for property tests, the fuzzer and benchmarks.

The players pursue randomly chosen spells of the book, so that every spell is cast. Everything else
is random. Players call `check` instead of the order sheet, because it is much faster.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import engine.orders
import engine.play
from engine.gestures import SYMBOL_COUNT, SYMBOLS_OF_PAIR
from engine.legality.hand_constraints import hand_limits, set_count
from engine.legality.scope import is_acting
from engine.orders import ADVANCE_ANSWERS
from engine.positions.position import SACRIFICE, Position
from engine.rulesets.choices import HandNamingTime
from engine.rulesets.ruleset import CompletablePattern

WIZARD_NAMES = ("Ada", "Bram", "Cleo", "Dorn", "Edda", "Falk", "Gwen", "Hugo")
ALL_LETTERS = "FPSWDC>-"


@dataclass(frozen=True)
class Step:
    """One turn: the arguments of `resolve`, and the result."""

    position: Position
    orders: dict[str, engine.orders.Orders]
    answers: dict[str, str]
    dice: engine.play.Dice
    events: tuple[engine.play.Event, ...]
    after: Position


@dataclass
class Player:
    """A player who pursues one spell after another."""

    chance: random.Random
    patterns: list[str]
    steps: str = ""
    hand: str = "L"
    idle: bool = False  # makes random gestures instead of pursuing spells
    surrenders: float = 0.0  # probability of surrendering in a turn

    def pair(self) -> str:
        """Return the next set: one hand continues a spell, the other is random."""
        if self.idle:
            return self.chance.choice(ALL_LETTERS) + self.chance.choice(ALL_LETTERS)
        if not self.steps:
            self.steps = self.chance.choice(self.patterns)
            self.hand = self.chance.choice("LR")
        step, self.steps = self.steps[0], self.steps[1:]
        letter = step.upper()
        whim = letter if step.islower() else self.chance.choice(ALL_LETTERS)
        if whim == letter and step.isupper() and letter in "PC":
            whim = "-"
        return letter + whim if self.hand == "L" else whim + letter


def random_duel(
    chance: random.Random,
    *,
    wizards: int = 2,
    turns: int = 60,
    ruleset: str = "bartle-1",
    options: tuple[str, ...] = (),
    idle: bool = False,
    resigning: float = 0.0,
    surrendering: float = 0.0,
    setup: Mapping[str, object] | None = None,
) -> Iterator[Step]:
    """Yield the turns of one duel until it ends or reaches `turns`.

    `resigning` is the probability that a wizard resigns before a turn, `surrendering` that a wizard
    makes two palms in a turn.
    """
    duellists = [engine.play.Duellist(name) for name in WIZARD_NAMES[:wizards]]
    position = engine.play.begin(ruleset, duellists, setup=setup, options=options)
    patterns = [completable.pattern for completable in position.rules.completables]
    players = {
        wizard.id: Player(chance, patterns, idle=idle, surrenders=surrendering)
        for wizard in position.wizards
    }
    dice = engine.play.Dice(chance.randbytes(32))
    for _ in range(turns):
        if resigning and not position.outcome and chance.random() < resigning:
            position, _ = engine.play.resign(position, chance.choice(position.wizards_in_duel()).id)
        if position.outcome:
            return
        orders = {
            wizard: random_orders(position, wizard, players[wizard])
            for wizard in engine.play.acting_wizards(position)
        }
        answers: dict[str, str] = {}
        while asked := engine.play.questions(position, orders, answers, dice):
            answers |= {question.id: chance.choice(question.options) for question in asked}
        after, events = engine.play.resolve(position, orders, answers, dice)
        yield Step(position, orders, answers, dice, events, after)
        position = after


def random_orders(position: Position, wizard: str, player: Player) -> engine.orders.Orders:
    """Return random legal orders, without the parts that `check` rejects."""
    chance, own = player.chance, position.wizard(wizard)
    fields: dict[str, str] = {}
    beings = [other.id for other in position.wizards]
    beings += [monster.id for monster in position.monsters]
    beings += ["nowhere", f"L:{chance.choice(position.wizards).id}"]
    if is_acting(position, own):
        for number in range(1, set_count(position, own) + 1):
            suffix = "" if number == 1 else "2"
            for side, letter in zip(
                ("left", "right"), _next_legal_pair(position, own, number, player), strict=True
            ):
                fields[side + suffix] = letter
                if chance.random() < 0.3:
                    fields[f"{side}_subject{suffix}"] = chance.choice(beings)
            if chance.random() < 0.2:
                fields[f"both_subject{suffix}"] = chance.choice(beings)
    if own.bank and chance.random() < 0.4:
        fields["release"] = "yes"
    for monster in position.monsters:
        if monster.controller == wizard and chance.random() < 0.7:
            fields[f"victim:{monster.id}"] = chance.choice([*beings[:-2], "no_one"])
    for other in position.wizards:
        charm = other.effects.get("charm_person")
        if charm is not None and charm.caster == wizard:
            fields[f"charmed:{other.id}.{charm.hand or chance.choice('LR')}"] = chance.choice(
                ALL_LETTERS
            )
        if (
            position.rules.hand_named is HandNamingTime.WHEN_IT_ACTS
            and "paralysis" in other.effects
        ):
            fields[f"held:{other.id}"] = chance.choice("LR")
    if position.rules.hearts_stop and chance.random() < 0.05:
        fields["heart"] = "yes"
    if not player.idle:
        _add_further_choices(position, own, player, fields)
    return legal_orders_from_fields(position, wizard, fields)


def _add_further_choices(
    position: Position, own: engine.play.Wizard, player: Player, fields: dict[str, str]
) -> None:
    """Sometimes add another spell, a capture, an answer in advance or a second victim."""
    chance = player.chance
    if chance.random() < player.surrenders and "left" in fields:
        fields["left"] = fields["right"] = "P"
    for kind, field in (("delayed_effect", "bank"), ("permanency", "permanency")):
        if kind in own.effects and chance.random() < 0.3:
            fields[field] = chance.choice(("L", "R", "BH"))
    if chance.random() < 0.1:
        kind = chance.choice(sorted(ADVANCE_ANSWERS))
        fields[f"answer:{kind}"] = chance.choice(ADVANCE_ANSWERS[kind])
    for field in [field for field in fields if field.startswith("victim:m")]:
        if chance.random() < 0.2:
            fields[field.replace("victim", "victim2")] = chance.choice(position.wizards).id
    if chance.random() < 0.3 and fields.get("left") and fields.get("right"):
        ends = completed_spells(position, own, fields["left"] + fields["right"])
        for side, found in zip(("left", "right"), ends, strict=True):
            if found:
                end = chance.choice(found)
                fields[f"{'both' if end.both else side}_spell"] = end.spell.id
    if SACRIFICE in position.options and position.monsters:
        fields["sacrifice"] = chance.choice(position.monsters).id


def completed_spells(
    position: Position, own: engine.play.Wizard, pair: str
) -> tuple[tuple[CompletablePattern, ...], tuple[CompletablePattern, ...]]:
    """Return the spells that the left and the right hand would complete with these gestures."""
    rules = position.rules
    states = zip((own.left_state, own.right_state), SYMBOLS_OF_PAIR[pair], strict=True)
    left, right = (
        rules.ends[rules.automaton.step[s * SYMBOL_COUNT + symbol]] for s, symbol in states
    )
    return left, right


def _next_legal_pair(
    position: Position, own: engine.play.Wizard, number: int, player: Player
) -> str:
    pair = player.pair()
    limits = hand_limits(position, own)
    forced = limits.forced[number - 1]
    made = "".join(
        must or (letter if letter in limits.letters else "-")
        for must, letter in zip(forced, pair, strict=True)
    )
    if made in (">>", "PP") and not forced[1]:
        return made[0] + "-"
    return "-" + made[1] if made in (">>", "PP") and not forced[0] else made


def legal_orders_from_fields(
    position: Position, wizard: str, fields: dict[str, str]
) -> engine.orders.Orders:
    """Return orders with only those of the fields that `check` accepts."""
    orders = engine.orders.from_fields(fields)
    while faults := engine.play.check(position, wizard, orders):
        refused = {fault.field for fault in faults}
        kept = {
            field: value
            for field, value in fields.items()
            if field not in refused and field.replace("victim2", "victim") not in refused
        }
        assert kept != fields, faults
        fields = kept
        orders = engine.orders.from_fields(fields)
    return orders
