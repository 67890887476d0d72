"""An open turn as one value, with its row, its seats and its seals.

The position and each seal are decoded only once, when they are first used. All code that works on
the turn shares this value. Code that changes the turn's row or its seals must make a new value.
`duels.loaded.loading` loads a turn with one statement.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import engine.orders
import engine.play
import engine.proof
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.models import Draft, Duel, Orders, Seat, Stage, Turn, TurnKind, Wizard, seat_of
from duels.sealing import seals, seeds
from duels.sealing.seals import Seal
from engine.play import Drew, Gestured, KnifeKept, MindsClashed, Overridden, Spoke, Summoned

# Types of events that all observers see while a turn waits for answers.
EVENTS_OF_REVEAL = (Drew, Gestured, KnifeKept, MindsClashed, Overridden, Spoke)


def hides_questions(kind: str) -> bool:
    """Return whether questions in a turn of this kind are hidden from wizards who are not asked.

    A question in an extra turn would reveal that a spell took effect. Other wizards therefore see a
    turn that still waits for orders. rules: R121, R162
    """
    return kind == TurnKind.EXTRA


@dataclass(frozen=True)
class OpenTurn:
    """A turn with all its seals so far."""

    row: Turn  # the turn's row, with its duel
    seats: tuple[Seat, ...]  # the duel's seats with wizards, in order of place
    seals: tuple[Orders, ...] = ()  # seals of all stages that are not superseded
    all_seals: tuple[Orders, ...] = ()  # includes superseded seals, except on pages
    answered: frozenset[str] = frozenset()  # wizards who have sealed answers
    draft: Draft | None = None  # one wizard's draft, if it was loaded
    chain_before: str = ""  # hash of the previous turn; "" before the first turn
    locked_at: datetime | None = None  # time of the lock, or None without a lock
    _opened: dict[int, Seal] = field(default_factory=dict, repr=False, compare=False)

    @property
    def duel(self) -> Duel:
        return self.row.duel

    def seat_of(self, wizard: Wizard | None) -> Seat | None:
        """Return this wizard's seat, or None if they are not in the duel."""
        return seat_of(self.seats, wizard)

    @property
    def awaited(self) -> frozenset[str]:
        """The wizards who still have to act."""
        return frozenset(seat.code for seat in self.seats if seat.awaited)

    def seal_of(self, seat: Seat, stage: Stage, batch: int = 0) -> Orders | None:
        """Return this seat's valid seal for a stage and batch, or None."""
        wanted = (seat.pk, stage, batch)
        found = (each for each in self.seals if (each.seat_id, each.stage, each.batch) == wanted)
        return next(found, None)

    def seal_count(self, seat: Seat, batch: int) -> int:
        """Return the number of this seat's seals in this batch of the turn's current stage."""
        place = (seat.pk, self.row.stage, batch)
        return sum((seal.seat_id, seal.stage, seal.batch) == place for seal in self.all_seals)

    def new_seal(self, seat: Seat, fields: Mapping[str, str], chance: str, batch: int) -> Seal:
        """Return a new seal of this seat. Raise `MissingKey` if the seed cannot be decrypted."""
        row = self.row
        return seals.new_seal(
            fields,
            place=engine.proof.place_value(
                duel=row.duel_id,
                ordinal=row.ordinal,
                wizard=seat.code,
                stage=row.stage,
                batch=batch,
                roll_backs=row.roll_backs,
            ),
            seed=seeds.seed_after(self.duel, row.roll_backs),
            earlier_seals=self.seal_count(seat, batch),
            chance=chance,
        )

    @cached_property
    def current_seals(self) -> dict[int, Orders]:
        """The valid seals for the turn's current stage by the seat's key, including withdrawn
        seals."""
        stage, batch = self.row.stage, self.row.batch
        return {
            seal.seat_id: seal for seal in self.seals if seal.stage == stage and seal.batch == batch
        }

    def decrypted_seal(self, seal: Orders) -> Seal:
        """Return the contents of this seal. Raise `MissingKey` if no key decrypts it."""
        if seal.pk not in self._opened:
            self._opened[seal.pk] = seals.decrypt_seal(seal.body)
        return self._opened[seal.pk]

    def sealed_fields(self, seal: Orders) -> dict[str, str]:
        """Return the orders or answers in this seal. Raise `MissingKey` if no key decrypts it."""
        return self.decrypted_seal(seal).orders

    def is_lost(self, seal: Orders) -> bool:
        """Return whether this seal can no longer be decrypted."""
        try:
            self.sealed_fields(seal)
        except MissingKey:
            return True
        return False

    def seal_contains(self, seal: Orders, fields: Mapping[str, str]) -> bool:
        """Return whether the seal can be decrypted and contains exactly these fields."""
        return not self.is_lost(seal) and self.sealed_fields(seal) == fields

    def is_asked(self, seat: Seat) -> bool:
        """Return whether the turn has asked this seat's wizard any question so far."""
        asked = {question["wizard"] for question in self.row.questions}
        return seat.code in asked or seat.code in self.answered

    def as_known_to(self, seat: Seat | None) -> "OpenTurn":
        """Return the turn as known to this seat's wizard, or to a spectator if `seat` is None."""
        if self.row.stage != Stage.ANSWERS or not hides_questions(self.row.kind):
            return self
        if seat is not None and self.is_asked(seat):
            return self
        known = copy(self.row)
        known.stage, known.batch, known.questions = Stage.ORDERS, 0, []
        return replace(self, row=known)

    def with_own_seals_only(self, seat: Seat | None) -> "OpenTurn":
        """Return the turn without other wizards' seals, which is safe for queries to return."""
        mine = seat.code if seat else ""
        own = tuple(seal for seal in self.seals if seal.seat.code == mine)
        answered = self.answered & {mine}
        return replace(self, seals=own, all_seals=(), answered=answered, _opened={})

    def faults_of_seal(self, seal: Orders) -> tuple[engine.play.Fault, ...]:
        """Return the faults that these sealed orders have in the current position."""
        orders = engine.orders.from_fields(self.sealed_fields(seal))
        return engine.play.check(self.position, seal.seat.code, orders)

    # ---- calls to the engine

    @cached_property
    def start(self) -> engine.play.Position:
        """The position at the start of the turn, before any departures in it."""
        return adjudication.position_at_start(self.row)

    @cached_property
    def position(self) -> engine.play.Position:
        """The position from which the turn is played, without wizards who left in this turn."""
        return adjudication.position_after_departures(self.row, self.start)

    @cached_property
    def orders(self) -> dict[str, engine.orders.Orders]:
        """The sealed orders of all wizards who act, except wizards who have left in this turn."""
        sealed = {seal.seat.code: seal for seal in self.seals if seal.stage == Stage.ORDERS}
        return {
            wizard: engine.orders.from_fields(self.sealed_fields(sealed[wizard]))
            for wizard in engine.play.acting_wizards(self.position)
            if wizard in sealed
        }

    def answers(self, *, before_batch: int | None = None) -> dict[str, str]:
        """Return the answers so far by question, or only the answers before a batch."""
        given: dict[str, str] = {}
        for seal in sorted(self.seals, key=lambda seal: seal.batch):
            if seal.stage != Stage.ANSWERS:
                continue
            if before_batch is None or seal.batch < before_batch:
                given.update(self.sealed_fields(seal))
        return given

    @cached_property
    def dice(self) -> engine.play.AnyDice:
        """The dice of this turn, which depend on its seals."""
        return adjudication.dice(self.duel, self.seals, roll_backs=self.row.roll_backs)

    def questions_of(self, batch: int) -> tuple[engine.play.Question, ...]:
        """Return the questions of this batch, which is either open or answered."""
        if batch == self.row.batch:
            return tuple(map(adjudication.load_stored_question, self.row.questions))
        given = self.answers(before_batch=batch)
        return engine.play.questions(self.position, self.orders, given, self.dice)

    def open_questions(self) -> tuple[engine.play.Question, ...]:
        """Return the questions that are still open, or () if the turn can be played."""
        return engine.play.questions(self.position, self.orders, self.answers(), self.dice)

    def events_before_batch(self, before_batch: int) -> tuple[engine.play.Event, ...]:
        """Return the events before this batch of questions, whose answers are still sealed."""
        given = self.answers(before_batch=before_batch)
        return engine.play.events_before_answers(self.position, self.orders, given, self.dice)

    def questions_to_store(self, questions: Iterable[engine.play.Question]) -> list[dict[str, Any]]:
        """Return a batch of questions as stored, with the names of monsters created before it."""
        events = self.events_before_batch(before_batch=self.row.batch + 1)
        made = {event.monster: event.name for event in events if isinstance(event, Summoned)}
        return [
            adjudication.question_to_store(self.position, question, made) for question in questions
        ]

    def history_with_reveal(self, history: engine.play.History) -> engine.play.History:
        """Return the history with the reveal of this turn, which waits for answers.

        The reveal shows gestures and messages. The effects of spells are not decided until all
        wizards have answered.
        """
        try:
            events = self.events_before_batch(before_batch=self.row.batch)
        except MissingKey:  # the turn cannot be played without the key
            events = ()
        shown = tuple(event for event in events if isinstance(event, EVENTS_OF_REVEAL))
        known = (*adjudication.load_stored_events(self.row.events), *shown)
        before = tuple(each for each in history.turns if each.ordinal != self.row.ordinal)
        revealed = engine.play.Turn(self.row.ordinal, self.position, known)
        return engine.play.History((*before, revealed), history.position, is_open=True)

    def resolve(self) -> tuple[engine.play.Position, tuple[engine.play.Event, ...]]:
        """Play the turn. Return the position after it and its new events."""
        return engine.play.resolve(self.position, self.orders, self.answers(), self.dice)

    @cached_property
    def needed_wizards(self) -> tuple[str, ...]:
        """The wizards whose seals the current stage needs, including those who have sealed."""
        if self.row.stage == Stage.ORDERS:
            return engine.play.deciding_wizards(self.position)
        return tuple(dict.fromkeys(question["wizard"] for question in self.row.questions))

    @property
    def unsealed_wizards(self) -> tuple[str, ...]:
        """The wizards whose seals are needed but missing or withdrawn."""
        sealed = {seal.seat.code for seal in self.current_seals.values() if seal.is_sealed}
        return tuple(wizard for wizard in self.needed_wizards if wizard not in sealed)
