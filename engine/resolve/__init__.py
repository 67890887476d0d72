"""Playing one turn. Reading `PHASES` is reading the order of play; each phase is one function.

rules: turn:orders to turn:clock in RULES.md
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from engine.check import Fault, check
from engine.dice import AnyDice
from engine.events import Event, Forfeited, Resigned, WizardRemoved, Won
from engine.orders import Orders
from engine.position import FORFEITED, REMOVED, RESIGNED, STANDING, Position
from engine.questions import OpenQuestions, Question
from engine.resolve.close import (
    bind_minds,
    break_sequences,
    bury,
    leave,
    retire,
    settle_actions,
    settle_winner,
    tally,
    turn_the_page,
)
from engine.resolve.complete import complete_spells
from engine.resolve.enchant import ask, enchant
from engine.resolve.guard import dispel_all, raise_guards
from engine.resolve.heat import heat_and_cold
from engine.resolve.land import land_casts, remove_and_cure, settle_minds
from engine.resolve.markers import markers_moved, move_markers
from engine.resolve.reveal import reveal_gestures
from engine.resolve.stepwise import ASKING as STEPWISE_ASKING
from engine.resolve.stepwise import PARTS as STEPWISE_PARTS
from engine.resolve.stepwise import PHASES as STEPWISE_PHASES
from engine.resolve.stepwise.table import StepwiseTable
from engine.resolve.strike import strike
from engine.resolve.summon import summon_monsters
from engine.resolve.table import Table
from engine.rulesets.choices import SEALED, STEPWISE

Phase = Callable[[Table], None]
Sink = Callable[[Event], object]

MAGIC: Final[tuple[Phase, ...]] = (
    dispel_all,  # rules: spell:dispel_magic
    raise_guards,  # rules: turn:guards
    summon_monsters,  # rules: turn:summons
    land_casts,  # rules: turn:landing
    remove_and_cure,  # rules: turn:landing
    settle_minds,  # rules: turn:minds
    enchant,  # rules: turn:enchantments
    ask,  # rules: turn:answers
)


def magic_phases(table: Table) -> Iterator[Phase]:
    """The phases of what was cast, each when the one before it is done; a dispel magic leaves
    nothing to work."""
    if table.casts:
        for phase in MAGIC:
            if table.dispelled:
                return
            yield phase


def work_magic(table: Table) -> None:
    """What was cast works or fails."""
    for phase in magic_phases(table):
        phase(table)


def bind_next_turn(table: Table) -> None:
    """What was cast and worked has its hold on the turns to come."""
    if table.casts:
        break_sequences(table)
        bind_minds(table)
    if table.rules.acts_before_turns and not table.extra:
        settle_actions(table)


PHASES: Final[tuple[Phase, ...]] = (
    reveal_gestures,  # rules: turn:reveal
    complete_spells,  # rules: turn:casting
    work_magic,  # rules: turn:guards to turn:answers
    heat_and_cold,  # rules: turn:heat_and_cold
    strike,  # rules: turn:damage   everything strikes at once
    tally,  # rules: turn:damage
    bury,  # rules: turn:deaths
    settle_winner,  # rules: turn:winner
    move_markers,  # rules: R114
    bind_next_turn,  # rules: spell:anti_spell, turn:minds
    turn_the_page,  # rules: turn:clock
)
BEFORE_ANSWERS: Final = PHASES[: PHASES.index(work_magic) + 1]


AnyTable = TypeVar("AnyTable", Table, StepwiseTable)
PhaseOf = Callable[[AnyTable], None]


@dataclass(frozen=True, slots=True)
class OrderOfPlay(Generic[AnyTable]):
    """An order of play: its table, its phases, those that may ask, whether any needs to, and of
    what the phases consist that have parts."""

    table: type[AnyTable]
    phases: tuple[PhaseOf[AnyTable], ...]
    asking: tuple[PhaseOf[AnyTable], ...]
    may_ask: Callable[[Position, Mapping[str, Orders]], bool]
    parts: Mapping[PhaseOf[AnyTable], Callable[[AnyTable], Iterable[PhaseOf[AnyTable]]]]

    def resolve(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: Sink | None,
    ) -> Position:
        """The position after the phases have been played."""
        table = self.table(position, orders, answers, dice, emit)
        for phase in self.phases:
            phase(table)
        return table.position

    def one_by_one(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: Sink,
    ) -> Iterator[tuple[str, Position]]:
        """Every phase by name, the smallest parts, each as soon as it has been played; with the
        position as it stands then, which the next one changes."""
        table = self.table(position, orders, answers, dice, emit)
        for phase in self.phases:
            parts = self.parts.get(phase)
            for part in parts(table) if parts else (phase,):
                part(table)
                yield part.__name__, table.position

    def ask(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: Sink | None = None,
    ) -> tuple[Question, ...]:
        """The first batch of questions that the phases leave open; `emit` hears what led there."""
        table = self.table(position, orders, answers, dice, emit, asking=True)
        try:
            for phase in self.asking:
                phase(table)
        except OpenQuestions as found:
            return found.questions
        return ()


class IllegalOrders(ValueError):
    """Orders that break a rule; `faults` says which, whose, and where."""

    def __init__(self, faults: Mapping[str, Sequence[Fault]]) -> None:
        self.faults = dict(faults)
        wizard, first = next(iter(self.faults.items()))
        super().__init__(f"{wizard}: {first[0].field}: {first[0].text} ({first[0].rule})")


def drop_events(event: Event) -> None:
    """The sink that keeps nothing: searches resolve faster when no event is made."""


def resolve(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
    *,
    sink: Sink | None = None,
) -> tuple[Position, tuple[Event, ...]]:
    """Play one turn: the same arguments always give the same result.

    Missing orders are both hands doing nothing, missing answers the questions' defaults. With a
    `sink` events go there and none are returned; `drop_events` makes none at all.
    Raises IllegalOrders, and ValueError when the duel is over.
    """
    verify(position, orders)
    events: list[Event] = []
    emit = events.append if sink is None else None if sink is drop_events else sink
    play = ORDERS_OF_PLAY[position.rules.order_of_play]
    return play.resolve(position, orders, answers, dice, emit), tuple(events)


def verify(position: Position, orders: Mapping[str, Orders]) -> None:
    """Raises IllegalOrders unless every wizard's orders are legal here."""
    if position.outcome:
        raise ValueError("the duel is over")
    for wizard, own in orders.items():
        faults = check(position, wizard, own)
        if faults:
            raise IllegalOrders({wizard: faults})


