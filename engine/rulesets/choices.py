"""Values of ruleset fields that are not just on or off."""

from enum import StrEnum
from typing import Final

SEALED: Final = "sealed"
"""The order of play in which everything is written before the reveal."""
STEPWISE: Final = "stepwise"
"""The order of play in which players choose spells, subjects and victims after the gestures."""

NUMBERED: Final = "numbered"
"""The sealed order of play in which every extra turn is a separate turn with its own number."""


class QuestionMode(StrEnum):
    """The questions asked after the reveal. rules: R9, turn:answers"""

    AFTER_MAGIC = "hands and elements, once the spells have worked"
    AT_EVERY_STEP = "all choices that orders leave open, when they come up"


class HasteMode(StrEnum):
    """The way in which hasted wizards make extra sets. rules: R97, W9"""

    TWO_SETS = "two sets in a turn"
    OWN_PHASE = "a set in a phase of their own before each turn"
    OWN_TURN = "a set in a turn of their own after each turn"


class TimeStopMode(StrEnum):
    """The place of the extra turns in which only time-stopped wizards act. rules: R98, R99, W12"""

    AFTER_TURN = "in an extra turn that belongs to the turn before it"
    BEFORE_TURNS = "in an action before each turn on which it acts"
    OWN_PHASE = "in a phase that belongs to the turn after it"
    OWN_TURN = "in a turn of its own after the turn, without older effects"


class MindTiming(StrEnum):
    """The time at which mind spells act, and the gestures they depend on. rules: R79, R168, W16"""

    BY_TURN = "on fixed turns, using the gestures made when they were cast"
    NEXT_ROW = "on the next row that is made, using the row before it"
    NEXT_TURN = "on the next turn and in the hasted turns before it, using the last row made"


class OpponentRule(StrEnum):
    """The way to determine the opponent if no target is named. rules: R13"""

    NEXT_SEAT = "the next remaining wizard in seat order"
    LOWEST_SEAT = "the remaining wizard with the lowest seat"
    DRAWN = "a random opponent"


class Preference(StrEnum):
    """The spell that is cast if several are completed and none is chosen. rules: R7, W2"""

    LONGEST = "the longest, then a two-handed one, then the left hand’s"
    BOTH_HANDS = "a two-handed one, then the longest, then the left hand’s"


class TwoStabs(StrEnum):
    """The result of two stabs in one set: there is only one knife. rules: R16"""

    REFUSED = "cannot be ordered"
    LEFT = "the left hand stabs"
    RIGHT = "the right hand stabs"


class FullBank(StrEnum):
    """The effect of an open delay while a spell is already banked. rules: R104"""

    KEEPS = "no spell is taken"
    REPLACES = "the new spell replaces the banked one"


class DefaultVictim(StrEnum):
    """The victim of a monster without orders. rules: R161, R170"""

    LAST_VICTIM = "the last victim ordered for it, or the opponent"
    OPPONENT = "the opponent"
    LAST_OR_NOBODY = "the last victim ordered for it, or no one"
    KEPT = "its present victim, or no one if that is gone; a new monster draws an opponent"


class HandNamingTime(StrEnum):
    """The time at which the caster of a paralysis or a charm names the hand. rules: R81, W18"""

    WHEN_IT_WORKS = "after the reveal of the turn on which the spell works"
    WHEN_IT_ACTS = "with the orders of every turn in which it acts; without orders it does nothing"


class CaptureRule(StrEnum):
    """The spell that an open delay or permanency is used on. rules: R103, W34"""

    WHATEVER_COMES = "the spell that is named for it, or the longest"
    MARKED = "the spell of the hand marked for it"


class MissRule(StrEnum):
    """The actions that fail because their subject is not seen. rules: R94, R95, W33"""

    DAMAGE = "damage to invisible subjects, judged by their state when it is dealt"
    ALL_AIMED = "everything that is aimed, judged by the subject’s state when the turn began"


class StoppedSightMode(StrEnum):
    """The hands that time-stopped wizards see in an extra turn. rules: R121"""

    EACH_OTHER = "those of all stopped wizards"
    OWN = "only their own"
