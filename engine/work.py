"""What there is to do in a turn, as bits: a phase is played where one of its bits is set.

The table of a turn gathers them, from the position, from the gestures as they are revealed, and
from the rows of the spells that are cast. Most turns have little of it.
"""

from typing import Final

ALWAYS: Final = 1
COMPLETED: Final = 1 << 1  # a set has completed a spell
CASTS: Final = 1 << 21  # that is no shield of a wizard on themselves
STABS: Final = 1 << 2
MONSTERS: Final = 1 << 3  # alive or corpses, as the turn begins
EFFECTS: Final = 1 << 4  # something is in force on a wizard as the turn begins
ENDINGS: Final = 1 << 5  # a wizard has surrendered or fallen
# by spells that are cast
DISPELS: Final = 1 << 7
GUARDS: Final = 1 << 8  # counter-spells and mirrors
SUMMONS: Final = 1 << 9
LANDS: Final = 1 << 10  # all but guards and summons
CURES: Final = 1 << 11  # what removes or cures
MINDS: Final = 1 << 12
ENCHANTS: Final = 1 << 13  # enchantments and shields
ASKS: Final = 1 << 14  # what leaves something open
STRIKES: Final = 1 << 15  # what does damage, or slays
ELEMENTS: Final = 1 << 16  # of fire or of ice
WINDOWS: Final = 1 << 17  # what takes another spell
BLINDNESS: Final = 1 << 20  # somebody is blind, or will be, as the turn begins
WINDOWS_OPEN: Final = 1 << 6  # somebody's, as the turn begins
SPENT: Final = 1 << 18  # what can be cast once, and has been
RELEASES: Final = 1 << 19  # somebody lets go what is banked

MAGIC: Final = DISPELS | GUARDS | SUMMONS | LANDS
"""Every spell has one of these; shields of wizards on themselves may do without them."""
DISPELLED: Final = MAGIC | CURES | MINDS | ENCHANTS | ASKS | STRIKES | ELEMENTS
"""What a dispel magic leaves nothing of to do."""
