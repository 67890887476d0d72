"""What fields of a ruleset can be set to where on and off are not enough."""

from enum import StrEnum
from typing import Final

SEALED: Final = "sealed"
"""The order of play in which everything is written before the reveal."""
STEPWISE: Final = "stepwise"
"""The order of play in which spells, subjects and victims are asked for after the gestures."""


class Asking(StrEnum):
    """What is asked after the reveal. rules: R9, turn:answers"""

    AFTER_MAGIC = "hands and elements, once the spells have worked"
    AT_EVERY_STEP = "whatever is not written, as it comes up"


class Haste(StrEnum):
    """What the hasted make more of. rules: R97"""

    TWO_SETS = "two sets in a turn"
    OWN_PHASE = "a set in a phase of their own before each turn"


class TimeStop(StrEnum):
    """When the time-stopped act alone. rules: R98, R99"""

    AFTER_TURN = "in an extra turn that belongs to the turn before it"
    BEFORE_TURNS = "in an action before each turn on which it acts"
    OWN_PHASE = "in a phase that belongs to the turn after it"


class Minds(StrEnum):
    """When spells upon the mind act, and what they go by. rules: R79, R168"""

    BY_TURN = "on the turns they are laid for, by what was made when they were cast"
    NEXT_ROW = "on the next row that is made, by the one before it"


class Opponent(StrEnum):
    """Who the opponent is where nobody is named. rules: R13"""

    NEXT_SEAT = "the next standing wizard in seat order"
    LOWEST_SEAT = "the lowest-seated standing wizard"


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


class StoppedSight(StrEnum):
    """Whose hands the time-stopped see in an extra turn. rules: R121"""

    EACH_OTHER = "those of all that are stopped"
    OWN = "their own alone"
