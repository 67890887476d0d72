"""Events: one class for each kind of thing that can happen in a turn, without prose.

Events contain codes, ids and numbers. A being is named by id; `by` is the wizard or monster that
acted, or "" if none did. Causes are permanent codes, because they are stored. `view` decides how
much of an event an observer may see.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, cast, get_args


@dataclass(frozen=True, slots=True)
class Gestured:
    """A wizard made one set of gestures. rules: turn:reveal"""

    code: ClassVar[str] = "gestured"
    wizard: str
    set: int
    left: str
    right: str
    extra: bool = False  # whether it was made in an extra turn


@dataclass(frozen=True, slots=True)
class Overridden:
    """A mind spell decided a hand's gesture. `cause`: the spell. rules: turn:reveal"""

    code: ClassVar[str] = "overridden"
    wizard: str
    set: int
    hand: str
    letter: str
    cause: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class KnifeKept:
    """The free hand could not stab because the forced one has the only knife. rules: R16"""

    code: ClassVar[str] = "knife_kept"
    wizard: str
    set: int
    hand: str


@dataclass(frozen=True, slots=True)
class MindsClashed:
    """Different mind spells would have acted at the same time, so none did. rules: R79, R168"""

    code: ClassVar[str] = "minds_clashed"
    subject: str
    spells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """A die was rolled and showed `value`, from 0 to sides - 1. rules: R160"""

    code: ClassVar[str] = "drew"
    being: str
    purpose: str  # "hand", "gesture", "victim", "opponent"
    sides: int
    value: int
    result: str  # the outcome: a hand, a letter or a being
    label: str
    hand: str = ""  # L, R, BH or BANK, if its spell or stab draws an opponent. rules: W3


@dataclass(frozen=True, slots=True)
class Spoke:
    """A wizard said something at the reveal."""

    code: ClassVar[str] = "spoke"
    wizard: str
    words: str


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell was cast. `subject`: a being, a being to come, "nowhere", or "" for the arena."""

    code: ClassVar[str] = "cast"
    wizard: str
    spell: str
    hand: str
    set: int
    subject: str
    instead_of: tuple[str, ...] = ()  # other spells that these gestures completed. rules: F53
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Banked:
    """A completed spell was caught by a delayed effect. rules: R103"""

    code: ClassVar[str] = "banked"
    wizard: str
    spell: str


@dataclass(frozen=True, slots=True)
class Extended:
    """A permanency was used on a spell as it was cast. rules: R107"""

    code: ClassVar[str] = "extended"
    wizard: str
    spell: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A cast had no effect on its subject, for the reason `cause`; `by` prevented it, if known."""

    code: ClassVar[str] = "failed"
    spell: str
    wizard: str
    subject: str
    cause: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Reflected:
    """A mirror sent a spell back to its caster. rules: R40"""

    code: ClassVar[str] = "reflected"
    spell: str
    wizard: str
    subject: str


@dataclass(frozen=True, slots=True)
class Guarded:
    """A counter-spell, a mirror or a shield took effect on a being. rules: turn:shield"""

    code: ClassVar[str] = "guarded"
    subject: str
    spell: str
    wizard: str


@dataclass(frozen=True, slots=True)
class Summoned:
    """A monster was made. rules: R164"""

    code: ClassVar[str] = "summoned"
    monster: str
    kind: str
    name: str
    controller: str
    wizard: str


@dataclass(frozen=True, slots=True)
class Merged:
    """Two elementals of one kind became one. rules: R65"""

    code: ClassVar[str] = "merged"
    kept: str
    gone: str


@dataclass(frozen=True, slots=True)
class StormSpent:
    """A storm was neutralised. `cause`: the other storm or element. rules: R66"""

    code: ClassVar[str] = "storm_spent"
    spell: str
    cause: str


@dataclass(frozen=True, slots=True)
class Enchanted:
    """An enchantment took effect on a being. rules: spell:<id>"""

    code: ClassVar[str] = "enchanted"
    subject: str
    spell: str
    wizard: str
    permanent: bool = False
    hand: str = ""


