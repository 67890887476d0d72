"""A turn that is being played, as one value: its row, its seats, what is sealed in it.

The position is decoded once and each seal is decrypted once, when first asked for; whoever follows
the turn (resolving, asking, the order sheet, advice) is given this value. Who changes the turn's
row or what is sealed makes a new value. `duels.loading` loads it with one statement.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import engine
from duels import adjudication, seals
from duels.errors import KeyGone
from duels.models import Draft, Duel, Orders, Seat, Stage, Turn, TurnKind, Wizard
from duels.seals import Seal
from engine import Drew, Gestured, KnifeKept, MindsClashed, Overridden, Spoke, Summoned

# What everybody sees while a turn waits for answers.
REVEALED = (Drew, Gestured, KnifeKept, MindsClashed, Overridden, Spoke)


def hides_questions(kind: str) -> bool:
    """Whether only those who are asked something in a turn of this kind may know that it asks.

    That an extra turn asks shows that a spell works in it, which is hidden: for everybody else it
    waits for orders still. rules: R121, R162
    """
    return kind == TurnKind.EXTRA


@dataclass(frozen=True)
class OpenTurn:
    """A turn with all that is sealed in it so far."""

    row: Turn  # with its duel
    seats: tuple[Seat, ...]  # by place, each with its wizard
    seals: tuple[Orders, ...] = ()  # the live ones of every stage, by place and batch
    all_seals: tuple[Orders, ...] = ()  # superseded ones too, oldest first; on pages not all
    answered: frozenset[str] = frozenset()  # who has sealed an answer in it, in force or not
    draft: Draft | None = None  # of the one wizard whose draft was asked for
    chain_before: str = ""  # the hash of the turn before; "" before the first turn
    _opened: dict[int, Seal] = field(default_factory=dict, repr=False, compare=False)

    @property
    def duel(self) -> Duel:
        return self.row.duel

    def seat_of(self, wizard: Wizard | None) -> Seat | None:
        """The seat of this wizard; None for those who have none."""
        if wizard is None:
            return None
        return next((seat for seat in self.seats if seat.wizard_id == wizard.pk), None)

    @property
    def awaited(self) -> frozenset[str]:
        """The wizards for whom it waits now."""
        return frozenset(seat.code for seat in self.seats if seat.awaited)

    def seal_of(self, seat: Seat, stage: Stage, batch: int = 0) -> Orders | None:
        """The live seal of this seat for a stage and batch."""
        wanted = (seat.pk, stage, batch)
        found = (each for each in self.seals if (each.seat_id, each.stage, each.batch) == wanted)
        return next(found, None)

    def present_seal_of(self, seat: Seat) -> Orders | None:
        """The live seal of this seat for the turn's present stage."""
        return self.present_seals.get(seat.pk)

    def seals_made(self, seat: Seat) -> int:
        """Return how many seals this seat has made for the turn's present stage."""
        place = (seat.pk, self.row.stage, self.row.batch)
        return sum((seal.seat_id, seal.stage, seal.batch) == place for seal in self.all_seals)

    @cached_property
    def present_seals(self) -> dict[int, Orders]:
        """The seals of the turn's present stage by seat, those that are taken back among them."""
        stage, batch = self.row.stage, self.row.batch
        return {
            seal.seat_id: seal for seal in self.seals if seal.stage == stage and seal.batch == batch
        }

    def opened(self, seal: Orders) -> Seal:
        """What lies in this seal. Raises `KeyGone` where nobody can read it."""
        if seal.pk not in self._opened:
            self._opened[seal.pk] = seals.opened(seal.body)
        return self._opened[seal.pk]

    def fields_of(self, seal: Orders) -> dict[str, str]:
        """What was ordered or answered with this seal. Raises `KeyGone` likewise."""
        return self.opened(seal).orders

    def is_lost(self, seal: Orders) -> bool:
        """Whether nobody can read this seal any more: its key is gone."""
        try:
            self.fields_of(seal)
        except KeyGone:
            return True
        return False

    def says(self, seal: Orders, fields: Mapping[str, str]) -> bool:
        """Whether just this was handed in with the seal; of one that nobody can read, never."""
        return not self.is_lost(seal) and self.fields_of(seal) == fields

    def is_asked(self, seat: Seat) -> bool:
        """Whether the wizard of this seat has been asked something in the turn so far."""
        asked = {question["wizard"] for question in self.row.questions}
        return seat.code in asked or seat.code in self.answered

    def as_known_to(self, seat: Seat | None) -> "OpenTurn":
        """The turn at the stage that the wizard of this seat may know of; None: a spectator."""
        if self.row.stage != Stage.ANSWERS or not hides_questions(self.row.kind):
            return self
        if seat is not None and self.is_asked(seat):
            return self
        known = copy(self.row)
        known.stage, known.batch, known.questions = Stage.ORDERS, 0, []
        return replace(self, row=known)

    def with_own_seals_only(self, seat: Seat | None) -> "OpenTurn":
        """The turn with nothing that another wizard has sealed: what may leave a query."""
        mine = seat.code if seat else ""
        own = tuple(seal for seal in self.seals if seal.seat.code == mine)
        answered = self.answered & {mine}
        return replace(self, seals=own, all_seals=(), answered=answered, _opened={})

    def faults_of(self, seal: Orders) -> tuple[engine.Fault, ...]:
        """What would keep these orders, which lie sealed, from being sealed now."""
        orders = engine.from_fields(self.fields_of(seal))
        return engine.check(self.position, seal.seat.code, orders)

    # ---- what the engine is asked of it

    @cached_property
    def start(self) -> engine.Position:
        """What the turn before has led to."""
        return adjudication.start_of(self.row)

    @cached_property
    def position(self) -> engine.Position:
        """What the turn is played from: without those who have resigned in it."""
        return adjudication.without_who_left(self.row, self.start)

    @cached_property
    def orders(self) -> dict[str, engine.Orders]:
        """The orders of those who act; who has resigned since casts nothing."""
        sealed = {seal.seat.code: seal for seal in self.seals if seal.stage == Stage.ORDERS}
        return {
            wizard: engine.from_fields(self.fields_of(sealed[wizard]))
            for wizard in engine.acting(self.position)
            if wizard in sealed
        }

    def answers(self, *, before_batch: int | None = None) -> dict[str, str]:
        """All answers given in the turn so far by question; or only those of earlier batches."""
        given: dict[str, str] = {}
        for seal in sorted(self.seals, key=lambda seal: seal.batch):
            if seal.stage != Stage.ANSWERS:
                continue
            if before_batch is None or seal.batch < before_batch:
                given.update(self.fields_of(seal))
        return given

    @cached_property
    def dice(self) -> engine.AnyDice:
        """The dice of this turn; they depend on what is sealed."""
        return adjudication.dice(self.duel, self.seals, roll_backs=self.row.roll_backs)

    def open_questions(self) -> tuple[engine.Question, ...]:
        """The questions that what is sealed leaves open; none when the turn can be played."""
        return engine.questions(self.position, self.orders, self.answers(), self.dice)

    def settled(self, before_batch: int) -> tuple[engine.Event, ...]:
        """What has happened until this batch of questions.

        What anybody has answered of that batch shows in nothing: it is as sealed as orders are.
        """
        given = self.answers(before_batch=before_batch)
        return engine.events_before_answers(self.position, self.orders, given, self.dice)

    def worded_questions(self, questions: Iterable[engine.Question]) -> list[dict[str, Any]]:
        """The next batch of questions as the turn's row keeps it, put in words.

        Monsters that the turn has just made go by the names that they got.
        """
        events = self.settled(before_batch=self.row.batch + 1)
        made = {event.monster: event.name for event in events if isinstance(event, Summoned)}
        return [
            adjudication.dumped_question(self.position, question, made) for question in questions
        ]

    def with_reveal(self, history: engine.History) -> engine.History:
        """The history, and of this turn, which waits for answers, what its reveal has shown:
        gestures and words. What its spells do is open until the answers are in."""
        try:
            events = self.settled(before_batch=self.row.batch)
        except KeyGone:  # then the turn stands, and there is nothing to show of it
            events = ()
        shown = tuple(event for event in events if isinstance(event, REVEALED))
        known = (*adjudication.loaded_events(self.row.events), *shown)
        before = tuple(each for each in history.turns if each.ordinal != self.row.ordinal)
        revealed = engine.Turn(self.row.ordinal, self.position, known)
        return engine.History((*before, revealed), history.position, is_open=True)

    def resolved(self) -> tuple[engine.Position, tuple[engine.Event, ...]]:
        """What the turn leads to, and what happens in it beside what has happened already."""
        return engine.resolve(self.position, self.orders, self.answers(), self.dice)

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The wizards whose seals the present stage needs, sealed already or not."""
        if self.row.stage == Stage.ORDERS:
            return engine.awaited(self.position)
        return tuple(dict.fromkeys(question["wizard"] for question in self.row.questions))

    @property
    def unsealed(self) -> tuple[str, ...]:
        """Those of the needed wizards who have not sealed, or have taken their seal back."""
        sealed = {seal.seat.code for seal in self.present_seals.values() if seal.is_sealed}
        return tuple(wizard for wizard in self.needed if wizard not in sealed)
