"""The spells as data: one row for each, in the rulebook's order. `resolve` applies them.

rules: spell:<id> for every row. Patterns use upper case for one hand, lower case for both, and `c`
for the clap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

FieldChanges = Mapping[str, Any]
"""New values for some fields of one row."""


class SpellClass(StrEnum):
    """The four sections of the rulebook."""

    PROTECTION = "protection"
    SUMMONS = "summons"
    DAMAGING = "damaging"
    ENCHANTMENT = "enchantment"


class DefaultSubject(StrEnum):
    """The subject of a spell if none is named. rules: R10-R13"""

    SELF = "self"
    OPPONENT = "opponent"
    NONE = "none"


class AffectedBeings(StrEnum):
    """The beings that a spell can affect; it has no effect on others that it is aimed at."""

    ALL = "all"
    WIZARDS = "wizards"
    MONSTERS = "monsters"
    EARTHLY = "earthly"  # every being except elementals
    BEASTS = "beasts"  # monsters except elementals


WORKS_ON_MONSTERS: Final = (AffectedBeings.MONSTERS, AffectedBeings.BEASTS)


class LegalSubjects(StrEnum):
    """The beings at which a spell may be aimed. rules: R8, R57, R62"""

    ANY = "any"
    WIZARDS = "wizards"
    OTHERS = "others"  # every being except the caster
    OPPONENTS = "opponents"  # wizards other than the caster


SUBJECTS_WITH_MONSTERS: Final = (LegalSubjects.ANY, LegalSubjects.OTHERS)
SUBJECTS_EXCEPT_CASTER: Final = (LegalSubjects.OTHERS, LegalSubjects.OPPONENTS)


class Duration(StrEnum):
    """The turns in which an enchantment acts, if it was cast in turn t."""

    INSTANT = "instant"
    NEXT_TURN = "t+1"
    THREE_TURNS = "t+1..t+3"
    FOUR_TURNS = "t..t+3"
    UNTIL_REMOVED = "until removed"
    SIX_TURNS = "dies at the end of t+5"
    THREE_FROM_NOW = "t..t+2"
    SEVEN_TURNS = "dies at the end of t+6"


TURNS_OF_DURATION: Final[Mapping[Duration, tuple[int, int | None]]] = {
    Duration.NEXT_TURN: (1, 1),
    Duration.THREE_TURNS: (1, 3),
    Duration.FOUR_TURNS: (0, 3),
    Duration.UNTIL_REMOVED: (0, None),
    Duration.SIX_TURNS: (0, 5),
    Duration.THREE_FROM_NOW: (0, 2),
    Duration.SEVEN_TURNS: (0, 6),
}
"""First and last active turn, counted from the turn of casting; None if there is no last one."""


class CasterDecision(StrEnum):
    """The decision that a spell leaves open when it works. rules: R63, R81"""

    NOTHING = "nothing"
    HAND = "which hand it affects"
    ELEMENT = "fire or ice"


class HandEffect(StrEnum):
    """The effect of a mind spell on its subject's hands. rules: R79, R80, R82, R86, R87

    The strongest effects come first. If two of them keep a monster idle, the first is reported.
    """

    HELD = "the hand that the caster names stays as it was"
    REPEATED = "both repeat their gestures"
    FRIGHTENED = "both make only the letters that fear allows"
    COPIED = "the left one copies the right one"
    DRAWN = "one random hand makes a random letter"
    CHARMED = "the hand that the caster names makes the letter that the caster writes"
    FREE = "both are free"


DIRECTED_EFFECTS: Final = (HandEffect.HELD, HandEffect.CHARMED)
"""Effects that the caster directs at a hand."""
ONE_HANDED_EFFECTS: Final = (*DIRECTED_EFFECTS, HandEffect.DRAWN)
"""Effects on one hand that leave the other hand free."""


class VictimEffect(StrEnum):
    """The victim of a monster that is under this mind spell. rules: R83, W15"""

    ORDERED = "the victim that its controller names"
    LAST = "its last victim"
    DRAWN = "a random victim"
    NOBODY = "no one"


class Guard(StrEnum):
    """The guard that a spell gives its subject before other spells reach it. rules: R35-R48

    `Wizard.guards` contains these values. An enchantment gives its guard as long as it lasts.
    """

    NONE = ""
    SHIELD = "shield"
    COUNTER = "counter_spell"  # which includes a shield
    MIRROR = "magic_mirror"


class RemovalEffect(StrEnum):
    """The things that a spell ends. rules: R46-R53"""

    NOTHING = "nothing"
    ENCHANTMENTS = "all enchantments on its subject, and a monster"
    MAGIC = "all other spells, all enchantments, and all monsters; its subject has a shield"


class SightEffect(StrEnum):
    """The effect of a spell on sight while it lasts. rules: R94, R95"""

    CLEAR = "nothing"
    BLIND = "its subject does not see anyone else"
    HIDDEN = "no one else sees its subject"


class CaptureEffect(StrEnum):
    """The effect of a waiting spell on a later spell that its subject completes. rules: R102"""

    NONE = "nothing"
    BANKS = "keeps it for later"
    EXTENDS = "makes it permanent"


FIRE, ICE = "fire", "ice"
OPPOSITE_ELEMENT: Final = {FIRE: ICE, ICE: FIRE}
BEAST_KINDS: Final = ("goblin", "ogre", "troll", "giant")
ALL_MONSTER_KINDS: Final = (*BEAST_KINDS, FIRE, ICE)
DEADLY_DURATIONS: Final = (Duration.SIX_TURNS, Duration.SEVEN_TURNS)
"""Durations that end with the subject's death."""
UNDECIDED_ELEMENTAL: Final = "elemental"
"""The kind of an elemental until fire or ice is chosen."""
STOPPING_GUARDS: Final = (Guard.COUNTER, Guard.MIRROR)
"""The guards that stop other spells; the first takes precedence over the second."""


