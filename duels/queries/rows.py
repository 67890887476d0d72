"""Frozen dataclasses for the results of queries, used by pages and emails."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

import engine.orders
import engine.play
import engine.words
from duels.caching.caches import KeyedCache
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import Duel, Marker, Seat, Stage, Turn, Wizard
from duels.template_values import TemplateValue
from engine.play import KINDS_ASKED_BEFORE_REVEAL


@dataclass(frozen=True)
class KnownClock:
    """A wizard's deadline, or the time left while their clock is stopped."""

    since: datetime | None  # when the duel began to wait for the wizard
    due_at: datetime | None = None
    left: timedelta | None = None


def known_clock(seat: Seat, own_seat: Seat | None, kind: str) -> KnownClock | None:
    """Return this seat's clock, or None if it has none or the reader may not see it.

    `kind` is the kind of the open turn. Because answers have their own deadline, clocks could
    reveal hidden questions, so wizards see only their own clock in turns that may have them.
    """
    has_clock = seat.due_at is not None or seat.clock_left is not None
    is_known = seat is own_seat or not hides_questions(kind)
    if not (seat.awaited and has_clock and is_known):
        return None
    return KnownClock(seat.awaited_since, seat.due_at, seat.clock_left)


@dataclass(frozen=True)
class DuelRow:
    """A duel or a challenge in a list."""

    duel: Duel
    seats: tuple[Seat, ...]  # ordered by place or, before the start, by joining
    mine: Seat | None
    turn: "TurnRow | None"  # the open turn, if any
    sealed: frozenset[int] = frozenset()  # seats that everyone can see have sealed
    has_new_turn: bool = False  # whether `mine` has not read the report of the last turn
    unread: int = 0  # number of messages that `mine` has not read

    @property
    def wizards(self) -> tuple[Wizard, ...]:
        return tuple(seat.wizard for seat in self.seats)

    @property
    def others(self) -> tuple[Wizard, ...]:
        return tuple(seat.wizard for seat in self.seats if seat is not self.mine)

    @property
    def is_mine(self) -> bool:
        """Whether the reader is the challenger."""
        return self.mine is not None and self.mine.wizard_id == self.duel.challenger_id

    @property
    def clocks(self) -> tuple[tuple[Seat, KnownClock], ...]:
        """The clocks of awaited wizards that the reader may see."""
        if self.turn is None:
            return ()
        found = ((seat, known_clock(seat, self.mine, self.turn.kind)) for seat in self.seats)
        return tuple((seat, clock) for seat, clock in found if clock is not None)

    @property
    def free_places(self) -> int:
        return self.duel.size - len(self.seats)


@dataclass(frozen=True)
class TurnRow:
    """The open turn of a duel, with the position at its start."""

    ordinal: int
    number: int
    kind: str
    stage: str  # `answers` only if the reader has a question to answer
    opened_at: datetime
    position: Any


@dataclass(frozen=True)
class SeatState(TemplateValue):
    """The state of a wizard in the open turn, as far as a reader may see it."""

    code: str  # the wizard's id in the engine, or "" before the duel starts
    accepted: bool
    outcome: str
    awaited: bool  # the open turn waits for their seal
    clock: KnownClock | None  # their clock, if the reader may see it
    sealed_at: datetime | None  # when they sealed, if the reader may see it
    offers_draw: bool
    asks_pause: bool
    vacation_until: datetime | None  # end of a vacation that stops their clock

    def as_json(self) -> dict[str, str | bool | float | None]:
        """Return the fields by name, with times as text and durations in seconds."""
        due_at, left = (self.clock.due_at, self.clock.left) if self.clock else (None, None)
        moments = {
            "due_at": due_at,
            "sealed_at": self.sealed_at,
            "vacation_until": self.vacation_until,
        }
        state = vars(self) | {name: at.isoformat() if at else None for name, at in moments.items()}
        del state["clock"]
        return state | {"clock_left": None if left is None else left.total_seconds()}


