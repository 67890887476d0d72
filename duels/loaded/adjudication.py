"""The adapter between database rows and the engine, which converts rows to the engine's values.

Most of the app calls the engine only through this module, through `queries` for observers' views,
or through `emails` for texts.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, TypeVar

import engine.orders
import engine.play
import engine.words
from duels.errors import error_summary
from duels.models import Duel, Orders, Outcome, Seat, Turn
from duels.sealing import links, seeds
from duels.typed_text import without_hidden_characters
from duels.wording.options import selected_options

logger = logging.getLogger(__name__)
Advice = TypeVar("Advice")


def available_options(ruleset: str) -> Sequence[str]:
    """Return the options that wizards can choose with this ruleset.

    The option "strict" is available only if the ruleset asks questions after the reveal. Raise
    KeyError if there is no such ruleset.
    """
    asks = engine.play.RULESETS[ruleset].order_of_play != engine.play.NUMBERED
    return [
        option for option in engine.play.available_options(ruleset) if option != "strict" or asks
    ]


def ruleset_of(duel: Duel) -> engine.play.Ruleset:
    """Return a duel's ruleset with its options. Raise KeyError if there is no such ruleset."""
    return engine.play.RULESETS[duel.ruleset].under(duel.options)


def ruleset_label(duel: Duel) -> str:
    """Return the name of a duel's ruleset with its options, such as "Warlocks with ParaFC"."""
    name = engine.play.RULESETS[duel.ruleset].name
    titles = [option.title for option in selected_options(duel.options)]
    return f"{name} with {engine.words.and_list(titles)}" if titles else name


def initial_position(duel: Duel, seats: Sequence[Seat]) -> engine.play.Position:
    """Return the position before turn 1, with the wizards in order of seat."""
    duellists = [engine.play.Duellist(seat.wizard.name, seat.wizard.pronouns) for seat in seats]
    return engine.play.begin(duel.ruleset, duellists, setup=duel.setup, options=tuple(duel.options))


def position_at_start(turn: Turn) -> engine.play.Position:
    """Return the position in which this turn began, that is, the result of the previous turn."""
    return engine.play.load_position(turn.position)


def position_after_departures(
    turn: Turn, start: engine.play.Position | None = None
) -> engine.play.Position:
    """Return the position without wizards who left in this turn, from which the turn is played.

    `start` is the position in which the turn began, if the caller has loaded it.
    """
    position = position_at_start(turn) if start is None else start
    left = departures(turn, position)
    return left[-1].after if left else position


# The rule and the engine's function for each way to leave a duel. A turn has a column for each.
DEPARTURES: Final = {
    Outcome.REMOVED: ("turn:removal", engine.play.remove),
    Outcome.FORFEITED: ("turn:forfeit", engine.play.forfeit),
    Outcome.RESIGNED: ("turn:resign", engine.play.resign),
}


def departure_outcome(turn: Turn, wizard: str) -> Outcome | None:
    """Return the outcome of a wizard who left the duel in this turn, or None."""
    return next((each for each in DEPARTURES if wizard in getattr(turn, each)), None)


@dataclass(frozen=True)
class WizardDeparture:
    """A wizard's departure from the duel, with its rule, the resulting position and the events."""

    rule: str
    after: engine.play.Position
    events: tuple[engine.play.Event, ...]


def departures(turn: Turn, position: engine.play.Position) -> list[WizardDeparture]:
    """Return all departures in this turn, in order."""
    left: list[WizardDeparture] = []
    for wizard in turn.resigned:
        rule, leave = DEPARTURES[departure_outcome(turn, wizard) or Outcome.RESIGNED]
        position, events = leave(position, wizard)
        left.append(WizardDeparture(rule, position, events))
    return left


def load_stored_events(value: Any) -> tuple[engine.play.Event, ...]:
    """Return the events stored in a row, or () if the turn has not been played."""
    return () if value is None else engine.play.load_events(value)


def history(turns: Iterable[Turn], position: engine.play.Position) -> engine.play.History:
    """Return the history of these turns (oldest first), which led to this position."""
    return engine.play.History(
        turns=tuple(
            engine.play.Turn(turn.ordinal, position_at_start(turn), load_stored_events(turn.events))
            for turn in turns
        ),
        position=position,
    )


