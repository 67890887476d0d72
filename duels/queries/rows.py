"""What queries answer with: frozen rows, ready for pages and mails."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import engine
from duels.caches import KeyedCache
from duels.models import (
    Duel,
    Seat,
    Turn,
    Wizard,
)
from duels.open_turn import OpenTurn
from duels.queries.clocks import KnownClock, known_clock


@dataclass(frozen=True)
class DuelRow:
    """A duel or a challenge in a list."""

    duel: Duel
    seats: tuple[Seat, ...]  # each with its wizard; by place, before the start by joining
    mine: Seat | None
    turn: "TurnRow | None"  # the open one

    @property
    def wizards(self) -> tuple[Wizard, ...]:
        return tuple(seat.wizard for seat in self.seats)

    @property
    def others(self) -> tuple[Wizard, ...]:
        return tuple(seat.wizard for seat in self.seats if seat is not self.mine)

    @property
    def awaits_me(self) -> bool:
        """Whether it waits for the wizard for whom this row was made: orders, or an answer."""
        if self.mine is None:
            return False
        return self.mine.awaited or self.mine.accepted_at is None

    @property
    def is_mine(self) -> bool:
        """Whether it is that wizard's own challenge."""
        return self.mine is not None and self.mine.wizard_id == self.duel.challenger_id

    @property
    def clocks(self) -> tuple[tuple[Seat, KnownClock], ...]:
        """Those for whom the open turn waits by a clock of which the reader may know."""
        if self.turn is None:
            return ()
        found = ((seat, known_clock(seat, self.mine, self.turn.kind)) for seat in self.seats)
        return tuple((seat, clock) for seat, clock in found if clock is not None)

    @property
    def free_places(self) -> int:
        return self.duel.size - len(self.seats)


@dataclass(frozen=True)
class TurnRow:
    """Which turn a duel is at."""

    ordinal: int
    number: int
    kind: str
    stage: str  # answers only where the one for whom the row was made is asked
    opened_at: datetime


@dataclass(frozen=True)
class SeatRow:
    """A wizard of a duel, as everybody may see them. `code` is their id in the engine."""

    code: str
    wizard: Wizard
    name: str
    you: bool
    accepted: bool
    outcome: str
    awaited: bool  # the open turn waits for their seal
    clock: KnownClock | None  # of what is waited for, where there is one and it may be known
    sealed_at: datetime | None  # what they have sealed in the open turn, as far as others may know
    commitment: str
    offers_draw: bool
    asks_pause: bool = False
    may_be_given_time: bool = False  # the turn waits for them, and everybody may know
    clock_stamp: str = ""  # what they have now, where time may be given
    vacation_until: datetime | None = None  # while a vacation stops their clock
    back_since: datetime | None = None  # from a vacation that ended in this turn
    is_absent: bool = False  # missed so many turns that the others may claim the duel
    excuses_left: int = 0


@dataclass(frozen=True)
class MarkerRow:
    """A marker that a wizard holds, won in a duel that the viewer may read."""

    duel: Duel
    bears: Wizard


@dataclass(frozen=True)
class Rank:
    """What a wizard has won of others, and still holds. rules: R114"""

    markers: tuple[MarkerRow, ...]  # the newest
    number: int  # of all that are held
    unseen: int  # of those, won in duels that the viewer may not read
    is_played_for: bool  # whether the wizard has ever won or lost one

    @property
    def older(self) -> int:
        """How many more could be shown."""
        return self.number - self.unseen - len(self.markers)


@dataclass(frozen=True)
class LiveOrders:
    """One's own seal in the present stage of the turn."""

    seal: str
    sealed_at: datetime
    fields: dict[str, str]
    taken_back: bool
    chance: str = ""  # of one's own
    is_lost: bool = False  # nobody can read it: its key is gone


@dataclass(frozen=True)
class AskedQuestion:
    """A question that waits for one's answer; `id` is also its form field."""

    id: str
    kind: str
    about: str
    options: tuple[str, ...]
    words: tuple[str, ...]  # the options in words
    default: str
    is_preset: bool  # whether the default stands chosen
    precedes_reveal: bool  # nobody has seen the gestures of the turn yet
    text: str


@dataclass(frozen=True)
class RematchRow:
    """The rematch of a duel that is over, for one of its wizards. `is_asked`: it waits for them."""

    duel_id: int
    status: str
    by: str  # the challenger's name
    is_mine: bool
    is_asked: bool