@dataclass(frozen=True)
class SeatRow(SeatState):
    """A wizard in a duel, as one reader may see them."""

    wizard: Wizard
    name: str
    you: bool
    commitment: str
    is_draw_declined: bool = False  # whether another wizard has just declined their offer
    can_be_given_time: bool = False  # whether everyone can see that the turn waits for them
    clock_stamp: str = ""  # identifies the state of their clock, if the reader can give them time
    back_since: datetime | None = None  # end of a vacation that ended in this turn
    is_absent: bool = False  # whether they missed enough turns for others to claim the duel
    excuses_left: int = 0


@dataclass(frozen=True)
class MarkerRank:
    """The markers that a wizard has won from others and still holds. rules: R114"""

    markers: tuple[Marker, ...]  # the newest of those won in duels that the viewer may read
    number: int  # all markers held
    unseen: int  # number won in duels that the viewer may not read
    is_played_for: bool  # whether the wizard has ever won or lost one

    @property
    def older(self) -> int:
        """The number of readable markers that are not in `…`."""
        return self.number - self.unseen - len(self.markers)


@dataclass(frozen=True)
class OwnSeal:
    """The reader's own seal in the turn's current stage."""

    seal: str
    sealed_at: datetime
    fields: dict[str, str]
    taken_back: bool
    chance: str = ""  # random bytes from the reader
    is_lost: bool = False  # whether the key to decrypt it is missing


@dataclass(frozen=True)
class AskedQuestion:
    """A question that waits for the reader's answer. `id` is also the name of its form field."""

    id: str
    kind: str
    about: str
    options: tuple[str, ...]
    words: tuple[str, ...]  # the options as text
    default: str
    is_preset: bool  # whether the default is preselected
    precedes_reveal: bool  # whether nobody has seen the turn's gestures yet
    text: str
    hand: str = ""  # the hand that the question is about

    @property
    def words_by_option(self) -> dict[str, str]:
        return dict(zip(self.options, self.words, strict=True))

    @property
    def default_words(self) -> str:
        """The default as text, or the first option if there is no default."""
        return self.words_by_option.get(self.default, self.words[0])


STORED_FIELDS_OF_QUESTION: Final = ("id", "kind", "about", "default", "is_preset", "text", "hand")


def questions_for(turn: Turn, own_seat: Seat | None) -> tuple[AskedQuestion, ...]:
    """Return the questions that the wizard of this seat must answer in the turn.

    `OpenTurn.as_known_to` decides what other wizards can see of them.
    """
    if own_seat is None or turn.stage != Stage.ANSWERS:
        return ()
    return tuple(
        AskedQuestion(
            **{name: asked[name] for name in STORED_FIELDS_OF_QUESTION},
            options=tuple(asked["options"]),
            words=tuple(asked["words"]),
            precedes_reveal=asked["kind"] in KINDS_ASKED_BEFORE_REVEAL,
        )
        for asked in turn.questions
        if asked["wizard"] == own_seat.code
    )


@dataclass(frozen=True)
class RematchRow:
    """The rematch of a duel, for a wizard whose answer it may wait for (`is_asked`)."""

    duel_id: int
    status: str
    by: str  # the challenger's name
    is_mine: bool
    is_asked: bool


