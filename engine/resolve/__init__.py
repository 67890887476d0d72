"""Resolution of one turn. `PHASES` lists the phases in order of play; each is one function.

rules: turn:orders to turn:clock in RULES.md
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, TypeVar

from engine.dice import AnyDice
from engine.events import Event, Forfeited, Resigned, WizardRemoved, Won
from engine.ids import SEATS
from engine.legality.casting import default_choice
from engine.legality.check import Fault, check
from engine.legality.hand_constraints import has_free_hands
from engine.orders import EMPTY_SET, NO_ORDERS, Orders
from engine.positions.position import (
    FORFEITED,
    NORMAL,
    REMOVED,
    RESIGNED,
    STANDING,
    STRICT,
    Position,
    Wizard,
)
from engine.questions import OpenQuestions, Question
from engine.resolve import close, stepwise
from engine.resolve.complete import complete_spells
from engine.resolve.enchant import apply_enchantments, ask_questions
from engine.resolve.guard import dispel_magic, raise_guards
from engine.resolve.heat import settle_heat_and_cold
from engine.resolve.land import (
    cancel_conflicting_mind_spells,
    land_casts,
    raise_corpses,
    remove_and_cure,
)
from engine.resolve.markers import marker_events, move_markers
from engine.resolve.numbered import attacks, minds, turns
from engine.resolve.reveal import reveal_gestures
from engine.resolve.stepwise.table import StepwiseTable
from engine.resolve.strike import deal_damage
from engine.resolve.summon import merge_elementals, summon_monsters
from engine.resolve.table import Table
from engine.rulesets.choices import NUMBERED, SEALED, STEPWISE
from engine.rulesets.ruleset import Ruleset
from engine.spellbook import STOPPING_GUARDS, CasterDecision, RemovalEffect, Spell, SpellClass

Phase = Callable[[Table], None]
EventSink = Callable[[Event], object]

SEALED_MAGIC_PHASES: Final[tuple[Phase, ...]] = (
    dispel_magic,  # rules: spell:dispel_magic   if there is one, nothing else works
    merge_elementals,  # rules: R153
    raise_guards,  # rules: turn:guards
    summon_monsters,  # rules: turn:summons
    raise_corpses,  # rules: turn:landing
    land_casts,  # rules: turn:landing
    remove_and_cure,  # rules: turn:landing
    cancel_conflicting_mind_spells,  # rules: turn:minds
    apply_enchantments,  # rules: turn:enchantments
    ask_questions,  # rules: turn:answers
)
NUMBERED_MAGIC_PHASES: Final[tuple[Phase, ...]] = (
    dispel_magic,  # rules: spell:dispel_magic
    raise_guards,  # rules: turn:guards
    turns.keep_mirrors_in_hasted_turn,  # rules: W11
    summon_monsters,  # rules: turn:summons
    raise_corpses,  # rules: turn:landing
    land_casts,  # rules: turn:landing
    remove_and_cure,  # rules: turn:landing
    cancel_conflicting_mind_spells,  # rules: turn:minds, W14
    minds.cancel_by_older_mind_spells,  # rules: W17, W26
    apply_enchantments,  # rules: turn:enchantments
    ask_questions,  # rules: turn:answers
)
SPELLS_THAT_NEED_PHASE: Final[Mapping[Phase, Callable[[Spell], bool]]] = {
    dispel_magic: lambda spell: spell.unmakes is RemovalEffect.MAGIC,
    raise_guards: lambda spell: spell.guard in STOPPING_GUARDS,
    summon_monsters: lambda spell: bool(spell.monster),
    raise_corpses: lambda spell: spell.raises,
    remove_and_cure: lambda spell: spell.class_ is SpellClass.PROTECTION and not spell.is_shield,
    cancel_conflicting_mind_spells: lambda spell: spell.mind,
    minds.cancel_by_older_mind_spells: lambda spell: spell.mind,
    apply_enchantments: lambda spell: spell.is_enchantment or spell.is_shield,
    ask_questions: lambda spell: spell.asks is not CasterDecision.NOTHING,
}
"""The spells for which a phase of magic is played; phases not listed are played for all spells."""


@lru_cache(maxsize=2**12)
def needed_phases(phases: tuple[Phase, ...], spells: tuple[Spell, ...]) -> tuple[Phase, ...]:
    """Return the phases that have something to do if these spells are cast."""
    return tuple(
        phase
        for phase in phases
        if phase not in SPELLS_THAT_NEED_PHASE or any(map(SPELLS_THAT_NEED_PHASE[phase], spells))
    )


def cast_spells(table: Table) -> None:
    """Play the phases of magic that this turn's casts need."""
    if table.casts:
        play_magic(table, SEALED_MAGIC_PHASES)