@dataclass(frozen=True, slots=True)
class Removed:
    """A spell ended an active effect. `cause`: the spell. rules: R50"""

    code: ClassVar[str] = "removed"
    subject: str
    effect: str
    cause: str


@dataclass(frozen=True, slots=True)
class Lapsed:
    """An effect ended because its last turn is over. rules: turn:clock"""

    code: ClassVar[str] = "lapsed"
    subject: str
    effect: str


@dataclass(frozen=True, slots=True)
class Controlled:
    """A monster's controller changed, to "" for none. `cause`: a spell, or "left". rules: R73"""

    code: ClassVar[str] = "controlled"
    monster: str
    controller: str
    cause: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A spell, a stab or a monster's attack dealt damage. `source`: spell id, "stab", "attack"."""

    code: ClassVar[str] = "hit"
    subject: str
    amount: int
    source: str
    by: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """A stab, attack or storm did no harm. `cause`: "shield", "invisible", "resists", …"""

    code: ClassVar[str] = "stopped"
    subject: str
    source: str
    by: str
    cause: str


@dataclass(frozen=True, slots=True)
class Idle:
    """A monster did not attack. `cause`: "paralysis", "ordered", "no_victim", …"""

    code: ClassVar[str] = "idle"
    monster: str
    cause: str


@dataclass(frozen=True, slots=True)
class Cured:
    """A cure worked. `amount` is the maximum that it can heal, not the amount healed. rules: R30"""

    code: ClassVar[str] = "cured"
    subject: str
    amount: int
    spell: str
    wizard: str


@dataclass(frozen=True, slots=True)
class Wounded:
    """A being's total damage changed in this turn. rules: turn:damage"""

    code: ClassVar[str] = "wounded"
    subject: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Doomed:
    """A monster will be destroyed when the turn ends. `cause`: the spell. rules: R47, R51"""

    code: ClassVar[str] = "doomed"
    monster: str
    cause: str


@dataclass(frozen=True, slots=True)
class Raised:
    """A corpse was raised. rules: R55"""

    code: ClassVar[str] = "raised"
    subject: str
    wizard: str


@dataclass(frozen=True, slots=True)
class Died:
    """A being died. `cause`: "wounds", "heart" if they stopped their own, or a spell.

    rules: turn:deaths, W27
    """

    code: ClassVar[str] = "died"
    subject: str
    cause: str


@dataclass(frozen=True, slots=True)
class Destroyed:
    """A monster is gone and left no corpse. rules: R56, R171

    `cause`: a spell, "fire" or "ice" for an elemental of that kind, "kin" for an older elemental of
    the monster's own kind, "newer" for a newer one.
    """

    code: ClassVar[str] = "destroyed"
    subject: str
    cause: str


@dataclass(frozen=True, slots=True)
class Broke:
    """An anti-spell broke a wizard's sequences: gestures so far complete nothing. rules: R93"""

    code: ClassVar[str] = "broke"
    wizard: str


@dataclass(frozen=True, slots=True)
class TimeStopped:
    """A being gets an extra turn, or a monster an extra attack at once. rules: R98, W13"""

    code: ClassVar[str] = "time_stopped"
    subject: str


@dataclass(frozen=True, slots=True)
class Surrendered:
    """A wizard surrendered by making P with both hands. rules: R111"""

    code: ClassVar[str] = "surrendered"
    wizard: str


@dataclass(frozen=True, slots=True)
class Resigned:
    """A wizard resigned and left the duel without casting. rules: turn:resign"""

    code: ClassVar[str] = "resigned"
    wizard: str


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A wizard's time ran out, and they are out of the duel. rules: turn:forfeit"""

    code: ClassVar[str] = "forfeited"
    wizard: str


@dataclass(frozen=True, slots=True)
class WizardRemoved:
    """A referee removed a wizard from the duel. rules: turn:removal"""

    code: ClassVar[str] = "wizard_removed"
    wizard: str