@dataclass(frozen=True)
class DuelPage(TemplateValue):
    """Everything on the page of a duel that has begun, for one observer."""

    duel: Duel
    observer: str  # a seat such as "w0", "spectator", or "all" when the duel is over
    seats: tuple[SeatRow, ...]
    me: SeatRow | None
    turn: Turn  # the open turn, or the last one
    view: engine.play.View
    reports: tuple[engine.words.TurnReport, ...]  # the opening, if no turn has a report
    open_turn: OpenTurn  # the turn whose row is `turn`
    can_seal: bool  # orders, now
    draft: dict[str, str]  # the sheet's initial fields: the draft or the sealed orders
    draft_saved_at: datetime | None  # None if `draft` is not a draft
    lost_draft_of: datetime | None  # time of a draft whose key is missing
    live_orders: OwnSeal | None
    form_seal: str  # the current seal, for a hidden field of the form
    questions: tuple[AskedQuestion, ...]
    waiting_for: tuple[str, ...]  # names
    draw_offered_by: tuple[str, ...]  # names
    earlier: int | None  # the newest turn that the page leaves out
    markers: tuple[engine.words.Line, ...]  # markers that changed hands at the end. rules: R114
    read_turn: int  # the last turn whose report the viewer has read
    read_speech: int  # the last message between turns that the viewer has read
    last_speech: int  # the last message between turns, or 0
    whole: engine.words.Story | None  # summary of a finished duel
    rematch: RematchRow | None  # shown only to the duel's wizards

    @cached_property
    def sheet(self) -> engine.play.Sheet | None:
        """The engine's sheet for the draft or sealed orders, or None if the reader cannot seal."""
        if not self.can_seal or self.me is None:
            return None
        turn, wizard, draft = self.open_turn, self.me.code, engine.orders.from_fields(self.draft)
        key = None
        if not self.turn.resigned:  # a resignation changes the position during the turn
            named = duel_key(self.duel, [seat.wizard for seat in self.seats])
            key = (*named, self.turn.ordinal, wizard, frozenset(self.draft.items()))
        return SHEET_CACHE.get(key, lambda: engine.play.sheet(turn.position, wizard, draft))

    @property
    def claimable(self) -> tuple[SeatRow, ...]:
        """The absent wizards that the viewer can remove by a claim."""
        if self.duel.paused_at is not None or self.duel.is_halted:
            return ()
        return tuple(seat for seat in self.absent if seat.vacation_until is None)

    @property
    def absent(self) -> tuple[SeatRow, ...]:
        """The absent wizards, including those protected from a claim by a vacation."""
        if self.me is None or self.me.outcome or self.me.is_absent:
            return ()
        return tuple(seat for seat in self.seats if seat.is_absent)

    @property
    def has_stopped(self) -> bool:
        """Whether nobody has a choice left, and the duel waits only for the reader's seal."""
        if self.sheet is None or self.sheet.decides:
            return False
        is_awaited = self.me is not None and self.me.awaited
        return is_awaited and not engine.play.deciding_wizards(self.open_turn.position)


def duel_key(duel: Duel, wizards: Sequence[Wizard]) -> tuple[object, ...]:
    """Return the part of a cache's key that identifies a duel.

    Its turns before an open turn change only if a wizard is renamed or a referee acts.
    """
    names = tuple((wizard.name, wizard.pronouns) for wizard in wizards)
    return (duel.seed_commitment, names, duel.last_act)


SHEET_CACHE: KeyedCache[tuple[object, ...], engine.play.Sheet] = KeyedCache(
    "sheets of the engine", size=256, key="duel, names, last act, turn, writer, all fields"
)


@dataclass(frozen=True)
class SealRow:
    """A seal of a past turn, possibly superseded. Its fields are public once the duel is over."""

    code: str
    name: str
    stage: str
    batch: int
    sealed_at: datetime
    commitment: str
    fields: dict[str, str] | None
    chance: str = ""  # the wizard's random bytes, shown along with the fields
    superseded: bool = False
    taken_back_at: datetime | None = None


@dataclass(frozen=True)
class TurnPage:
    """Everything on the page of a past turn for one observer."""

    duel: Duel
    observer: str
    turn: Turn
    view: engine.play.View
    report: engine.words.TurnReport | None
    seals: tuple[SealRow, ...]
    newest: int  # the ordinal of the newest resolved turn
    opening: engine.words.TurnReport | None  # report before the first turn, if that turn is shown
    seats: tuple[SeatRow, ...]
    viewpoints: tuple[str, ...]  # observers that the viewer may choose, the default first

    @property
    def as_then(self) -> bool:
        """Whether the duel is over, but the page shows only what an observer knew in the turn."""
        return self.duel.is_over and self.observer != self.viewpoints[0]


@dataclass(frozen=True)
class Story:
    """The contents of an email: the grid, and the reports of the latest turns."""

    view: engine.play.View
    reports: tuple[engine.words.TurnReport, ...]


@dataclass(frozen=True)
class VoidTurnPage:
    """Everything on the page of a void turn for one observer.

    `was_played` is False if the turn was still open when it became void, or if the duel ended
    before the turn was played.
    """

    duel: Duel
    turn: Turn
    view: engine.play.View
    report: engine.words.TurnReport | None
    seals: tuple[SealRow, ...]
    was_played: bool
