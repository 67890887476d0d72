"""Classes that describe an act: its form fields, its specification, its context and its plan."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from duels.commands.duel_end import Change
from duels.commands.locking import open_turn_of
from duels.loaded.open_turn import OpenTurn
from duels.models import ActKind, Duel, Seat, Wizard
from duels.referees.log.act_log import RefereeRef
from engine.proof import canonical_json

ActTarget = Literal["duel", "wizard"]


class FieldType(StrEnum):
    """Types of form fields, which `referees.acts.entered_values` parses."""

    TURN = "turn"  # a turn of the duel, by its ordinal
    SEAT = "seat"  # a wizard in the duel, by the code of the seat: "w0"
    DURATION = "duration"  # a number of minutes, or with a unit: "90", "36 hours"
    MOMENT = "moment"  # a future moment, as "2026-03-01T12:00", in UTC
    RESULT = "result"  # the code of the winner's seat, or "draw"
    TEXT = "text"
    SPEECH = "speech"  # a message, by its number or by turn and seat: "turn 5 w0"
    WIZARD = "wizard"  # another wizard, by name
    NAME = "name"  # a new name for a wizard


@dataclass(frozen=True)
class ActField:
    """One field of an act's form. `if_empty` describes the meaning of an empty optional field."""

    name: str
    label: str
    type: FieldType
    is_required: bool = True
    if_empty: str = ""


@dataclass
class ActContext:
    """The context of an act in progress, with its target, its referee, and the changes so far.

    The duel, or every duel of the wizard, is locked. The final values of `facts`, `turn`, `seat`
    and `wizard_id` are logged. `also_notified` lists wizards who are notified in addition to those
    of the duel.
    """

    kind: ActKind
    by: RefereeRef
    reason: str
    case: int | None
    now: datetime
    values: Mapping[str, Any]
    duel: Duel | None = None
    wizard: Wizard | None = None
    turn: int | None = None
    seat: str = ""
    wizard_id: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    also_notified: list[Wizard] = field(default_factory=list)
    only_notified: tuple[Wizard, ...] | None = None  # if None, everyone in the duel is notified
    after_logging: Callable[[int], None] | None = None  # called with the act's key

    @property
    def the_duel(self) -> Duel:
        assert self.duel is not None, "an act on a duel"
        return self.duel

    @property
    def the_wizard(self) -> Wizard:
        assert self.wizard is not None, "an act on a wizard"
        return self.wizard

    def open_turn(self) -> OpenTurn:
        """Return the open turn. Raise `Refused` if the duel is not running."""
        return open_turn_of(self.the_duel)

    def record_change(self, words: str, before: str, after: str) -> None:
        """Record a change, unless the texts before and after it are equal."""
        if before != after:
            self.changes.append(Change(words, before, after))

    def set_seat(self, seat: Seat) -> None:
        """Record that the act concerns the wizard in this seat."""
        self.seat, self.wizard_id = seat.code, seat.wizard_id


@dataclass(frozen=True)
class ActSpec:
    """A kind of act: its title, the fields of its form, and the function that applies it.

    `apply` raises `Refused`, with the name of the wrong field, if the act is not possible.
    """

    kind: ActKind
    title: str
    help: str
    apply: Callable[[ActContext], None]
    fields: tuple[ActField, ...] = ()
    subjects: tuple[ActTarget, ...] = ("duel",)
    can_end_duel: bool = False  # whether the act can end a duel or change its result


@dataclass(frozen=True)
class ActPlan:
    """The changes that an act would make.

    Carrying the act out with the plan's `stamp` makes exactly these changes, or raises `Refused`.
    """

    changes: tuple[Change, ...]

    @property
    def stamp(self) -> str:
        """A digest of the changes."""
        told = [[change.words, change.before, change.after] for change in self.changes]
        return hashlib.sha256(canonical_json(told)).hexdigest()[:32]
