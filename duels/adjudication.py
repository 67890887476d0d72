"""Where rows meet the engine: rows in, the engine's values out, and back to JSON.

Everything else in the application asks here, in `queries` for what an observer may know, and in
`emails` for how that is written out; so the engine's calls are in few places.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeVar

import engine
from duels import seeds
from duels.errors import described
from duels.models import Duel, Orders, Seat, Stage, Turn
from duels.options import rules_words

logger = logging.getLogger(__name__)
Told = TypeVar("Told")


def rulesets() -> Mapping[str, engine.Ruleset]:
    """The published rulesets by id."""
    return engine.RULESETS


def options_of(ruleset: str) -> Sequence[str]:
    """What wizards may agree on beside the ruleset: strict only where something is asked after the
    reveal. Raises KeyError."""
    asks = engine.RULESETS[ruleset].order_of_play != engine.NUMBERED
    return [option for option in engine.house_rules(ruleset) if option != "strict" or asks]


def rules_of(duel: Duel) -> engine.Ruleset:
    """What a duel is played by: its ruleset, with its options in force. Raises KeyError."""
    return engine.RULESETS[duel.ruleset].under(duel.options)


def name_of_rules(duel: Duel) -> str:
    """The name of a duel's ruleset, and what was agreed on beside it."""
    return rules_words(engine.RULESETS[duel.ruleset].name, duel.options)


def beginning(duel: Duel, seats: Sequence[Seat]) -> engine.Position:
    """The position before turn 1, the wizards in the order of their places."""
    duellists = [engine.Duellist(seat.wizard.name, seat.wizard.pronouns) for seat in seats]
    return engine.begin(duel.ruleset, duellists, setup=duel.setup, options=tuple(duel.options))


def start_of(turn: Turn) -> engine.Position:
    """What the turn before has led to."""
    return loaded_position(turn.position)


def position_of(turn: Turn) -> engine.Position:
    """What the turn is played from: without those who have resigned in it."""
    return without_who_left(turn, start_of(turn))


def without_who_left(turn: Turn, position: engine.Position) -> engine.Position:
    """The position after those have left it who left in this turn, one after the other."""
    left = departures(turn, position)
    return left[-1].after if left else position


@dataclass(frozen=True)
class Departure:
    """Somebody leaves the duel: by which rule, what it leads to, and what happens."""

    rule: str
    after: engine.Position
    events: tuple[engine.Event, ...]


def departures(turn: Turn, position: engine.Position) -> list[Departure]:
    """Those who left in this turn, one after the other."""
    left: list[Departure] = []
    for wizard in turn.resigned:
        if wizard in turn.forfeited:
            rule, leave = "turn:forfeit", engine.forfeit
        elif wizard in turn.removed:
            rule, leave = "turn:removal", engine.remove
        else:
            rule, leave = "turn:resign", engine.resign
        position, events = leave(position, wizard)
        left.append(Departure(rule, position, events))
    return left


def events_of_leaving(turn: Turn) -> tuple[engine.Event, ...]:
    """What happened in the turn before it was played: wizards who left, one after the other."""
    left = departures(turn, start_of(turn))
    return tuple(event for each in left for event in each.events)


def loaded_position(value: Any) -> engine.Position:
    """A position as a row keeps it."""
    return engine.load_position(value)


def loaded_events(value: Any) -> tuple[engine.Event, ...]:
    """Events as a row keeps them; none where nothing has happened yet."""
    return () if value is None else engine.load_events(value)


def history(turns: Iterable[Turn], position: engine.Position) -> engine.History:
    """These turns, oldest first, and the position that they have led to."""
    return engine.History(
        turns=tuple(
            engine.Turn(turn.ordinal, start_of(turn), loaded_events(turn.events)) for turn in turns
        ),
        position=position,
    )


def dice(duel: Duel, orders: Iterable[Orders], *, roll_backs: int) -> engine.AnyDice:
    """The dice of one turn, in which these orders are in force, and which was opened after so many
    roll backs. They depend on the commitments of
    the seals of stage `orders`, which stay the same from the reveal on, whatever is asked and
    answered after it; what was laid down beforehand falls as it lies."""
    seed = seeds.seed_after(duel, roll_backs)
    thrown = engine.Dice(bytes.fromhex(seed), commitments(orders))
    if duel.recorded_draws is not None:
        return engine.RecordedDice(duel.recorded_draws, otherwise=thrown)
    return thrown


def draws_of(turns: Iterable[Turn]) -> dict[str, int]:
    """What was drawn in these turns, by label."""
    return {
        event.label: event.value
        for turn in turns
        for event in loaded_events(turn.events)
        if isinstance(event, engine.Drew)
    }


def dice_as_they_fell(turns: Iterable[Turn]) -> engine.AnyDice:
    """The dice of turns that have been played; no seed is needed for them."""
    return engine.RecordedDice(draws_of(turns))