def dice(duel: Duel, orders: Iterable[Orders], *, roll_backs: int) -> engine.play.AnyDice:
    """Return the dice of a turn with these valid seals that was opened after this many rollbacks.

    The dice depend on the commitments of the sealed orders. These do not change after the reveal,
    even if wizards answer questions later. Draws that were fixed before the duel began override the
    dice.
    """
    seed = seeds.seed_after(duel, roll_backs)
    thrown = engine.play.Dice(bytes.fromhex(seed), links.order_commitments(orders))
    draws = links.draws_fixed_at_start(duel)
    return thrown if draws is None else engine.play.RecordedDice(draws, otherwise=thrown)


def recorded_dice(turns: Iterable[Turn]) -> engine.play.AnyDice:
    """Return dice that repeat the draws of finished turns. They do not need the seed."""
    events = (event for turn in turns for event in load_stored_events(turn.events))
    drawn = (event for event in events if isinstance(event, engine.play.Drew))
    return engine.play.RecordedDice({event.label: event.value for event in drawn})


def orders_as_text(position: engine.play.Position, wizard: str, fields: Mapping[str, str]) -> str:
    """Return the fields of an order sheet as text orders, or "" if they are not valid."""
    try:
        orders = engine.orders.from_fields(fields)
    except engine.play.InvalidData:
        return ""
    return engine.words.write_orders(orders, position, wizard)


@dataclass(frozen=True)
class DefaultOrders:
    """The orders, as text, that are played for a wizard who does not give any.

    Hands are called "left", "right" and "both". `undirected` lists the names of the wizard's
    monsters whose victims are chosen at random, so that no line names a victim.
    """

    lines: tuple[str, ...]
    has_monsters: bool  # whether any line names a monster's victim
    undirected: tuple[str, ...]


def default_orders_as_text(position: engine.play.Position, wizard: str) -> DefaultOrders:
    """Return this wizard's default orders, including each field's own default."""
    orders = engine.play.default_orders(position, wizard)
    fields = engine.orders.fields(orders)
    monsters: tuple[engine.play.MonsterSheet, ...] = ()
    # Without effects no hand is held or forced to summon, and without monsters no victim is needed.
    # In that case, do not build the sheet.
    if position.monsters or any(each.effects for each in position.wizards):
        sheet = engine.play.sheet(position, wizard, orders)
        monsters = sheet.monsters
        fields |= {row.field: row.default for row in sheet.held}
    directed = [row for row in monsters if row.default in row.options]
    for row in directed:
        fields |= {f"victim{n or ''}:{row.key}": row.default for n in (0, 2)[: row.attacks]}
    text = orders_as_text(position, wizard, fields)
    for hand, word in (("LH", "left"), ("RH", "right"), ("BH", "both")):
        text = re.sub(rf"(?m)^{hand}(2?) ", rf"{word}\1 ", text)
    undirected = tuple(row.name for row in monsters if row not in directed)
    return DefaultOrders(tuple(text.splitlines()), bool(directed), undirected)


def orders_from_text(position: engine.play.Position, wizard: str, text: str) -> dict[str, str]:
    """Parse text orders into the fields that they state. Raise `engine.words.UnreadableOrders`."""
    return engine.words.stated_fields(without_hidden_characters(text), position, wizard)


def cautions(
    position: engine.play.Position, wizard: str, orders: engine.orders.Orders
) -> tuple[engine.play.Caution, ...]:
    """Return warnings about legal orders that may be a mistake."""
    return _advice_or_none(engine.play.cautions, position, wizard, orders)


def form_cautions(
    position: engine.play.Position, wizard: str, fields: Mapping[str, str]
) -> tuple[engine.play.Caution, ...]:
    """Return warnings about legal orders in the fields of an order sheet.

    There is a warning about hands without a choice, but not about hands that do nothing on purpose.
    """
    found = cautions(position, wizard, engine.orders.from_fields(fields))
    found = tuple(each for each in found if each.code != "no_gesture")
    unchosen = _hands_without_choice(position, wizard, fields)
    if not unchosen:
        return found
    text = (
        f"You have not chosen a gesture for your {' or your '.join(unchosen)}. A hand without a"
        " gesture does nothing this turn, which breaks its sequences."
    )
    return (*found, engine.play.Caution("unchosen_hand", "gesture:nothing", text, "left"))


