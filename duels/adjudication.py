"""Where rows meet the engine: rows in, the engine's values out, and back to JSON.

Everything else in the application asks here, in `queries` for what an observer may know, and in
`emails` for how that is written out; so the engine's calls are in few places.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

import engine
from duels import seals
from duels.errors import described
from duels.models import Duel, Orders, Seat, Stage, Turn
from engine.events import Drew, Gestured, KnifeKept, MindsClashed, Overridden, Spoke, Summoned

logger = logging.getLogger(__name__)
Told = TypeVar("Told")

# What everybody sees while a turn waits for answers.
REVEALED = (Drew, Gestured, KnifeKept, MindsClashed, Overridden, Spoke)


def rulesets() -> Mapping[str, engine.Ruleset]:
    """The published rulesets by id."""
    return engine.RULESETS


def options_of(ruleset: str) -> Sequence[str]:
    """What wizards may agree on beside the ruleset. Raises KeyError."""
    return engine.options_of(ruleset)


def beginning(duel: Duel, seats: Sequence[Seat]) -> engine.Position:
    """The position before turn 1, the wizards in the order of their places."""
    duellists = [engine.Duellist(seat.wizard.name, seat.wizard.pronouns) for seat in seats]
    return engine.begin(duel.ruleset, duellists, setup=duel.setup, options=tuple(duel.options))


def start_of(turn: Turn) -> engine.Position:
    """What the turn before has led to."""
    return loaded_position(turn.position)


def position_of(turn: Turn) -> engine.Position:
    """What the turn is played from: without those who have resigned in it."""
    position = start_of(turn)
    for wizard in turn.resigned:
        position, _ = engine.resign(position, wizard)
    return position


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


def with_reveal(history: engine.History, turn: Turn, orders: Sequence[Orders]) -> engine.History:
    """The history, and of a turn that waits for answers what its reveal has shown: gestures and
    words. What its spells do is open until the answers are in."""
    position = position_of(turn)
    shown = tuple(event for event in settled(turn, position, orders) if isinstance(event, REVEALED))
    revealed = engine.Turn(turn.ordinal, position, (*loaded_events(turn.events), *shown))
    before = tuple(each for each in history.turns if each.ordinal != turn.ordinal)
    return engine.History(turns=(*before, revealed), position=history.position)


def settled(
    turn: Turn, position: engine.Position, orders: Sequence[Orders]
) -> tuple[engine.Event, ...]:
    """What has happened so far in a turn that waits for answers.

    What anybody has answered of the open batch shows in nothing: it is as sealed as orders are.
    """
    given = answers(row for row in orders if row.batch < turn.batch)
    return engine.settled(position, played(position, orders), given, dice(turn.duel, orders))


def played(position: engine.Position, orders: Iterable[Orders]) -> dict[str, engine.Orders]:
    """The orders of those who act; who has resigned since casts nothing."""
    acting = engine.acting(position)
    sealed = orders_by_wizard(orders)
    return {wizard: sealed[wizard] for wizard in acting if wizard in sealed}


def dice(duel: Duel, orders: Iterable[Orders]) -> engine.AnyDice:
    """The dice of one turn, in which these orders are sealed (by place)."""
    if duel.recorded_draws is not None:
        return engine.RecordedDice(duel.recorded_draws)
    return engine.Dice(bytes.fromhex(seed_of(duel)), commitments(orders))


def seed_of(duel: Duel) -> str:
    """The seed of the dice; it lies encrypted until the duel is over."""
    return duel.seed if duel.is_over else seals.decrypt(duel.seed)


def commitments(orders: Iterable[Orders], stage: Stage = Stage.ORDERS) -> list[str]:
    """A turn's commitments in one stage, by batch and place; its dice depend on those of orders."""
    sealed = [row for row in orders if row.stage == stage]
    sealed.sort(key=lambda row: (row.batch, row.seat.place or 0))
    return [row.commitment for row in sealed]


def damage(position: engine.Position) -> dict[str, int]:
    """What each wizard has suffered."""
    return {wizard.id: wizard.damage for wizard in position.wizards}


def orders_by_wizard(orders: Iterable[Orders]) -> dict[str, engine.Orders]:
    """The sealed orders themselves, by the engine's ids of the wizards."""
    return {
        row.seat.code: engine.from_fields(seals.opened(row.body).orders)
        for row in orders
        if row.stage == Stage.ORDERS
    }


def orders_as_text(turn: Turn, wizard: str, fields: Mapping[str, str]) -> str:
    """These fields of an order sheet as text; empty where they are no orders at all."""
    try:
        orders = engine.from_fields(fields)
    except engine.InvalidData:
        return ""
    return engine.write(orders, position_of(turn), wizard)


def orders_from_text(turn: Turn, wizard: str, text: str) -> dict[str, str]:
    """The fields that the text states. Raises engine.UnreadableOrders."""
    return engine.stated(text, position_of(turn), wizard)


def faults(turn: Turn, wizard: str, fields: Mapping[str, str]) -> tuple[engine.Fault, ...]:
    """What keeps these fields from being sealed."""
    return engine.check(position_of(turn), wizard, engine.from_fields(fields))


def cautions(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[engine.Caution, ...]:
    """What a wizard should know before he seals these orders, though they break no rule."""
    return _advised(engine.cautions, position, wizard, orders)


def in_plain_words(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[str, ...]:
    """What these orders come to, in sentences."""
    return _advised(engine.in_plain_words, position, wizard, orders)


def hints(
    position: engine.Position, wizard: str, orders: engine.Orders
) -> tuple[engine.HandHint, ...]:
    """What each gesture of each hand is good for."""
    return _advised(engine.hints, position, wizard, orders)


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


def answers(orders: Iterable[Orders]) -> dict[str, str]:
    """All answers given in a turn so far, by question."""
    given: dict[str, str] = {}
    for row in sorted(orders, key=lambda row: row.batch):
        if row.stage == Stage.ANSWERS:
            given.update(seals.opened(row.body).orders)
    return given


def asked(turn: Turn, orders: Sequence[Orders]) -> tuple[engine.Question, ...]:
    """The questions that what is sealed so far leaves open; none when the turn can be played."""
    position = position_of(turn)
    return engine.questions(
        position, played(position, orders), answers(orders), dice(turn.duel, orders)
    )


def dumped_questions(
    turn: Turn, questions: Iterable[engine.Question], orders: Sequence[Orders]
) -> list[dict[str, Any]]:
    """Questions as their turn keeps them, with the names of monsters that it has just made."""
    position = position_of(turn)
    events = settled(turn, position, orders)
    made = {event.monster: event.name for event in events if isinstance(event, Summoned)}
    return [dumped_question(position, question, made) for question in questions]


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


def relabelled(events: Iterable[engine.Event], old: str, new: str) -> tuple[engine.Event, ...]:
    """The same events, their draws labelled with a wizard's other name."""
    return tuple(
        replace(event, label=relabelled_draw(event.label, old, new))
        if isinstance(event, Drew)
        else event
        for event in events
    )


def relabelled_draw(label: str, old: str, new: str) -> str:
    """The label of a draw with a wizard's other name in it."""
    return label.replace(f" {old} ", f" {new} ")


def unspoken(report: engine.TurnReport, silent: set[str]) -> engine.TurnReport:
    """The report without what these wizards said."""
    kept = tuple(line for line in report.lines if line.code != "spoke" or line.wizard not in silent)
    return replace(report, lines=kept)
