"""Replay of a recorded duel by the engine, with all differences from the recording.

Moves and answers are played as recorded, and recorded draws are used in their order. After a
difference, the duel continues from the engine's result, until the recording does not fit the
position.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from engine.events import Cast
from engine.ids import SEATS, wizard_id
from engine.json_values import MISSING
from engine.legality.scope import is_acting
from engine.orders import HandSet, Orders
from engine.positions.position import STRICT, Position
from engine.questions import Question
from engine.resolve import IllegalOrders, questions, require_legal_orders, resolve
from engine.rulesets.spellcast import SPELLCAST_1
from engine.start.begin import Duellist, begin
from tests.vectors.compare import (
    Difference,
    cast_as_recorded,
    differences,
    question_as_recorded,
)
from tests.vectors.names import GESTURE_LETTERS, PHASE_TYPES, recorded_row
from tests.vectors.recording import UNFINISHED_RESULT, Phase, RecordedQuestion, Recording
from tests.vectors.state import DerivedState


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A value that the engine computed and that differs from the recording.

    `phase` counts from 0. NOTHING stands for a missing value.
    """

    duel: str
    phase: int
    field: str
    expected: object
    got: object


def mismatches(duel: Recording) -> Iterator[Mismatch]:
    """Yield all differences between the engine's replay of this duel and the recording."""
    position = begin(
        SPELLCAST_1.id,
        [Duellist(f"Wizard {seat + 1}") for seat in range(duel.wizards)],
        options=(STRICT,),
    )
    tracker = DerivedState(position)
    for number, phase in enumerate(duel.phases):
        replayed = _ReplayedPhase(phase, position, tracker)
        for difference in replayed.differences():
            yield Mismatch(duel.id, number, *difference)
        if replayed.after is None:
            return
        position = replayed.after
    got = _result_of_duel(position)
    if got != duel.result:
        yield Mismatch(duel.id, len(duel.phases) - 1, "result", duel.result, got)


def _result_of_duel(position: Position) -> int | str:
    return SEATS.get(position.outcome, position.outcome or UNFINISHED_RESULT)


class _ReplayedPhase:
    """One phase, played as recorded. `after` stays None if the phase cannot be played."""

    def __init__(self, phase: Phase, before: Position, tracker: DerivedState) -> None:
        self.phase = phase
        self.tracker = tracker
        self.before = before
        self.after: Position | None = None
        self.dice = _RecordedDraws([value for _, value in phase.draws])
        self.answers: dict[str, str] = {}
        self.orders = {
            wizard_id(seat): Orders(sets=(HandSet(row[0], row[1]),))
            for seat, row in enumerate(map(recorded_row, phase.moves))
            if row
        }

    def differences(self) -> Iterator[Difference]:
        unplayable = tuple(self.reasons_not_playable())
        if unplayable:
            yield from unplayable
            return
        try:
            require_legal_orders(self.before, self.orders)
        except IllegalOrders as error:
            yield Difference("moves", list(self.phase.moves), str(error))
            return
        yield from self.ask_questions()
        after, events = resolve(self.before, self.orders, self.answers, self.dice)
        self.after = after
        yield from self.compare_draws()
        if self.phase.casts is not None:
            casts = [cast_as_recorded(event) for event in events if isinstance(event, Cast)]
            yield from differences("casts", list(self.phase.casts), casts)
        state = self.tracker.state(self.before, after, events)
        yield from differences("state", self.phase.state, state)
        following = None if after.outcome else PHASE_TYPES[after.kind]
        if following != self.phase.next:
            yield Difference("next", self.phase.next, following)

    def reasons_not_playable(self) -> Iterator[Difference]:
        """Yield the reasons why the phase cannot be played from this position."""
        phase, before = self.phase, self.before
        if before.outcome:
            yield Difference("type", phase.kind, "the duel is over")
            return
        if phase.kind != PHASE_TYPES[before.kind]:
            yield Difference("type", phase.kind, PHASE_TYPES[before.kind])
        if phase.turn != before.turn - 1:
            yield Difference("t", phase.turn, before.turn - 1)
        for wizard, pair in zip(before.wizards, phase.moves, strict=True):
            if bool(pair) != is_acting(before, wizard):
                found = "a row" if not pair else None
                yield Difference(f"moves[{wizard.seat}]", pair or None, found)

    def ask_questions(self) -> Iterator[Difference]:
        """Ask batch by batch, and answer as recorded, or by default if nothing is recorded."""
        place = 0
        batches = groupby(self.phase.asks, lambda ask: ask.batch)
        while True:
            _, recorded = next(batches, (0, ()))
            batch = tuple(recorded)
            found = questions(self.before, self.orders, self.answers, self.dice)
            if not batch and not found:
                return
            for asked, question in zip_longest(batch, found):
                yield from _compare_question(f"asks[{place}]", asked, question)
                place += 1
                if question is not None:
                    self.answers[question.id] = _recorded_answer(asked, question)

    def compare_draws(self) -> Iterator[Difference]:
        recorded = [sides for sides, _ in self.phase.draws]
        for number, (expected, got) in enumerate(
            zip_longest(recorded, self.dice.sides, fillvalue=MISSING)
        ):
            if expected != got:
                yield Difference(f"rand[{number}]", expected, got)


class _RecordedDraws:
    """Recorded draws, used in the order in which their labels are first requested.

    `sides` contains the number of sides of each draw so far.
    """

    def __init__(self, values: Sequence[int]) -> None:
        self.values = values
        self.sides: list[int] = []
        self.known: dict[str, int] = {}

    def draw(self, label: str, sides: int) -> int:
        if label not in self.known:
            place = len(self.sides)
            self.sides.append(sides)
            value = self.values[place] if place < len(self.values) else 0
            self.known[label] = min(value, sides - 1)
        return self.known[label]


def _compare_question(
    place: str, asked: RecordedQuestion | None, question: Question | None
) -> Iterator[Difference]:
    data = MISSING if question is None else question_as_recorded(question)
    yield from differences(place, MISSING if asked is None else asked.data, data)


def _recorded_answer(asked: RecordedQuestion | None, question: Question) -> str:
    if asked is None or asked.choice >= len(question.options):
        return question.default
    if asked.data["q"] != "charm_gesture":
        return question.options[asked.choice]
    return recorded_row(GESTURE_LETTERS[asked.choice])