def commitments(orders: Iterable[Orders], stage: Stage = Stage.ORDERS) -> list[str]:
    """A turn's commitments in one stage, by batch and place; its dice depend on those of orders."""
    sealed = [row for row in orders if row.stage == stage]
    sealed.sort(key=lambda row: (row.batch, row.seat.place or 0))
    return [row.commitment for row in sealed]


def damage(position: engine.Position) -> dict[str, int]:
    """What each wizard has suffered."""
    return {wizard.id: wizard.damage for wizard in position.wizards}


def orders_as_text(position: engine.Position, wizard: str, fields: Mapping[str, str]) -> str:
    """These fields of an order sheet as text; empty where they are no orders at all."""
    try:
        orders = engine.from_fields(fields)
    except engine.InvalidData:
        return ""
    return engine.write(orders, position, wizard)


def default_orders_as_text(position: engine.Position, wizard: str) -> str:
    """What is played for this wizard if nobody orders anything else, hands as left and right."""
    fields = engine.fields(engine.default_orders(position, wizard))
    text = orders_as_text(position, wizard, fields)
    for hand, word in (("LH", "left"), ("RH", "right"), ("BH", "both")):
        text = re.sub(rf"(?m)^{hand}(2?) ", rf"{word}\1 ", text)
    return text


def orders_from_text(position: engine.Position, wizard: str, text: str) -> dict[str, str]:
    """The fields that the text states. Raises engine.UnreadableOrders."""
    return engine.stated_fields(text, position, wizard)


def cautions(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[engine.Caution, ...]:
    """What a wizard should know before he seals these orders, though they break no rule."""
    return _advised(engine.cautions, position, wizard, orders)


def in_plain_words(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[str, ...]:
    """What these orders come to, in sentences."""
    return _advised(engine.orders_in_words, position, wizard, orders)


def hints(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[engine.HandHint, ...]:
    """What each gesture of each hand is good for."""
    return _advised(engine.hints, position, wizard, orders)


def open_hints(position: engine.Position, wizard: str) -> tuple[engine.HandHint, ...]:
    """What each gesture is good for that is open to a hand, while the other hand makes none."""
    return _advised(_open_hints, position, wizard, engine.NO_ORDERS)


def _open_hints(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[engine.HandHint, ...]:
    sheet = engine.sheet(position, wizard, orders)
    open_to = {
        (part.number, hand.hand): {option.letter for option in hand.gestures if option.allowed}
        for part in sheet.sets
        for hand in (part.left, part.right)
    }
    return tuple(
        replace(hint, gestures=tuple(each for each in hint.gestures if each.letter in letters))
        for hint in engine.hints(position, wizard, orders)
        for letters in [open_to[hint.set, hint.hand]]
    )


def _advised(
    advice: Callable[[engine.Position, str, engine.Orders], tuple[Told, ...]],
    position: engine.Position,
    wizard: str,
    orders: engine.Orders,
) -> tuple[Told, ...]:
    """The advice; none, and a line in the log, where it fails: orders can be sealed without."""
    try:
        return advice(position, wizard, orders)
    except Exception as error:
        logger.error("No advice in turn %s: %s", position.turn, described(error))
        return ()


def warning_of(caution: engine.Caution) -> str:
    """A caution's name: who has read it need not be told again."""
    return f"{caution.code}@{caution.field}"


def dumped_question(
    position: engine.Position, question: engine.Question, made: Mapping[str, str]
) -> dict[str, Any]:
    """A question as its turn keeps it, put to its wizard in words that he can understand."""
    made = {id: made[id] for id in (question.about, *question.options) if id in made}
    view = engine.view(engine.History((), position), question.wizard)
    view = replace(view, names={**view.names, **made})
    return asdict(question) | {
        "text": engine.question_text(view, question),
        "words": [engine.option_text(view, question, option) for option in question.options],
        "made": made,
    }


def reworded_question(position: engine.Position, kept: Mapping[str, Any]) -> dict[str, Any]:
    """A question that a turn keeps, put again in the words of this position."""
    return dumped_question(position, loaded_question(kept), kept["made"])


def loaded_question(kept: Mapping[str, Any]) -> engine.Question:
    """A question as its turn keeps it."""
    values = {field.name: kept[field.name] for field in fields(engine.Question)}
    values |= {"options": tuple(kept["options"]), "labels": tuple(kept["labels"])}
    return engine.Question(**values)


def questions_to(turn: Turn, wizard: str) -> tuple[engine.Question, ...]:
    """What this wizard is asked in the turn's open batch."""
    kept = [loaded_question(question) for question in turn.questions]
    return tuple(question for question in kept if question.wizard == wizard)


def renamed(position: engine.Position, wizard: str, name: str, pronouns: str) -> engine.Position:
    """The same position with one wizard under another name."""
    copy = position.copy()
    duellist = copy.wizard(wizard)
    duellist.name = name
    duellist.pronouns = pronouns
    return copy


def without_words_of(report: engine.TurnReport, silent: set[str]) -> engine.TurnReport:
    """The report without what these wizards said."""
    kept = tuple(line for line in report.lines if line.code != "spoke" or line.wizard not in silent)
    return replace(report, lines=kept)