def questions(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
) -> tuple[Question, ...]:
    """The next batch of decisions still open after the reveal; empty when the turn can resolve.

    Takes orders that `check` found legal. rules: turn:answers
    """
    play = ORDERS_OF_PLAY[position.rules.order_of_play]
    if not play.may_ask(position, orders):
        return ()
    return play.ask(position, orders, answers, dice)


def events_before_answers(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
) -> tuple[Event, ...]:
    """What has happened in a turn that waits for answers, up to its open questions.

    `answers` are those of the batches that are closed. Nothing has happened for anybody while a
    charmed hand waits for its gesture: it is chosen before rows are seen. rules: turn:answers, R86
    """
    events: list[Event] = []
    play = ORDERS_OF_PLAY[position.rules.order_of_play]
    asked = play.ask(position, orders, answers, dice, events.append)
    return () if any(question.precedes_reveal for question in asked) else tuple(events)


def _may_ask(position: Position, orders: Mapping[str, Orders]) -> bool:
    """Whether any hand is one gesture away from a spell that asks something, or might be."""
    asks = position.rules.asks
    for wizard in position.wizards:
        if asks[wizard.left_state] or asks[wizard.right_state]:
            return True
        if wizard.bank or "haste" in wizard.effects:
            return True
    return False


def _always(position: Position, orders: Mapping[str, Orders]) -> bool:
    return True


ORDERS_OF_PLAY: Final[Mapping[str, OrderOfPlay[Table] | OrderOfPlay[StepwiseTable]]] = {
    SEALED: OrderOfPlay(Table, PHASES, BEFORE_ANSWERS, _may_ask, {work_magic: magic_phases}),
    STEPWISE: OrderOfPlay(StepwiseTable, STEPWISE_PHASES, STEPWISE_ASKING, _always, STEPWISE_PARTS),
}
"""The orders of play that a ruleset can name."""


def resign(position: Position, wizard: str) -> tuple[Position, tuple[Event, ...]]:
    """The wizard is out at once and casts nothing; the last one standing has won.

    Raises ValueError if they are not in the duel. rules: turn:resign
    """
    return _leave(position, wizard, RESIGNED, Resigned(wizard))


def forfeit(position: Position, wizard: str) -> tuple[Position, tuple[Event, ...]]:
    """The wizard's time has run out: out of the duel as by resigning, and told apart from it.

    Raises ValueError if they are not in the duel. rules: turn:forfeit
    """
    return _leave(position, wizard, FORFEITED, Forfeited(wizard))


def remove(position: Position, wizard: str) -> tuple[Position, tuple[Event, ...]]:
    """A referee has put the wizard out of the duel: as by resigning, and told apart from it.

    Raises ValueError if they are not in the duel. rules: turn:removal
    """
    return _leave(position, wizard, REMOVED, WizardRemoved(wizard))


def _leave(
    position: Position, wizard: str, standing_after: str, event: Event
) -> tuple[Position, tuple[Event, ...]]:
    if position.outcome or position.wizard(wizard).standing != STANDING:
        raise ValueError(f"{wizard} is not in the duel")
    new = position.copy()
    events: list[Event] = [event]
    leaver = new.wizard(wizard)
    leave(new, leaver, standing_after)
    retire(new, leaver, events.append)
    standing = new.standing()
    if len(standing) == 1:
        new.outcome = standing[0].id
        events += (Won(new.outcome), *markers_moved(new, new.outcome))
    return new, tuple(events)