@dataclass(frozen=True, slots=True, eq=False)
class Spell:
    """One row of the book. `amount` is the number of points that it deals or cures.

    Rows are compared by identity, because comparing all their fields is slow.
    """

    id: str
    name: str
    patterns: tuple[str, ...]
    class_: SpellClass
    default: DefaultSubject
    works: AffectedBeings = AffectedBeings.ALL
    lasts: Duration = Duration.INSTANT
    amount: int = 0
    # The kind of monster that the spell makes, or "elemental" if fire or ice is chosen later.
    monster: str = ""
    mind: bool = False
    can_be_permanent: bool = False
    # Whether the spell may be aimed at a monster's corpse.
    on_corpses: bool = True
    # Whether the spell may be aimed at a dead wizard. rules: R54
    on_dead_wizards: bool = False
    # Whether the spell may be cast without a target.
    nowhere: bool = True
    # Whether a spell on the whole arena may have a subject. rules: W3
    aimable: bool = False
    # The pattern with which the spell can be cast only once in a duel.
    once_by: str = ""
    legal: LegalSubjects = LegalSubjects.ANY
    # Whether a mirror sends the spell back. rules: R40
    reflectable: bool = True
    # Whether a counter-spell stops the spell. rules: R37
    counterable: bool = True
    # Whether a shield stops the spell. rules: turn:shield
    shieldable: bool = False
    # The spell's element ("fire" or "ice") if resistance to it protects from the spell. rules: R69
    element: str = ""
    # The element ("fire" or "ice") that the spell protects its subject from.
    resists: str = ""
    # The kinds of monsters that the spell destroys before they attack. rules: R68, R69
    destroys: tuple[str, ...] = ()
    # The illnesses that the spell ends. rules: R90
    heals: tuple[str, ...] = ()
    # Whether a removal in the same turn ends this enchantment. rules: R52, W30
    removable: bool = True
    # Whether the spell is cast to help its subject.
    helps: bool = False
    # Whether the spell harms its subject other than by damage.
    harms: bool = False
    # Whether the subject dies despite cures. rules: spell:finger_of_death
    slays: bool = False
    # Whether the spell raises the dead. rules: R54, R59
    raises: bool = False
    # Whether the caster gives up a monster for the spell. rules: R24
    gives_up: bool = False
    # Whether a monster obeys the caster from then on. rules: spell:charm_monster
    takes_over: bool = False
    # Whether casts by different wizards on one being cancel each other. rules: R76
    one_master: bool = False
    # The guard that the spell gives its subject. rules: R35-R48
    guard: Guard = Guard.NONE
    # The things that the spell ends. rules: R46-R53
    unmakes: RemovalEffect = RemovalEffect.NOTHING
    # The effect of the spell on sight. rules: R94, R95
    eyes: SightEffect = SightEffect.CLEAR
    # The effect of the spell on the later spell that it waits for. rules: R102
    takes: CaptureEffect = CaptureEffect.NONE
    # Whether the spell breaks its subject's sequences. rules: R93
    breaks: bool = False
    # Whether the spell lets its subject act once more. rules: R98, R99
    stops_time: bool = False
    # Whether the spell lets its subject act twice as often. rules: R97, W9
    hastens: bool = False
    asks: CasterDecision = CasterDecision.NOTHING
    # The effect of a mind spell on a wizard's hands. rules: R79
    hands: HandEffect = HandEffect.FREE
    # The effect of a mind spell on a monster's victim. rules: R83, W15
    victims: VictimEffect = VictimEffect.ORDERED
    # Whether the spell affects the whole arena.
    is_area: bool = field(init=False)
    is_enchantment: bool = field(init=False)
    is_illness: bool = field(init=False)  # its subject dies when it ends
    stops_spells: bool = field(init=False)  # it acts before other spells reach their subjects

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_area", self.default is DefaultSubject.NONE)
        object.__setattr__(self, "is_enchantment", self.class_ is SpellClass.ENCHANTMENT)
        object.__setattr__(self, "is_illness", self.lasts in DEADLY_DURATIONS)
        stops = self.guard in STOPPING_GUARDS or self.unmakes is RemovalEffect.MAGIC
        object.__setattr__(self, "stops_spells", stops)

    @property
    def is_shield(self) -> bool:
        """Whether the spell shields its subject only in the turn in which it is cast."""
        return self.guard is Guard.SHIELD and not self.is_enchantment

    @property
    def rule(self) -> str:
        """The anchor of this spell in RULES.md."""
        return f"spell:{self.id}"