def _hands_without_choice(
    position: engine.play.Position, wizard: str, fields: Mapping[str, str]
) -> list[str]:
    """Return the names of hands that could make a gesture, but for which none is chosen."""
    if fields.get("left") and fields.get("right") and not position.wizard(wizard).effects:
        return []  # without haste there is no second set
    sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(fields))
    return [
        engine.words.with_set_name(engine.play.HAND_NAMES[hand.hand], part.number)
        for part in sheet.sets
        for hand in (part.left, part.right)
        if not hand.forced
        and hand.changeable != "maladroit"  # this hand copies the other one
        and not fields.get(engine.orders.SetField(hand.hand, part.number).text)
    ]


def orders_as_sentences(
    position: engine.play.Position, wizard: str, orders: engine.orders.Orders
) -> tuple[str, ...]:
    """Return sentences that explain what these orders do."""
    return _advice_or_none(engine.play.orders_text, position, wizard, orders)


def hints(
    position: engine.play.Position, wizard: str, orders: engine.orders.Orders
) -> tuple[engine.play.HandHint, ...]:
    """Return hints on the spells that each hand's gestures lead to."""
    return _advice_or_none(engine.play.hints, position, wizard, orders)


def hints_for_free_hand(
    position: engine.play.Position, wizard: str
) -> tuple[engine.play.HandHint, ...]:
    """Return hints on each gesture that a hand can make if the other hand makes none."""
    return _advice_or_none(_hints_for_free_hand, position, wizard, engine.orders.NO_ORDERS)


def _hints_for_free_hand(
    position: engine.play.Position, wizard: str, orders: engine.orders.Orders
) -> tuple[engine.play.HandHint, ...]:
    sheet = engine.play.sheet(position, wizard, orders)
    open_to = {
        (part.number, hand.hand): {option.letter for option in hand.gestures if option.allowed}
        for part in sheet.sets
        for hand in (part.left, part.right)
    }
    return tuple(
        replace(hint, gestures=tuple(each for each in hint.gestures if each.letter in letters))
        for hint in engine.play.hints(position, wizard, orders)
        for letters in [open_to[hint.set, hint.hand]]
    )


def _advice_or_none(
    get_advice: Callable[[engine.play.Position, str, engine.orders.Orders], tuple[Advice, ...]],
    position: engine.play.Position,
    wizard: str,
    orders: engine.orders.Orders,
) -> tuple[Advice, ...]:
    """Return advice. If this fails, log the error and return (), because orders do not need it."""
    try:
        return get_advice(position, wizard, orders)
    except Exception as error:
        logger.error("Advice failed in turn %s: %s", position.turn, error_summary(error))
        return ()


def warning_key(caution: engine.play.Caution) -> str:
    """Return the key that marks this caution as read, so that the player sees it only once."""
    return f"{caution.code}@{caution.field}"


def question_to_store(
    position: engine.play.Position,
    question: engine.play.Question,
    created_beings: Mapping[str, str],
) -> dict[str, Any]:
    """Return a question in the form stored in its turn, with its text and its options' texts."""
    created_beings = {
        id: created_beings[id] for id in (question.about, *question.options) if id in created_beings
    }
    view = engine.play.view(engine.play.History((), position), question.wizard)
    view = replace(view, names={**view.names, **created_beings})
    return asdict(question) | {
        "text": engine.words.question_text(view, question),
        "words": [engine.words.option_text(view, question, option) for option in question.options],
        "made": created_beings,
    }


def load_stored_question(stored: Mapping[str, Any]) -> engine.play.Question:
    """Return a question that is stored in a turn."""
    values = {field.name: stored[field.name] for field in fields(engine.play.Question)}
    values |= {"options": tuple(stored["options"]), "labels": tuple(stored["labels"])}
    return engine.play.Question(**values)


def questions_to(turn: Turn, wizard: str) -> tuple[engine.play.Question, ...]:
    """Return the questions for this wizard in the turn's open batch."""
    kept = [load_stored_question(question) for question in turn.questions]
    return tuple(question for question in kept if question.wizard == wizard)


def with_renamed_wizard(
    position: engine.play.Position, wizard: str, name: str, pronouns: str
) -> engine.play.Position:
    """Return a copy of the position in which one wizard has another name."""
    copy = position.copy()
    duellist = copy.wizard(wizard)
    duellist.name = name
    duellist.pronouns = pronouns
    return copy


def without_speech_of(
    report: engine.words.TurnReport, wizards: set[str]
) -> engine.words.TurnReport:
    """Return the report without the lines in which these wizards speak."""
    kept = tuple(
        line for line in report.lines if line.code != "spoke" or line.wizard not in wizards
    )
    return replace(report, lines=kept)