@dataclass(frozen=True)
class DuelPage:
    """All that an observer is shown of a duel."""

    duel: Duel
    observer: str  # "w0"… a seat, "spectator", or "all" when the duel is over
    seats: tuple[SeatRow, ...]
    me: SeatRow | None
    turn: Turn | None  # the open turn, or the last one; None before the start
    view: engine.View | None
    reports: tuple[engine.TurnReport, ...]
    opening: engine.TurnReport | None  # told before the first turn, if that one is shown
    open_turn: OpenTurn | None  # with `turn` as its row
    may_seal: bool  # orders, now
    draft: dict[str, str]  # what the order sheet starts from: draft, else what is sealed
    draft_saved_at: datetime | None  # if it is a draft
    lost_draft_of: datetime | None  # when a draft was saved that nobody can read: its key is gone
    live_orders: LiveOrders | None
    form_seal: str  # for the form to carry
    questions: tuple[AskedQuestion, ...]
    waiting_for: tuple[str, ...]  # names
    draw_offered_by: tuple[str, ...]  # names
    earlier: int | None  # the ordinal of the newest turn that is not shown
    markers: tuple[engine.Line, ...]  # what the end of the duel has moved. rules: R114
    read_turn: int  # the last turn whose report the viewer has read
    read_speech: int  # the last speech between turns that the viewer has read
    last_speech: int  # the last that there is; 0 without one
    whole: engine.Story | None  # how it went, of a duel that is over
    rematch: RematchRow | None  # that its wizards may see

    @cached_property
    def sheet(self) -> engine.Sheet | None:
        """What one who may seal orders has to decide, for what is drafted or sealed."""
        if not self.may_seal or self.open_turn is None or self.me is None:
            return None
        turn, wizard, draft = self.open_turn, self.me.code, engine.from_fields(self.draft)
        return SHEETS.get(self._sheet_key, lambda: engine.sheet(turn.position, wizard, draft))

    @property
    def _sheet_key(self) -> "SheetKey | None":
        """The key of the engine's sheet; None if the position may change within the turn."""
        if self.me is None or self.turn is None or self.turn.resigned:
            return None
        return SheetKey(
            self.duel.seed_commitment,
            self.turn.ordinal,
            self.me.code,
            tuple((seat.name, seat.wizard.pronouns) for seat in self.seats),
            self.duel.last_act,
            frozenset(self.draft.items()),
        )

    @property
    def why_idle(self) -> str:
        """Why one who plays makes no gesture in the open turn; "" where they do, or are out."""
        if self.may_seal or self.open_turn is None or self.me is None or self.me.outcome:
            return ""
        return engine.sheet(self.open_turn.position, self.me.code).reason

    @property
    def claimable(self) -> tuple[SeatRow, ...]:
        """The absent wizards for whom the viewer need not wait any longer."""
        if self.duel.paused_at is not None or self.duel.is_halted:
            return ()
        return tuple(seat for seat in self._absent if seat.vacation_until is None)

    @property
    def absent_on_vacation(self) -> tuple[SeatRow, ...]:
        """The absent wizards for whom the viewer waits all the same: their clocks stand."""
        return tuple(seat for seat in self._absent if seat.vacation_until is not None)

    @property
    def _absent(self) -> tuple[SeatRow, ...]:
        if self.me is None or self.me.outcome or self.me.is_absent:
            return ()
        return tuple(seat for seat in self.seats if seat.is_absent)

    @property
    def has_stopped(self) -> bool:
        """Nobody has anything to decide: the viewer is waited for to wish that it go on."""
        if self.sheet is None or self.sheet.decides or self.open_turn is None:
            return False
        is_awaited = self.me is not None and self.me.awaited
        return is_awaited and not engine.awaited(self.open_turn.position)


@dataclass(frozen=True)
class SheetKey:
    """Everything on which the engine's sheet of an open turn depends."""

    seed_commitment: str  # no two duels have the same
    ordinal: int
    wizard: str  # who writes
    names: tuple[tuple[str, str], ...]  # with pronouns
    acts: int  # of referees: one of them may have made other turns of the same ordinals void
    fields: frozenset[tuple[str, str]]  # that are written


SHEETS: KeyedCache[SheetKey, engine.Sheet] = KeyedCache(
    "sheets of the engine",
    size=256,
    key="the SheetKey: duel, turn, who writes, names, what is written",
)


@dataclass(frozen=True)
class SealRow:
    """A seal of a past turn, in force or replaced. Its fields are open when the duel is over."""

    code: str
    name: str
    stage: str
    batch: int
    sealed_at: datetime
    commitment: str
    fields: dict[str, str] | None
    chance: str = ""  # of the wizard's own, open as the fields are
    superseded: bool = False
    taken_back_at: datetime | None = None


@dataclass(frozen=True)
class TurnPage:
    """All that an observer is shown of one past turn, and of the turns before it."""

    duel: Duel
    observer: str
    turn: Turn
    view: engine.View
    report: engine.TurnReport | None
    seals: tuple[SealRow, ...]
    newest: int  # the ordinal of the newest turn that has been played
    opening: engine.TurnReport | None  # told before the first turn, if that one is shown
    seats: tuple[SeatRow, ...]
    viewpoints: tuple[str, ...]  # as whom the viewer may look, first as they always do

    @property
    def as_then(self) -> bool:
        """Whether it shows what could be known then, of a duel that is open now."""
        return self.duel.is_over and self.observer != self.viewpoints[0]


@dataclass(frozen=True)
class Story:
    """What a mail tells: the grid, and the reports of what has just happened."""

    view: engine.View
    reports: tuple[engine.TurnReport, ...]


@dataclass(frozen=True)
class VoidTurnPage:
    """What an observer is shown of a turn that a referee has made void."""

    duel: Duel
    turn: Turn
    view: engine.View
    report: engine.TurnReport | None
