"""The work of a turn, as bits: a phase is played if any bit that it needs is set.

The table of a turn collects them from the position, the revealed gestures and the spells that are
cast. Most turns have few of them.
"""

from typing import Final

ALWAYS: Final = 1
COMPLETED: Final = 1 << 1  # a set has completed a spell
CASTS: Final = 1 << 21  # a spell is cast that is not a shield on its caster
STABS: Final = 1 << 2
MONSTERS: Final = 1 << 3  # the turn begins with monsters or corpses
EFFECTS: Final = 1 << 4  # a wizard has an effect as the turn begins
ENDINGS: Final = 1 << 5  # a wizard has surrendered or fallen
# set by spells that are cast
DISPELS: Final = 1 << 7
GUARDS: Final = 1 << 8  # counter-spells and mirrors
SUMMONS: Final = 1 << 9
LANDS: Final = 1 << 10  # spells other than guards and summons
CURES: Final = 1 << 11  # spells that remove or cure
MINDS: Final = 1 << 12
ENCHANTS: Final = 1 << 13  # enchantments and shields
ASKS: Final = 1 << 14  # spells that leave a decision open
STRIKES: Final = 1 << 15  # spells that deal damage or kill
ELEMENTS: Final = 1 << 16  # spells of fire or ice
WINDOWS: Final = 1 << 17  # spells that take another spell
BLINDNESS: Final = 1 << 20  # someone is blind, or will be, when the turn begins
WINDOWS_OPEN: Final = 1 << 6  # someone has an open window as the turn begins
SPENT: Final = 1 << 18  # someone has used up a spell that can be cast only once
RELEASES: Final = 1 << 19  # someone releases a banked spell

MAGIC: Final = DISPELS | GUARDS | SUMMONS | LANDS
"""Every cast sets one of these bits, except that shields of wizards on themselves may set none."""
DISPELLED: Final = MAGIC | CURES | MINDS | ENCHANTS | ASKS | STRIKES | ELEMENTS
"""Work that is no longer needed after a dispel magic."""
