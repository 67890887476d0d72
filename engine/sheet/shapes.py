"""What a sheet is made of: plain values that forms and bots read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

STAB_ID: Final = "stab"


@dataclass(frozen=True, slots=True)
class GestureOption:
    """One of the eight things a hand can do, and why it cannot if it cannot."""

    letter: str
    allowed: bool
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class HandSheet:
    """One hand. `forced` is the letter it must make, "" if free; `changeable` who may change it."""

    hand: str
    gestures: tuple[GestureOption, ...]
    forced: str
    rule: str
    reason: str
    changeable: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A spell that a pair of gestures completes; `default` if it is cast when nothing is chosen."""

    hand: str
    spell: str
    name: str
    default: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Caution:
    """What legal orders do that nobody should do unawares; it forbids nothing. rules: F13

    `field`: the field of the flat form that it is about, "" for the orders as a whole.
    """

    code: str
    rule: str
    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class SetSheet:
    """One set; `completions` and `cautions` by pair ("WP"), only where there are any.

    `reason` says why there is such a set, where not everybody has it, and by which rule.
    """

    number: int
    left: HandSheet
    right: HandSheet
    completions: Mapping[str, tuple[Completion, ...]]
    cautions: Mapping[str, Caution]
    rule: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SubjectChoice:
    """Whom a spell or a stab may be written at; no options where it strikes the whole arena.

    `note` says why the default is a bad choice, if it is; `is_for`: it is cast for the subject,
    whom what it summons will obey. `is_for_all`: it comes whatever is written. Without a default
    an opponent is drawn, or it comes for all. rules: W3
    """

    options: tuple[str, ...]
    default: str
    note: str = ""
    is_for: bool = False
    is_for_all: bool = False


@dataclass(frozen=True, slots=True)
class MonsterSheet:
    """A monster to command, now or if these orders succeed. `attacks`: 1, or 2 if hasted."""

    key: str
    name: str
    attacks: int
    options: tuple[str, ...]
    default: str
    note: str


@dataclass(frozen=True, slots=True)
class CharmedHand:
    """Another's hand whose gestures this wizard writes, or says when they are asked."""

    wizard: str
    hand: str
    sets: int
    key: str
    is_asked: bool = False  # unwritten, its letter is asked for before anybody sees a row
    is_one_of_two: bool = False  # the charm takes the hand for which a gesture is written. W18


@dataclass(frozen=True, slots=True)
class HeldHand:
    """A wizard of whom this one's paralysis holds a hand, named with these orders. rules: W18

    `options`: the hands that may be named; one only where it was held in the turn before.
    """

    wizard: str
    field: str
    options: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class BankSheet:
    """The banked spell, which may be released.

    `subject`: at whom it is banked, where the bank keeps that and there are no options. `aim`: how
    it goes to its subject, "at" or "for" or "on". rules: W34
    """

    spell: str
    name: str
    options: tuple[str, ...]
    default: str
    subject: str = ""
    aim: str = "at"


@dataclass(frozen=True, slots=True)
class CaptureChoice:
    """Which of several completed spells a delay or a permanency shall take: (hand, spell).

    No default where nothing is taken unmarked; `hands` can be marked then. rules: W34, W35
    """

    kind: str
    candidates: tuple[tuple[str, str], ...]
    default: str
    hands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdvanceQuestion:
    """A question that may be answered before it is asked.

    `is_raised`: whether a spell that the draft casts will raise it, if it works.
    """

    kind: str
    field: str
    options: tuple[str, ...]
    default: str
    text: str
    is_raised: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything one wizard decides in one turn; `reason` says why they make no gesture, if so."""

    wizard: str
    acts: bool
    decides: bool
    sets: tuple[SetSheet, ...]
    subjects: Mapping[str, SubjectChoice]
    beings: Mapping[str, str]
    monsters: tuple[MonsterSheet, ...]
    charmed: tuple[CharmedHand, ...]
    bank: BankSheet | None
    captures: tuple[CaptureChoice, ...]
    sacrifice: SubjectChoice | None  # monsters to give up, where the house rule holds. rules: R24
    advance: tuple[AdvanceQuestion, ...]
    rule: str = ""
    reason: str = ""
    held: tuple[HeldHand, ...] = ()
    may_stop_heart: bool = False  # rules: W27

    @property
    def is_gestures_only(self) -> bool:
        """Whether all but gestures and words is asked after the reveal. rules: turn:stepwise"""
        return not self.subjects