def cast_numbered_spells(table: Table) -> None:
    """Play the phases of magic that this turn's casts need, with numbered extra turns."""
    if table.casts:
        play_magic(table, NUMBERED_MAGIC_PHASES)


def play_magic(table: Table, phases: tuple[Phase, ...]) -> None:
    """Play the phases that have something to do for this turn's casts."""
    spells: tuple[Spell, ...] = ()
    for cast in table.casts:
        spells += (cast.spell,)
    for phase in needed_phases(phases, spells):
        phase(table)


def apply_to_later_turns(table: Table) -> None:
    """Apply this turn's successful spells to later turns."""
    if table.broken:
        close.break_sequences(table)
    if table.mind_casts:
        close.apply_minds_to_next_turn(table)
    if table.rules.acts_before_turns and not table.extra:
        close.apply_extra_action_spells(table)
    if table.rules.bank_keeps_subject:
        close.replace_future_bank_subjects(table)


def apply_to_later_numbered_turns(table: Table) -> None:
    """Apply this turn's successful spells to later turns, including extra turns."""
    if table.broken:
        close.break_sequences(table)
    if table.mind_casts:
        minds.apply_minds_to_next_turn(table)
    if table.rules.bank_keeps_subject:
        close.replace_future_bank_subjects(table)


PHASES: Final[tuple[Phase, ...]] = (
    reveal_gestures,  # rules: turn:reveal
    complete_spells,  # rules: turn:casting
    cast_spells,  # rules: turn:guards to turn:answers
    settle_heat_and_cold,  # rules: turn:heat_and_cold
    deal_damage,  # rules: turn:damage   all damage happens at once
    close.settle_damage,  # rules: turn:damage
    close.apply_deaths,  # rules: turn:deaths
    close.settle_winner,  # rules: turn:winner
    move_markers,  # rules: R114
    apply_to_later_turns,  # rules: spell:anti_spell, turn:minds
    close.begin_next_turn,  # rules: turn:clock
)
NUMBERED_PHASES: Final[tuple[Phase, ...]] = (
    reveal_gestures,  # rules: turn:reveal
    complete_spells,  # rules: turn:casting
    turns.keep_guards_in_hasted_turn,  # rules: W11
    cast_numbered_spells,  # rules: turn:guards to turn:enchantments
    settle_heat_and_cold,  # rules: turn:heat_and_cold
    attacks.deal_damage_in_rounds,  # rules: turn:damage, W10, W40
    close.settle_damage,  # rules: turn:damage
    close.apply_deaths,  # rules: turn:deaths
    close.settle_winner,  # rules: turn:winner
    apply_to_later_numbered_turns,  # rules: spell:anti_spell, W16
    turns.begin_next_turn,  # rules: W8, W11
)
PHASES_BEFORE_ANSWERS: Final = PHASES[: PHASES.index(cast_spells) + 1]

AnyTable = TypeVar("AnyTable", Table, StepwiseTable)
PhaseOf = Callable[[AnyTable], None]


@dataclass(frozen=True, slots=True)
class OrderOfPlay(Generic[AnyTable]):
    """An order of play: its working table, its phases and how it asks questions.

    `asking` lists the phases that must be played to find questions, and `can_raise_questions`
    returns whether there can be any. `parts` splits phases that consist of smaller steps.
    """

    table: type[AnyTable]
    phases: tuple[PhaseOf[AnyTable], ...]
    asking: tuple[PhaseOf[AnyTable], ...]
    can_raise_questions: Callable[[Position, Mapping[str, Orders], Ruleset], bool]
    parts: Mapping[PhaseOf[AnyTable], Callable[[AnyTable], Iterable[PhaseOf[AnyTable]]]]

    def resolve(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: EventSink | None,
    ) -> Position:
        """Play all phases and return the position after them."""
        table = self.table(position, orders, answers, dice, emit)
        for phase in self.phases:
            phase(table)
        return table.position

    def iterate_phases(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: EventSink,
    ) -> Iterator[tuple[str, Position]]:
        """Play the phases one by one, split into their smallest parts.

        Yield each part's name as soon as it has been played, with the current position. The next
        part changes that same position.
        """
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
        emit: EventSink | None = None,
    ) -> tuple[Question, ...]:
        """Return the first batch of open questions. Earlier events go to `emit`."""
        table = self.table(position, orders, answers, dice, emit, True)
        try:
            for phase in self.asking:
                phase(table)
        except OpenQuestions as found:
            return found.questions
        return ()


