"""What an act is made of: what a form asks for, what the act does, and what that changes."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from duels.act_log import RefereeRef
from duels.commands.locking import open_turn_of
from duels.models import ActKind, Duel, Seat, Wizard
from duels.open_turn import OpenTurn
from engine import canonical

Subject = Literal["duel", "wizard"]


class FieldType(StrEnum):
    """What a form offers for a field, and what is read of it: see `commands.acts.reading`."""

    TURN = "turn"  # a turn of the duel, by its ordinal
    SEAT = "seat"  # a wizard of the duel, by place: "w0"
    DURATION = "duration"  # minutes, or a number with a unit: "90", "36 hours", "2 days"
    MOMENT = "moment"  # a moment to come, as "2026-03-01T12:00", in UTC
    RESULT = "result"  # the winner's place, or "draw"
    TEXT = "text"
    SPEECH = "speech"  # what was said, by its number, or with a turn: "turn 5 w0"
    WIZARD = "wizard"  # another wizard, by name
    NAME = "name"  # a name for a wizard


@dataclass(frozen=True)
class ActField:
    """One field of an act's form. Where it is not required, an empty one means `if_empty`."""

    name: str
    label: str
    type: FieldType
    is_required: bool = True
    if_empty: str = ""


@dataclass(frozen=True)
class Change:
    """One thing that an act changes: what, as it is and as it will be, in words."""

    words: str
    before: str
    after: str


@dataclass
class Doing:
    """An act while it is done: on what, by whom, and what has been changed so far.

    The duel, and the wizard's duels, are locked. What `facts`, `turn`, `seat` and `wizard_id` come
    to stands in the log; `told` are the wizards who are told beside those of the duel.
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
    told: list[Wizard] = field(default_factory=list)
    tells_only: tuple[Wizard, ...] | None = None  # where not everybody in the duel is told
    once_logged: Callable[[int], None] | None = None  # given the act's key

    @property
    def the_duel(self) -> Duel:
        assert self.duel is not None, "an act on a duel"
        return self.duel

    @property
    def the_wizard(self) -> Wizard:
        assert self.wizard is not None, "an act on a wizard"
        return self.wizard

    def open_turn(self) -> OpenTurn:
        """The turn that is being played. Refuses where the duel does not run."""
        return open_turn_of(self.the_duel)

    def change(self, words: str, before: str, after: str) -> None:
        """This changes. Words that stay the same are no change."""
        if before != after:
            self.changes.append(Change(words, before, after))

    def about_seat(self, seat: Seat) -> None:
        """The act is about this wizard of the duel."""
        self.seat, self.wizard_id = seat.code, seat.wizard_id


@dataclass(frozen=True)
class ActSpec:
    """A kind of act: its title for a form, the fields that it asks for, and what it does.

    `apply` raises `Refused` where it cannot be done, with the field that is wrong.
    """

    kind: ActKind
    title: str
    help: str
    apply: Callable[[Doing], None]
    fields: tuple[ActField, ...] = ()
    subjects: tuple[Subject, ...] = ("duel",)


@dataclass(frozen=True)
class ActPlan:
    """What an act would change, and a stamp of it: done with the stamp, it does just that."""

    spec: ActSpec
    changes: tuple[Change, ...]

    @property
    def stamp(self) -> str:
        """The same for the same changes."""
        told = [[change.words, change.before, change.after] for change in self.changes]
        return hashlib.sha256(canonical(told)).hexdigest()[:32]
