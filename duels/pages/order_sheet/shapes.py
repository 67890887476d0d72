"""The shapes that the order sheet is printed from: fields, options, hands, sets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from duels.pages.advice import NO_ADVICE, Advice
from duels.pages.signs import aloud
from duels.pages.view_cache import SheetKey
from engine import Fault

MOST_LEADS = 3


@dataclass(frozen=True)
class Book:
    """What the sheet says of a ruleset's spells, by id."""

    names: Mapping[str, str]
    effects: Mapping[str, str]


@dataclass(frozen=True)
class Hint:
    """What a gesture is good for, beside what the other hand makes: spells as id and name."""

    completes: tuple[tuple[str, str], ...] = ()
    leads: tuple[tuple[str, str, str], ...] = ()  # and the gestures that are still missing

    @property
    def words(self) -> str:
        """The same for those who listen."""
        now = [f"completes {name}" for _, name in self.completes]
        later = [
            f"then {aloud(missing.split())}: {name}" for _, name, missing in self.leads[:MOST_LEADS]
        ]
        return "; ".join(now + later)


NO_HINT = Hint()


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen."""

    value: str
    words: str
    chosen: bool = False
    allowed: bool = True
    rule: str = ""
    sign: str = ""
    effect: str = ""  # what it does, in short
    hint: Hint = NO_HINT
    suggested: bool = False  # the guide of a lesson points at it
    group: str = ""  # of beings: under which heading it stands in a list


@dataclass(frozen=True)
class Choice:
    """One field of the sheet: its options, and what is wrong with what is typed in it."""

    field: str
    words: str
    options: tuple[Option, ...] = ()
    faults: tuple[Fault, ...] = ()
    note: str = ""
    rule: str = ""

    @property
    def groups(self) -> list[tuple[str, list[Option]]]:
        """The options as a list prints them: headings, and what stands under each."""
        return [
            (group, list(options)) for group, options in groupby(self.options, lambda o: o.group)
        ]


@dataclass(frozen=True)
class HandPart:
    """One hand of one set: its eight gestures, and why it is not free to choose among them."""

    side: str
    gestures: Choice
    forced: str
    notes: tuple[tuple[str, str], ...]  # sentence, rule
    trail: str = ""  # what it has made of late, as far as that still counts


@dataclass(frozen=True)
class CompletedPart:
    """What one hand completes with the gestures chosen so far, or whom it stabs."""

    hand: str
    words: str
    spells: Choice | None
    subjects: Choice | None


@dataclass(frozen=True)
class GivenUp:
    """What a hand has begun and sets back by its gesture: spells, and what was made of them."""

    hand: str
    spells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SetPart:
    """One set: both hands, what this pair of gestures completes, and what it gives up."""

    number: int
    pair: str
    hands: tuple[HandPart, ...]
    completed: tuple[CompletedPart, ...]
    given_up: tuple[GivenUp, ...] = ()


@dataclass(frozen=True)
class OrderForm:
    """Everything that the order sheet shows."""

    sets: tuple[SetPart, ...]
    asks_rest: bool = False  # all but gestures and words is asked after the reveal
    why: str = ""  # this wizard acts in a turn that is not everybody's
    why_rule: str = ""
    marks: tuple[Choice, ...] = ()  # of a hand, whose spell an open window takes
    held: tuple[Choice, ...] = ()
    charmed: tuple[Choice, ...] = ()
    monsters: tuple[Choice, ...] = ()
    all_attack: Choice | None = None  # whom all of several monsters can attack alike
    bank: tuple[Choice, ...] = ()
    captures: tuple[Choice, ...] = ()
    sacrifice: tuple[Choice, ...] = ()
    heart: tuple[Choice, ...] = ()
    advance: tuple[Choice, ...] = ()
    say: str = ""
    say_faults: tuple[Fault, ...] = ()
    other_faults: tuple[Fault, ...] = ()  # of fields that the sheet does not show
    faults: tuple[Fault, ...] = ()
    advice: Advice = NO_ADVICE
    key: SheetKey | None = field(default=None, compare=False)  # what it was made of, if that is all

    @property
    def leaves_choices(self) -> bool:
        """Whether these gestures, or what obeys the wizard, leave anything to choose."""
        others = (
            *(self.marks, self.held, self.charmed, self.monsters, self.bank, self.captures),
            *(self.sacrifice, self.heart, self.advance),
        )
        return any(others) or any(part.completed for part in self.sets)

    @property
    def answered(self) -> int:
        """How many questions are answered before they are asked."""
        return sum(not choice.options[0].chosen for choice in self.advance)