class IllegalOrders(ValueError):
    """Orders that break a rule. `faults` lists the faults of each wizard."""

    def __init__(self, faults: Mapping[str, Sequence[Fault]]) -> None:
        self.faults = dict(faults)
        wizard, first = next(iter(self.faults.items()))
        super().__init__(f"{wizard}: {first[0].field}: {first[0].text} ({first[0].rule})")


def drop_events(event: Event) -> None:
    """Sink that ignores events, for searches: turns resolve faster if no events are made."""


def resolve(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
    *,
    sink: EventSink | None = None,
) -> tuple[Position, tuple[Event, ...]]:
    """Play one turn; the same arguments always give the same result.

    Missing orders mean that both hands do nothing; missing answers take the questions' defaults. If
    a `sink` is given, it receives the events, and none are returned. If it is `drop_events`, no
    events are made at all. Raises IllegalOrders, KeyError for orders of an unknown wizard, and
    ValueError if the duel is over.
    """
    require_legal_orders(position, orders)
    play = ORDERS_OF_PLAY[position.rules.order_of_play]
    if sink is not None:
        emit = None if sink is drop_events else sink
        return play.resolve(position, orders, answers, dice, emit), ()
    events: list[Event] = []
    return play.resolve(position, orders, answers, dice, events.append), tuple(events)


def require_legal_orders(position: Position, orders: Mapping[str, Orders]) -> None:
    """Raise IllegalOrders unless every wizard's orders are legal here.

    Raises KeyError for an unknown wizard, and ValueError if the duel is over.
    """
    if position.outcome:
        raise ValueError("the duel is over")
    wizards, seats = position.wizards, len(position.wizards)
    is_normal = position.kind == NORMAL
    for id, own in orders.items():
        if own.is_bare and is_normal and (seat := SEATS[id]) < seats:
            wizard = wizards[seat]
            free = not wizard.effects or has_free_hands(position.rules, wizard)
            if free and wizard.standing == STANDING:
                continue  # one legal set without choices
        faults = check(position, id, own)
        if faults:
            raise IllegalOrders({id: faults})


def questions(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
) -> tuple[Question, ...]:
    """Return the next batch of open decisions after the reveal; empty if the turn can resolve.

    The orders must be legal according to `check`. rules: turn:answers
    """
    rules = position.rules
    play = ORDERS_OF_PLAY[rules.order_of_play]
    if not play.can_raise_questions(position, orders, rules):
        return ()
    return play.ask(position, orders, answers, dice)


def events_before_answers(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
) -> tuple[Event, ...]:
    """Return the events that precede the open questions of a turn that waits for answers.

    `answers` are the answers to the batches that are already closed. There are no events while a
    charmed hand waits for its gesture, because that is chosen before the gestures are seen. rules:
    turn:answers, R86
    """
    events: list[Event] = []
    play = ORDERS_OF_PLAY[position.rules.order_of_play]
    asked = play.ask(position, orders, answers, dice, events.append)
    return () if any(question.precedes_reveal for question in asked) else tuple(events)


def _can_raise_questions(position: Position, orders: Mapping[str, Orders], rules: Ruleset) -> bool:
    """Return whether a spell that asks a question may be cast this turn."""
    asks = rules.asks
    for wizard in position.wizards:
        if wizard.effects and rules.hastening in wizard.effects:
            return True
        if wizard.bank and _can_release_asking_spell(rules, wizard, orders):
            return True
        is_near = asks[wizard.left_state] or asks[wizard.right_state]
        if is_near and _can_cast_asking_spell(rules, wizard, orders):
            return True
    return False


def _can_release_asking_spell(rules: Ruleset, wizard: Wizard, orders: Mapping[str, Orders]) -> bool:
    return wizard.bank in rules.spells_that_ask and orders.get(wizard.id, NO_ORDERS).release


