"""Data classes for the order sheet: fields, options, hands, sets and so on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from duels.screens.order_sheet.advice import NO_ADVICE, Advice
from duels.screens.parts.signs import spoken_letters
from duels.screens.parts.view_cache import SheetKey
from duels.template_values import TemplateValue
from engine.play import Fault

MAX_SHOWN_LEADS = 3


@dataclass(frozen=True)
class SpellTexts:
    """The names and effects of a ruleset's spells, by id."""

    names: Mapping[str, str]
    effects: Mapping[str, str]


@dataclass(frozen=True)
class Hint:
    """The spells that a gesture completes or leads to, together with the other hand's gesture.
    Spells are pairs of id and name.

    `both` contains the spells that the gesture completes if both hands make it. `is_made_by_both`
    states whether both hands do.
    """

    completes: tuple[tuple[str, str], ...] = ()
    both: tuple[tuple[str, str], ...] = ()
    leads: tuple[tuple[str, str, str], ...] = ()  # ids, names and missing gestures
    is_made_by_both: bool = False

    @property
    def of_one_hand(self) -> tuple[tuple[str, str], ...]:
        """The spells that the gesture completes without the other hand."""
        return tuple(spell for spell in self.completes if spell not in self.both)

    @property
    def words(self) -> str:
        """The hint as text for screen readers."""
        now = [f"completes {name}" for _, name in self.of_one_hand]
        hands = (
            "both hands complete" if self.is_made_by_both else "if both hands make it, completes"
        )
        now += [f"{hands} {name}" for _, name in self.both]
        later = [
            f"then {spoken_letters(missing.split())}: {name}"
            for _, name, missing in self.leads[:MAX_SHOWN_LEADS]
        ]
        return "; ".join(now + later)


NO_HINT = Hint()


@dataclass(frozen=True)
class Option:
    value: str
    words: str
    chosen: bool = False
    allowed: bool = True
    rule: str = ""
    sign: str = ""
    effect: str = ""  # short description of the spell's effect
    hint: Hint = NO_HINT
    suggested: bool = False  # whether a lesson's guide suggests it
    group: str = ""  # heading above the option in a list of beings


@dataclass(frozen=True)
class Choice:
    """One field of the sheet, with its options and the faults of its value."""

    field: str
    words: str
    options: tuple[Option, ...] = ()
    faults: tuple[Fault, ...] = ()
    note: str = ""
    rule: str = ""

    @property
    def label_and_choice(self) -> str:
        """The label and the chosen option, in which the page looks for names of spells."""
        return " ".join([self.words, *(option.words for option in self.options if option.chosen)])

    @property
    def groups(self) -> list[tuple[str, list[Option]]]:
        """The options grouped by heading."""
        return [
            (group, list(options)) for group, options in groupby(self.options, lambda o: o.group)
        ]


@dataclass(frozen=True)
class HandPart:
    """One hand in one set, with its eight gestures, and the reasons why some are not allowed."""

    side: str
    gestures: Choice
    forced: str
    notes: tuple[tuple[str, str], ...]  # sentence, rule
    trail: str = ""  # the hand's last gestures that can still be part of a spell


@dataclass(frozen=True)
class CompletedPart:
    """Fields for the spell that a hand completes with the chosen gestures, or for its stab."""

    hand: str
    words: str
    spells: Choice | None
    subjects: Choice | None


@dataclass(frozen=True)
class InterruptedSpells:
    """Spells that a hand's gesture interrupts, as ids, names and gestures made."""

    hand: str
    spells: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class SetPart:
    """One set of gestures, with the spells that it completes and interrupts."""

    number: int
    pair: str
    hands: tuple[HandPart, ...]
    completed: tuple[CompletedPart, ...]
    given_up: tuple[InterruptedSpells, ...] = ()


@dataclass(frozen=True)
class OrderForm(TemplateValue):
    sets: tuple[SetPart, ...]
    asks_rest: bool = False  # whether all other choices are made after the reveal
    why: str = ""  # why this wizard acts in a turn without the others
    why_rule: str = ""
    marks: tuple[Choice, ...] = ()  # choice of a hand for a delay or permanency
    held: tuple[Choice, ...] = ()
    charmed: tuple[Choice, ...] = ()
    monsters: tuple[Choice, ...] = ()
    all_attack: Choice | None = None  # common target of all monsters
    bank: tuple[Choice, ...] = ()
    captures: tuple[Choice, ...] = ()
    sacrifice: tuple[Choice, ...] = ()
    heart: tuple[Choice, ...] = ()
    advance: tuple[Choice, ...] = ()
    say: str = ""
    message_faults: tuple[Fault, ...] = ()
    other_faults: tuple[Fault, ...] = ()  # faults in fields that are not on the sheet
    faults: tuple[Fault, ...] = ()
    advice: Advice = NO_ADVICE
    key: SheetKey | None = field(default=None, compare=False)  # None if the form is not cached

    @property
    def leaves_choices(self) -> bool:
        """Whether the sheet has fields other than the gestures and the message."""
        others = (
            self.marks,
            self.held,
            self.charmed,
            self.monsters,
            self.bank,
            self.captures,
            self.sacrifice,
            self.heart,
            self.advance,
        )
        return any(others) or any(part.completed for part in self.sets)

    @property
    def answered(self) -> int:
        """The number of questions answered in advance."""
        return sum(not choice.options[0].chosen for choice in self.advance)