_P, _S, _D, _E = (
    SpellClass.PROTECTION,
    SpellClass.SUMMONS,
    SpellClass.DAMAGING,
    SpellClass.ENCHANTMENT,
)
_SELF, _OPP, _NONE = DefaultSubject.SELF, DefaultSubject.OPPONENT, DefaultSubject.NONE

# fmt: off
BARTLE_SPELLBOOK: Final[tuple[Spell, ...]] = (
    Spell("shield", "Shield", ("P",), _P, _SELF, helps=True, guard=Guard.SHIELD),
    Spell("remove_enchantment", "Remove Enchantment", ("PDWP",), _P, _SELF, unmakes=RemovalEffect.ENCHANTMENTS),
    Spell("magic_mirror", "Magic Mirror", ("cw",), _P, _SELF, reflectable=False, helps=True, guard=Guard.MIRROR),
    Spell("counter_spell", "Counter-spell", ("WPP", "WWS"), _P, _SELF, on_corpses=False, reflectable=False, counterable=False, guard=Guard.COUNTER),
    Spell("dispel_magic", "Dispel Magic", ("cDPW",), _P, _SELF, reflectable=False, counterable=False, unmakes=RemovalEffect.MAGIC),
    Spell("raise_dead", "Raise Dead", ("DWWFWc",), _P, _SELF, amount=5, on_dead_wizards=True, raises=True, helps=True),
    Spell("cure_light_wounds", "Cure Light Wounds", ("DFW",), _P, _SELF, amount=1, helps=True),
    Spell("cure_heavy_wounds", "Cure Heavy Wounds", ("DFPW",), _P, _SELF, amount=2, heals=("disease",), helps=True),

    Spell("summon_goblin", "Summon Goblin", ("SFW",), _S, _SELF, AffectedBeings.EARTHLY, monster="goblin", on_corpses=False),
    Spell("summon_ogre", "Summon Ogre", ("PSFW",), _S, _SELF, AffectedBeings.EARTHLY, monster="ogre", on_corpses=False),
    Spell("summon_troll", "Summon Troll", ("FPSFW",), _S, _SELF, AffectedBeings.EARTHLY, monster="troll", on_corpses=False),
    Spell("summon_giant", "Summon Giant", ("WFPSFW",), _S, _SELF, AffectedBeings.EARTHLY, monster="giant", on_corpses=False),
    Spell("summon_elemental", "Summon Elemental", ("cSWWS",), _S, _SELF, AffectedBeings.EARTHLY, monster="elemental", on_corpses=False, nowhere=False, asks=CasterDecision.ELEMENT),

    Spell("missile", "Missile", ("SD",), _D, _OPP, amount=1, shieldable=True),
    Spell("finger_of_death", "Finger of Death", ("PWPFSSSD",), _D, _OPP, counterable=False, slays=True),
    Spell("lightning_bolt", "Lightning Bolt", ("DFFDD", "WDDc"), _D, _OPP, amount=5, once_by="WDDc"),
    Spell("cause_light_wounds", "Cause Light Wounds", ("WFP",), _D, _OPP, amount=2),
    Spell("cause_heavy_wounds", "Cause Heavy Wounds", ("WPFD",), _D, _OPP, amount=3),
    Spell("fireball", "Fireball", ("FSSDD",), _D, _OPP, amount=5, element=FIRE, destroys=(ICE,)),
    Spell("fire_storm", "Fire Storm", ("SWWc",), _D, _NONE, amount=5, on_corpses=False, nowhere=False, reflectable=False, element=FIRE),
    Spell("ice_storm", "Ice Storm", ("WSSc",), _D, _NONE, amount=5, on_corpses=False, nowhere=False, reflectable=False, element=ICE),

    Spell("amnesia", "Amnesia", ("DPP",), _E, _OPP, AffectedBeings.EARTHLY, Duration.NEXT_TURN, mind=True, can_be_permanent=True, hands=HandEffect.REPEATED, victims=VictimEffect.LAST, harms=True),
    Spell("confusion", "Confusion", ("DSF",), _E, _OPP, AffectedBeings.EARTHLY, Duration.NEXT_TURN, mind=True, can_be_permanent=True, hands=HandEffect.DRAWN, victims=VictimEffect.DRAWN, harms=True),
    Spell("charm_person", "Charm Person", ("PSDF",), _E, _OPP, AffectedBeings.WIZARDS, Duration.NEXT_TURN, mind=True, can_be_permanent=True, one_master=True, asks=CasterDecision.HAND, hands=HandEffect.CHARMED, harms=True),
    Spell("charm_monster", "Charm Monster", ("PSDD",), _E, _OPP, AffectedBeings.BEASTS, Duration.INSTANT, mind=True, can_be_permanent=True, takes_over=True, one_master=True),
    Spell("paralysis", "Paralysis", ("FFF",), _E, _OPP, AffectedBeings.EARTHLY, Duration.NEXT_TURN, mind=True, can_be_permanent=True, asks=CasterDecision.HAND, hands=HandEffect.HELD, victims=VictimEffect.NOBODY, harms=True),
    Spell("fear", "Fear", ("SWD",), _E, _OPP, AffectedBeings.WIZARDS, Duration.NEXT_TURN, mind=True, can_be_permanent=True, hands=HandEffect.FRIGHTENED, harms=True),
    Spell("anti_spell", "Anti-spell", ("SPF",), _E, _OPP, AffectedBeings.WIZARDS, harms=True, breaks=True),
    Spell("protection_from_evil", "Protection from Evil", ("WWP",), _E, _SELF, AffectedBeings.ALL, Duration.FOUR_TURNS, can_be_permanent=True, helps=True, guard=Guard.SHIELD),
    Spell("resist_heat", "Resist Heat", ("WWFP",), _E, _SELF, AffectedBeings.ALL, Duration.UNTIL_REMOVED, can_be_permanent=True, resists=FIRE, destroys=(FIRE,), helps=True),
    Spell("resist_cold", "Resist Cold", ("SSFP",), _E, _SELF, AffectedBeings.ALL, Duration.UNTIL_REMOVED, can_be_permanent=True, resists=ICE, destroys=(ICE,), helps=True),
    Spell("disease", "Disease", ("DSFFFc",), _E, _OPP, AffectedBeings.ALL, Duration.SIX_TURNS, harms=True),
    Spell("poison", "Poison", ("DWWFWD",), _E, _OPP, AffectedBeings.ALL, Duration.SIX_TURNS, harms=True),
    Spell("blindness", "Blindness", ("DWFFd",), _E, _OPP, AffectedBeings.ALL, Duration.THREE_TURNS, can_be_permanent=True, destroys=ALL_MONSTER_KINDS, harms=True, eyes=SightEffect.BLIND),
    Spell("invisibility", "Invisibility", ("PPws",), _E, _SELF, AffectedBeings.ALL, Duration.THREE_TURNS, can_be_permanent=True, destroys=ALL_MONSTER_KINDS, helps=True, eyes=SightEffect.HIDDEN),
    Spell("haste", "Haste", ("PWPWWc",), _E, _SELF, AffectedBeings.ALL, Duration.THREE_TURNS, can_be_permanent=True, helps=True, hastens=True),
    Spell("time_stop", "Time Stop", ("SPPc",), _E, _SELF, helps=True, stops_time=True),
    Spell("delayed_effect", "Delayed Effect", ("DWSSSP",), _E, _SELF, AffectedBeings.WIZARDS, Duration.FOUR_TURNS, helps=True, takes=CaptureEffect.BANKS),
    Spell("permanency", "Permanency", ("SPFPSDW",), _E, _SELF, AffectedBeings.WIZARDS, Duration.FOUR_TURNS, helps=True, takes=CaptureEffect.EXTENDS),
)
# fmt: on