def _can_complete_asking_spell(
    rules: Ruleset, wizard: Wizard, orders: Mapping[str, Orders]
) -> bool:
    """Return whether the wizard's next set may complete a spell that asks a question.

    If nothing can change the wizard's written set, only the spells of that set count.
    """
    asks, left, right = rules.asks, wizard.left_state, wizard.right_state
    if not asks[left] and not asks[right]:
        return False
    if wizard.effects and not has_free_hands(rules, wizard):
        return True
    own = orders.get(wizard.id)
    hands = own.sets[0] if own is not None and own.sets else EMPTY_SET
    move, asking_ends = rules.automaton.moves[hands.pair], rules.ends_that_ask
    return asking_ends[move.left[left]] or asking_ends[move.right[right]]


def _can_cast_asking_spell(rules: Ruleset, wizard: Wizard, orders: Mapping[str, Orders]) -> bool:
    """Return whether the wizard's next set may cast a spell that asks a question.

    If the set completes several spells, its choices or the defaults decide which ones are cast.
    """
    if not _can_complete_asking_spell(rules, wizard, orders):
        return False
    if wizard.used_bolt or not has_free_hands(rules, wizard):
        return True
    own = orders.get(wizard.id)
    hands = own.sets[0] if own is not None and own.sets else EMPTY_SET
    if hands.spells:
        return True
    move = rules.automaton.moves[hands.pair]
    left, right = move.left[wizard.left_state], move.right[wizard.right_state]
    return default_choice(rules, left, right).asks


def _can_raise_questions_stepwise(
    position: Position, orders: Mapping[str, Orders], rules: Ruleset
) -> bool:
    """Return whether there may be a question that orders and advance answers do not settle.

    It can be about a charmed gesture, a hand or an element. In a strict duel it can be any
    question.
    """
    if STRICT in position.options:
        return True
    asking = rules.spells_that_ask
    for wizard in position.wizards:
        if wizard.bank in asking or rules.charming in wizard.effects:
            return True
        if _can_complete_asking_spell(rules, wizard, orders):
            return True
    return any(pending.spell in asking for pending in position.pending)


ORDERS_OF_PLAY: Final[Mapping[str, OrderOfPlay[Table] | OrderOfPlay[StepwiseTable]]] = {
    SEALED: OrderOfPlay(
        Table,
        PHASES,
        PHASES_BEFORE_ANSWERS,
        _can_raise_questions,
        {cast_spells: lambda _: SEALED_MAGIC_PHASES},
    ),
    NUMBERED: OrderOfPlay(
        Table,
        NUMBERED_PHASES,
        (),
        lambda position, orders, rules: False,
        {cast_numbered_spells: lambda _: NUMBERED_MAGIC_PHASES},
    ),
    STEPWISE: OrderOfPlay(
        StepwiseTable,
        stepwise.PHASES,
        stepwise.PHASES_THAT_ASK,
        _can_raise_questions_stepwise,
        stepwise.STEPS_OF_PHASES,
    ),
}
"""The orders of play, by the name that a ruleset gives."""


def resign(position: Position, wizard: str) -> tuple[Position, tuple[Event, ...]]:
    """Take the wizard out of the duel at once, without casting. The last wizard left wins.

    Raises ValueError if they are not in the duel. rules: turn:resign
    """
    return _leave(position, wizard, RESIGNED, Resigned(wizard))


def forfeit(position: Position, wizard: str) -> tuple[Position, tuple[Event, ...]]:
    """Remove a wizard whose time has run out from the duel.

    This works like resigning, but is recorded as a forfeit. Raises ValueError if they are not in
    the duel. rules: turn:forfeit
    """
    return _leave(position, wizard, FORFEITED, Forfeited(wizard))


def remove(position: Position, wizard: str) -> tuple[Position, tuple[Event, ...]]:
    """Take the wizard out of the duel by a referee's decision.

    This works like resigning, but is recorded as a removal. Raises ValueError if they are not in
    the duel. rules: turn:removal
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
    close.leave_duel(new, leaver, standing_after)
    close.clear_wizard(new, leaver, events.append)
    standing = new.wizards_in_duel()
    if len(standing) == 1:
        new.outcome = standing[0].id
        events += (Won(new.outcome), *marker_events(new, new.outcome))
    return new, tuple(events)
