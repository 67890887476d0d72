"""What fields of a ruleset can be set to where on and off are not enough."""

from enum import StrEnum
from typing import Final

SEALED: Final = "sealed"
"""The order of play in which everything is written before the reveal."""
STEPWISE: Final = "stepwise"
"""The order of play in which spells, subjects and victims are asked for after the gestures."""

NUMBERED: Final = "numbered"
"""The sealed order of play in which every extra turn is a turn of its own, with its own number."""


class Asking(StrEnum):
    """What is asked after the reveal. rules: R9, turn:answers"""

    AFTER_MAGIC = "hands and elements, once the spells have worked"
    AT_EVERY_STEP = "whatever is not written, as it comes up"


class Haste(StrEnum):
    """What the hasted make more of. rules: R97, W9"""

    TWO_SETS = "two sets in a turn"
    OWN_PHASE = "a set in a phase of their own before each turn"
    OWN_TURN = "a set in a turn of their own after each turn"


class TimeStop(StrEnum):
    """When the time-stopped act alone. rules: R98, R99, W12"""

    AFTER_TURN = "in an extra turn that belongs to the turn before it"
    BEFORE_TURNS = "in an action before each turn on which it acts"
    OWN_PHASE = "in a phase that belongs to the turn after it"
    OWN_TURN = "in a turn of its own after the turn, in which only what it brings counts"


class Minds(StrEnum):
    """When spells upon the mind act, and what they go by. rules: R79, R168, W16"""

    BY_TURN = "on the turns they are laid for, by what was made when they were cast"
    NEXT_ROW = "on the next row that is made, by the one before it"
    NEXT_TURN = "on the next turn and in the hasted turns before it, by the last row made"


class Opponent(StrEnum):
    """Who the opponent is where nobody is named. rules: R13"""

    NEXT_SEAT = "the next standing wizard in seat order"
    LOWEST_SEAT = "the lowest-seated standing wizard"
    DRAWN = "one of them, drawn at random"


class Preference(StrEnum):
    """What is cast of several completed spells where nothing is chosen. rules: R7, W2"""

    LONGEST = "the longest, then a two-handed one, then the left hand’s"
    BOTH_HANDS = "a two-handed one, then the longest, then the left hand’s"


class TwoStabs(StrEnum):
    """What two stabs in one set come to: there is one knife. rules: R16"""

    REFUSED = "cannot be written"
    LEFT = "the left hand stabs"
    RIGHT = "the right hand stabs"


class FullBank(StrEnum):
    """What a window does while a spell is banked already. rules: R104"""

    KEEPS = "nothing is taken"
    REPLACES = "what is taken replaces the banked spell"


class Unordered(StrEnum):
    """Whom a monster without orders attacks. rules: R161, R170"""

    LAST_VICTIM = "the last victim written for it, else the opponent"
    OPPONENT = "the opponent"
    LAST_OR_NOBODY = "the last victim written for it, else nobody"
    KEPT = "the victim it has, and nobody once that is gone; a new one draws an opponent"


class HandNamed(StrEnum):
    """When the caster of a paralysis or a charm names the hand. rules: R81, W18"""

    WHEN_IT_WORKS = "after the reveal of the turn on which the spell works"
    WHEN_IT_ACTS = "with the orders of every turn in which it acts, else it sleeps"


class Capture(StrEnum):
    """What an open window takes. rules: R103, W34"""

    WHATEVER_COMES = "the spell that is named for it, or else the longest"
    MARKED = "the spell of the hand that is marked for it, and no other"


class Misses(StrEnum):
    """What comes to nothing because its subject is not seen. rules: R94, R95, W33"""

    DAMAGE = "damage done to the invisible, by what holds when it is done"
    ALL_AIMED = "all that is aimed, by what held when the turn began"


class StoppedSight(StrEnum):
    """Whose hands the time-stopped see in an extra turn. rules: R121"""

    EACH_OTHER = "those of all that are stopped"
    OWN = "their own alone"
