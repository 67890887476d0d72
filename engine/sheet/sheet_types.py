"""The parts of an order sheet, as plain values for forms and bots."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

STAB_ID: Final = "stab"


@dataclass(frozen=True, slots=True)
class GestureOption:
    """One of the eight gestures that a hand can make, and the reason if it is not allowed."""

    letter: str
    allowed: bool
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class HandSheet:
    """One hand.

    `forced` is the letter that the hand must make, "" if it is free. `changeable` states who may
    change its gesture.
    """

    hand: str
    gestures: tuple[GestureOption, ...]
    forced: str
    rule: str
    reason: str
    changeable: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A spell that a pair of gestures completes. `default`: it is cast if none is chosen."""

    hand: str
    spell: str
    name: str
    default: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Caution:
    """An effect of legal orders that may be unintended. rules: F13

    A caution does not forbid anything. `field` is the order field that it concerns, "" for the
    orders as a whole.
    """

    code: str
    rule: str
    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class SetSheet:
    """One set of gestures. `completions` and `cautions` contain only pairs ("WP") that have any.

    `reason` and `rule` explain the set if not every wizard makes it.
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
    """The possible subjects of a spell or a stab. A spell on the whole arena has no options.

    `note` explains why the default is a bad choice, if it is. `is_for`: whether the spell summons a
    monster that will obey its subject. `is_for_all`: whether it works the same with any subject.
    If there is no default, an opponent is drawn, or the spell is for everyone. rules: W3
    """

    options: tuple[str, ...]
    default: str
    note: str = ""
    is_for: bool = False
    is_for_all: bool = False


@dataclass(frozen=True, slots=True)
class MonsterSheet:
    """A monster to command, now or if these orders succeed. `attacks`: 1, or 2 if hasted.

    All monsters of the sheet share one tuple of `victims`, which keeps the sheet small.
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
    """A charmed hand for which this wizard writes gestures, now or when asked."""

    wizard: str
    hand: str
    sets: int
    key: str
    # Whether the wizard is asked for the letter before the reveal if none is written.
    is_asked: bool = False
    # Whether both hands are offered, although the charm moves only one. rules: W18
    is_one_of_two: bool = False


@dataclass(frozen=True, slots=True)
class HeldHand:
    """A wizard under this wizard's paralysis; these orders name the hand that it holds. rules: W18

    `options`: the hands that can be named. A hand that was held in the turn before must be named
    again.
    """

    wizard: str
    field: str
    options: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class BankSheet:
    """The banked spell, which may be released.

    `subject`: the subject that was banked with the spell, in rulesets that bank one; there are then
    no options. `aim`: the preposition before its subject, "at", "for" or "on". rules: W34
    """

    spell: str
    name: str
    options: tuple[str, ...]
    default: str
    subject: str = ""
    aim: str = "at"


@dataclass(frozen=True, slots=True)
class CaptureChoice:
    """A choice among completed spells, (hand, spell), for a delay or a permanency.

    In rulesets that take only marked spells, there is no default, and `hands` can be marked. rules:
    W34, W35
    """

    kind: str
    candidates: tuple[tuple[str, str], ...]
    default: str
    hands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdvanceQuestion:
    """A question that can be answered in advance.

    `is_raised`: whether a spell of the draft will raise the question, if the spell works.
    """

    kind: str
    field: str
    options: tuple[str, ...]
    default: str
    text: str
    is_raised: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Every decision of one wizard in one turn. `reason` explains a turn without gestures."""

    wizard: str
    acts: bool
    decides: bool
    sets: tuple[SetSheet, ...]
    subjects: Mapping[str, SubjectChoice]
    beings: Mapping[str, str]
    monsters: tuple[MonsterSheet, ...] = ()
    charmed: tuple[CharmedHand, ...] = ()
    bank: BankSheet | None = None
    captures: tuple[CaptureChoice, ...] = ()
    # The monsters that can be given up, if the duel plays with the house rule. rules: R24
    sacrifice: SubjectChoice | None = None
    advance: tuple[AdvanceQuestion, ...] = ()
    rule: str = ""
    reason: str = ""
    held: tuple[HeldHand, ...] = ()
    may_stop_heart: bool = False  # rules: W27

    @property
    def is_gestures_only(self) -> bool:
        """Whether all choices except gestures and chat are made after the reveal.

        rules: turn:stepwise
        """
        return not self.subjects
