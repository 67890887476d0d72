"""The parts of a sheet: plain values for forms and bots."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

STAB_ID: Final = "stab"


@dataclass(frozen=True, slots=True)
class GestureOption:
    """One of the eight things a hand can do, and the reason if it is not allowed."""

    letter: str
    allowed: bool
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class HandSheet:
    """One hand.

    `forced` is the letter it must make, "" if free; `changeable` is who may change it.
    """

    hand: str
    gestures: tuple[GestureOption, ...]
    forced: str
    rule: str
    reason: str
    changeable: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A spell that a pair of gestures completes; `default` if it is cast when none is chosen."""

    hand: str
    spell: str
    name: str
    default: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Caution:
    """An effect of legal orders that may be unintended. rules: F13

    It does not forbid anything. `field` is the field of the flat form that it is about, "" for the
    orders as a whole.
    """

    code: str
    rule: str
    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class SetSheet:
    """One set. `completions` and `cautions` are by pair ("WP"), and list only pairs that have any.

    `reason` and `rule` explain the set if not everyone has it.
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
    """The possible subjects of a spell or a stab; no options if it strikes the whole arena.

    `note` explains why the default is a bad choice, if it is. `is_for`: the spell is cast for the
    subject, whom the summoned monster will obey. `is_for_all`: it works whatever is written.
    Without a default an opponent is drawn, or the spell is for everyone. rules: W3
    """

    options: tuple[str, ...]
    default: str
    note: str = ""
    is_for: bool = False
    is_for_all: bool = False


@dataclass(frozen=True, slots=True)
class MonsterSheet:
    """A monster to command, now or if these orders succeed. `attacks`: 1, or 2 if hasted.

    `victims` is shared by all monsters of the sheet, so that it grows with their number only once.
    """

    key: str
    name: str
    attacks: int
    victims: tuple[str, ...] = field(repr=False)
    default: str
    note: str
    can_attack_itself: bool

    @property
    def options(self) -> tuple[str, ...]:
        """The possible victims of this monster. rules: R74, W39"""
        if self.can_attack_itself:
            return self.victims
        return tuple(id for id in self.victims if id != self.key)


@dataclass(frozen=True, slots=True)
class CharmedHand:
    """Another wizard's hand whose gestures this wizard writes now or when asked."""

    wizard: str
    hand: str
    sets: int
    key: str
    is_asked: bool = False  # unless written, its letter is asked before the reveal
    is_one_of_two: bool = False  # the charm takes the hand for which a gesture is written. W18


@dataclass(frozen=True, slots=True)
class HeldHand:
    """A wizard with a hand that this wizard's paralysis holds, named in the orders. rules: W18

    `options`: the hands that can be named; only one if it was held in the turn before.
    """

    wizard: str
    field: str
    options: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class BankSheet:
    """The banked spell, which may be released.

    `subject`: the subject with which it was banked, if the bank keeps that; then there are no
    options. `aim`: the word before its subject, "at" or "for" or "on". rules: W34
    """

    spell: str
    name: str
    options: tuple[str, ...]
    default: str
    subject: str = ""
    aim: str = "at"


@dataclass(frozen=True, slots=True)
class CaptureChoice:
    """The completed spells of which a delay or a permanency takes one: (hand, spell).

    There is no default if only marked spells are taken; `hands` can then be marked. rules: W34, W35
    """

    kind: str
    candidates: tuple[tuple[str, str], ...]
    default: str
    hands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdvanceQuestion:
    """A question that can be answered in advance.

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
    """Every decision of one wizard in one turn. `reason` says why they make no gesture, if so."""

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
    sacrifice: SubjectChoice | None  # monsters to give up, under that house rule. rules: R24
    advance: tuple[AdvanceQuestion, ...]
    rule: str = ""
    reason: str = ""
    held: tuple[HeldHand, ...] = ()
    may_stop_heart: bool = False  # rules: W27

    @property
    def is_gestures_only(self) -> bool:
        """Whether everything but gestures and chat is asked after the reveal.

        rules: turn:stepwise
        """
        return not self.subjects
