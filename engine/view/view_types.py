"""The parts of a view, as plain values for templates, emails and bots."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.events import Event
from engine.legality.progress import Progress
from engine.rulesets import RULESETS
from engine.rulesets.ruleset import Ruleset

ALL, SPECTATOR = "all", "spectator"
"""Observers who are not wizards. ALL sees the open record, and SPECTATOR only what every wizard may
see."""

FOG: Final = "?"


@dataclass(frozen=True, slots=True)
class WizardView:
    """Public data of a duellist."""

    id: str
    name: str
    pronouns: str
    you: bool
    standing: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the grid of gestures. `letter` is "?" if the observer did not see it."""

    letter: str
    mark: str = ""  # "half_clap"
    spell: str = ""  # the spell cast with this gesture
    both: bool = False

    @property
    def is_hidden(self) -> bool:
        """Whether the observer did not see the gesture."""
        return self.letter == FOG

    @property
    def is_half(self) -> bool:
        """Whether only this hand clapped."""
        return self.mark == "half_clap"


@dataclass(frozen=True, slots=True)
class Row:
    """One wizard's set of gestures. The observer sees either both hands or neither."""

    left: Cell
    right: Cell

    @property
    def is_hidden(self) -> bool:
        """Whether the observer did not see the gestures."""
        return self.left.is_hidden


FOG_ROW: Final = Row(Cell(FOG), Cell(FOG))


@dataclass(frozen=True, slots=True)
class TurnView:
    """One resolved turn as the observer knows it."""

    ordinal: int
    number: int
    kind: str
    # Rows of gestures, by wizard.
    rows: Mapping[str, tuple[Row, ...]]
    # Wizards whose sequences broke at the end of the turn.
    breaks: tuple[str, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class GesturePlace:
    """The place of a gesture in the grid: the turn's ordinal, the set's number and the hand."""

    ordinal: int
    set: int
    hand: str


@dataclass(frozen=True, slots=True)
class SpellRun:
    """A cast spell with its visible gestures, first to last. `hand` may be "BH"."""

    wizard: str
    spell: str
    hand: str
    squares: tuple[GesturePlace, ...]


@dataclass(frozen=True, slots=True)
class EffectView:
    """An active effect. `turns_left` includes the coming turn; None if it lasts until removed."""

    code: str
    name: str
    turns_left: int | None
    permanent: bool
    letter: str
    # The hand that a mind spell affects.
    detail: str = ""
    # Whether the subject dies when the effect ends.
    is_deadly: bool = False


@dataclass(frozen=True, slots=True)
class BeingView:
    """A being in the status list. `damage` is None if the observer cannot see it."""

    id: str
    name: str
    kind: str
    state: str
    damage: int | None
    hit_points: int | None
    limit: int
    controller: str
    effects: tuple[EffectView, ...]
    bank: str
    letters: str
    # The wizard that the being is listed under.
    group: str


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand's spells in progress, as far as the observer has seen them, the soonest first.

    Their `turns` count only turns in which this wizard acts. An extra turn counts as a turn; a
    wizard who is known to be hasted makes two sets in a turn. rules: R97, R98

    `out_of_sight`: in how many turns the hand may complete a spell whose beginning the observer did
    not see. If `letters` is also empty, it may be any spell.
    """

    wizard: str
    hand: str
    letters: str
    progress: tuple[Progress, ...]
    out_of_sight: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the observer may see.

    `is_open`: whether the last of `turns` is the turn that is still being played. Such a turn
    waits for answers, or a wizard has resigned in it, so only its reveal is shown.
    """

    observer: str
    ruleset: str
    options: tuple[str, ...]
    turn: int
    kind: str
    outcome: str
    wizards: tuple[WizardView, ...]
    turns: tuple[TurnView, ...]
    status: tuple[BeingView, ...]
    hands: tuple[HandView, ...]
    names: Mapping[str, str]
    runs: tuple[SpellRun, ...] = ()
    is_open: bool = False

    @property
    def rules(self) -> Ruleset:
        """Rules of the duel, with its options."""
        return RULESETS[self.ruleset].under(self.options)