STAB_ROW: Final = Spell(
    "stab", "Stab", (">",), _D, _OPP, amount=1, shieldable=True, on_dead_wizards=True, nowhere=False,
    legal=LegalSubjects.OTHERS,
)  # fmt: skip
"""The row of the stab, which is not a spell but also has legal subjects and damage. rules: R17"""


def revised_spellbook(
    book: Sequence[Spell],
    rows: Mapping[str, FieldChanges],
    *,
    without: Sequence[str] = (),
    added: Sequence[Spell] = (),
) -> tuple[Spell, ...]:
    """Return the book with changed rows, by spell id, and new rows at the end of their class.

    Raises ValueError for an id that the book does not have.
    """
    known = {spell.id for spell in book}
    for id in (*rows, *without):
        if id not in known:
            raise ValueError(f"the book has no {id}")
    new = [replace(spell, **rows.get(spell.id, {})) for spell in book if spell.id not in without]
    for spell in added:
        place = max(n for n, other in enumerate(new) if other.class_ is spell.class_)
        new.insert(place + 1, spell)
    return tuple(new)


@dataclass(frozen=True, slots=True)
class MonsterKind:
    """A kind of monster: the damage that it deals, the damage that kills it, any element."""

    id: str
    name: str
    attack: int
    limit: int
    element: str = ""  # "fire", "ice", "unknown" or ""


MONSTER_KINDS: Final[Mapping[str, MonsterKind]] = {
    kind.id: kind
    for kind in (
        MonsterKind("goblin", "Goblin", 1, 1),
        MonsterKind("ogre", "Ogre", 2, 2),
        MonsterKind("troll", "Troll", 3, 3),
        MonsterKind("giant", "Giant", 4, 4),
        MonsterKind("fire", "Fire Elemental", 3, 3, "fire"),
        MonsterKind("ice", "Ice Elemental", 3, 3, "ice"),
        MonsterKind(UNDECIDED_ELEMENTAL, "Elemental", 3, 3, "unknown"),
    )
}
"""All kinds of monsters, by id. Rulesets can change the numbers (`Ruleset.monsters`). rules: R61"""
MAX_SURPLUS_HIT_POINTS: Final = 15  # maximum `surplus` of any ruleset