@dataclass(frozen=True, slots=True)
class Won:
    """The duel is over and this wizard won it. rules: turn:winner"""

    code: ClassVar[str] = "won"
    wizard: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The duel is over and nobody won it. rules: turn:winner"""

    code: ClassVar[str] = "drawn"
    wizards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkerTaken:
    """The winner takes a marker that bears the subject's name. rules: R114"""

    code: ClassVar[str] = "marker_taken"
    wizard: str
    subject: str


@dataclass(frozen=True, slots=True)
class MarkersReturned:
    """A wizard who died gives back every marker they had won. rules: R114"""

    code: ClassVar[str] = "markers_returned"
    wizard: str


Event = (
    Gestured
    | Overridden
    | KnifeKept
    | MindsClashed
    | Drew
    | Spoke
    | Cast
    | Banked
    | Extended
    | Failed
    | Reflected
    | Guarded
    | Summoned
    | Merged
    | StormSpent
    | Enchanted
    | Removed
    | Lapsed
    | Controlled
    | Hit
    | Stopped
    | Idle
    | Cured
    | Wounded
    | Doomed
    | Raised
    | Died
    | Destroyed
    | Broke
    | TimeStopped
    | Surrendered
    | Resigned
    | Forfeited
    | WizardRemoved
    | Won
    | Drawn
    | MarkerTaken
    | MarkersReturned
)
"""Anything that can happen in a turn. Each class has its own `code`."""

EVENT_CLASSES: Final = cast("tuple[type[Event], ...]", get_args(Event))
EVENT_CLASS_BY_CODE: Final = {event.code: event for event in EVENT_CLASSES}

FAILURE_CAUSES: Final = (
    "dispelled",  # a Dispel Magic stopped it
    "countered",  # its subject is under a counter-spell
    "nowhere",  # its orders named no subject
    "no_subject",  # its subject does not exist
    "corpse",  # its subject is a corpse that is not raised
    "too_early",  # its subject is being made this turn. rules: W36, W38
    "mirrors",  # it was lost between two mirrors
    "removed",  # a Remove Enchantment on its subject ended it
    "cured",  # a Cure Heavy Wounds ended this turn's disease. rules: R90
    "raised",  # a Raise Dead on its subject removed it. rules: R137
    "mind_conflict",  # a different mind spell reached its subject. rules: R77
    "mind_in_force",  # a mind spell of another kind is at work on its subject. rules: R78
    "mind_waits",  # it and a mind spell that was waiting cancel each other. rules: W17
    "mind_lasts",  # a permanent mind spell blocks it. rules: W26
    "two_charmers",  # another caster cast the same charm at its subject
    "unsuitable",  # it has no effect on such a being
    "opposed",  # a Finger of Death and a Raise Dead cancel each other
    "blind",  # its caster cannot see its subject. rules: R94
    "unseen",  # its subject is invisible. rules: R95
    "spent",  # its caster had used the short lightning bolt already. rules: R18
    "no_master",  # a monster's mirror reflected a charm or paralysis. rules: R43
    "invisible",  # it cannot harm an invisible subject
    "shield",  # a shield stopped it
    "resists",  # heat or cold resisted
    "storm",  # it is a fireball, and its subject is under an Ice Storm
    "powerless",  # a Sacrifice, which no rule gives an effect. rules: R24
    "nothing_given",  # a Sacrifice for which its caster gives up no monster. rules: R24
    "already",  # an earlier cast of the same spell has done its work
)

HARMLESS_BLOW_CAUSES: Final = (
    "shield",  # a shield stops it
    "invisible",  # its target is invisible
    "resists",  # heat or cold resisted
    "blind",  # the stabber does not see the subject
    "no_subject",  # the stab has no target
    "counter_spell",  # a Counter-spell protects its subject from the storm
    "fireball",  # a fireball protects its subject from the Ice Storm
)
"""Causes for which a stab, an attack or a storm does no harm."""

NO_ATTACK_CAUSES: Final = (
    "ordered",  # it is ordered to attack no one
    "uncontrolled",  # it has no controller
    "no_victim",  # its victim does not exist
)
"""Causes for which a monster does not attack, apart from mind spells."""
