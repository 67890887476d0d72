"""What a row of the book can say: each of its fields is read by the phase that owns the spell, or
stands at the value that says nothing. A row that a phase would only pretend to follow is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from engine.rulesets.choices import NUMBERED, SEALED, STEPWISE
from engine.spellbook import (
    DIRECTED,
    FOR_MONSTERS,
    MONSTER_KINDS,
    SPANS,
    UNDECIDED,
    Asks,
    Class,
    Default,
    Hands,
    Lasts,
    Legal,
    MonsterKind,
    Spell,
    Victims,
    Works,
)


class Owner(StrEnum):
    """What the phase does that owns a spell."""

    GUARDS = "stands about its subject"
    REMOVES = "removes enchantments"
    CURES = "cures"
    SUMMONS = "makes monsters"
    STRIKES = "does damage"
    SLAYS = "kills or gives up a monster"
    STORMS = "strikes everybody"
    BINDS = "binds a mind on the next turn"
    MASTERS = "gives a monster another master"
    BREAKS = "breaks sequences"
    STOPS = "stops time"
    WAITS = "waits for another spell"
    LASTS = "is in force"


_OWNERS: Final = {
    Owner.GUARDS: ("shield", "counter_spell", "magic_mirror", "dispel_magic"),
    Owner.REMOVES: ("remove_enchantment",),
    Owner.CURES: ("raise_dead", "cure_light_wounds", "cure_heavy_wounds"),
    Owner.STORMS: ("fire_storm", "ice_storm"),
    Owner.BINDS: ("amnesia", "confusion", "charm_person", "paralysis", "fear"),
    Owner.BREAKS: ("anti_spell",),
    Owner.STOPS: ("time_stop",),
    Owner.WAITS: ("delayed_effect", "permanency"),
}
_OWNER: Final = {id: owner for owner, ids in _OWNERS.items() for id in ids}
_CLASSES: Final = {
    Class.PROTECTION: Owner.CURES,
    Class.SUMMONS: Owner.SUMMONS,
    Class.DAMAGING: Owner.STRIKES,
    Class.ENCHANTMENT: Owner.LASTS,
}
_CLASS_OF: Final = {
    **dict.fromkeys((Owner.GUARDS, Owner.REMOVES, Owner.CURES), Class.PROTECTION),
    Owner.SUMMONS: Class.SUMMONS,
    **dict.fromkeys((Owner.STRIKES, Owner.SLAYS, Owner.STORMS), Class.DAMAGING),
}  # of all others ENCHANTMENT
_MINDS: Final = (Owner.BINDS, Owner.MASTERS)
_STRIKING: Final = (Owner.STRIKES, Owner.SLAYS)

_READERS: Final[Mapping[str, tuple[object, tuple[Owner, ...]]]] = {
    "amount": (0, (Owner.STRIKES, Owner.STORMS, Owner.CURES)),
    "shieldable": (False, _STRIKING),
    "element": ("", (*_STRIKING, Owner.STORMS)),
    "resists": ("", (Owner.LASTS,)),
    "destroys": ((), (*_STRIKING, Owner.LASTS)),
    "heals": ((), (Owner.CURES,)),
    "slays": (False, (Owner.SLAYS,)),
    "gives_up": (False, (Owner.SLAYS,)),
    "raises": (False, (Owner.CURES,)),
    "takes_over": (False, (Owner.MASTERS,)),
    "one_master": (False, _MINDS),
    "monster": ("", (Owner.SUMMONS,)),
    "hands": (Hands.FREE, (Owner.BINDS,)),
    "victims": (Victims.ORDERED, (Owner.BINDS,)),
}
"""By field: the value that says nothing, and whose phases read another."""

_WORKS: Final[Mapping[Owner, tuple[Works, ...]]] = {
    **dict.fromkeys((Owner.GUARDS, Owner.CURES, Owner.STORMS, *_STRIKING), (Works.ALL,)),
    Owner.MASTERS: (Works.MONSTERS, Works.BEASTS),
    Owner.BREAKS: (Works.WIZARDS,),
    Owner.WAITS: (Works.WIZARDS,),
}
"""On whom a spell can work, of those that are not free to say."""

_DIRECTED: Final = {"paralysis": Hands.HELD, "charm_person": Hands.CHARMED}
"""Those for which an order sheet has a place where their caster writes."""
_CHARMS: Final = ("charm_person", "charm_monster")
_UNRETURNED: Final = ("counter_spell", "magic_mirror", "dispel_magic")
_NEVER_COUNTERED: Final = ("counter_spell", "dispel_magic")
_AT_NOBODY: Final = {
    "on_corpses": False,
    "on_dead_wizards": False,
    "nowhere": False,
    "legal": Legal.ANY,
}
"""What is said of the subjects of a spell that has none."""

_OFFSETS: Final[Mapping[str, Mapping[str, int]]] = {
    SEALED: {"blindness": 1},
    NUMBERED: dict.fromkeys(("blindness", "invisibility", "delayed_effect", "permanency"), 1),
    STEPWISE: {
        **dict.fromkeys(("blindness", "invisibility", "haste", "delayed_effect", "permanency"), 1),
        **dict.fromkeys(
            ("protection_from_evil", "resist_heat", "resist_cold", "disease", "poison"), 0
        ),
    },
}
"""By order of play: the turn after that of its casting on which the enchantment begins to act,
where the place of its phase has settled that."""


def owner(spell: Spell) -> Owner:
    """The phase that owns the spell; one that the first book does not know goes by its class."""
    known = _OWNER.get(spell.id)
    if known is not None:
        return known
    if spell.default is Default.NONE and spell.class_ is Class.DAMAGING:
        return Owner.STORMS
    if spell.slays or spell.gives_up:
        return Owner.SLAYS
    if spell.takes_over:
        return Owner.MASTERS
    return Owner.BINDS if spell.mind else _CLASSES[spell.class_]


def row_refusals(order_of_play: str, spells: Iterable[Spell]) -> Iterator[str]:
    """What no phase of the order of play would follow in these rows, each with the reason."""
    storms: dict[str, str] = {}
    resisting: dict[str, str] = {}
    for spell in spells:
        for refused in _RULES:
            for field, reason in refused(order_of_play, spell):
                yield f"{spell.id}: {field} cannot be {getattr(spell, field)!r}: {reason}"
        if owner(spell) is Owner.STORMS:
            other = storms.setdefault(spell.element, spell.id)
            if other != spell.id or not spell.element:
                yield f"{spell.id}: element cannot be {spell.element!r}: each storm has its own"
        if spell.resists and resisting.setdefault(spell.resists, spell.id) != spell.id:
            yield f"{spell.id}: resists cannot be {spell.resists!r}: another spell does"


def kind_refusals(kinds: Mapping[str, MonsterKind]) -> Iterator[str]:
    """What no phase would follow of these kinds of monsters, each with the reason."""
    if tuple(kinds) != tuple(MONSTER_KINDS):
        yield "monsters: the kinds are stored by name, and come in the order of the book"
        return
    for id, kind in kinds.items():
        if kind.id != id or kind.element != MONSTER_KINDS[id].element:
            yield f"{id}: its element is known by its name"
        if id == UNDECIDED and kind != MONSTER_KINDS[id]:
            yield f"{id}: it is of fire or of ice before it does anything"
        if kind.attack < 0:
            yield f"{id}: attack cannot be {kind.attack}: attacks do not heal"
        if kind.limit < 1:
            yield f"{id}: limit cannot be {kind.limit}: it would be dead as it is made"
    if len({kind.name for kind in kinds.values()}) != len(kinds):
        yield "monsters: two kinds have one name"


Refused = Iterator[tuple[str, str]]
"""Fields of a row that say what is not played, with the reasons."""


def _unread(order_of_play: str, spell: Spell) -> Refused:
    own = owner(spell)
    for field, (silent, readers) in _READERS.items():
        if own not in readers and getattr(spell, field) != silent:
            yield field, f"its phase {own}, and does not look at it"
    if order_of_play == STEPWISE and spell.gives_up:
        yield "gives_up", "no step takes a monster for a spell"
    if order_of_play == STEPWISE and own is Owner.SLAYS:
        for field in ("shieldable", "element"):
            if getattr(spell, field):
                yield field, "nothing saves from it in stepwise play"


def _fixed(order_of_play: str, spell: Spell) -> Refused:
    own = owner(spell)
    if spell.class_ is not _CLASS_OF.get(own, Class.ENCHANTMENT):
        yield "class_", f"its phase {own}"
    if spell.mind != (own in _MINDS):
        yield "mind", f"its phase {own}"
    if spell.works not in _WORKS.get(own, tuple(Works)):
        yield "works", f"its phase {own}"
    if spell.gives_up and spell.slays:
        yield "gives_up", "it kills outright"
    if spell.raises and not (spell.on_corpses or spell.on_dead_wizards):
        yield "raises", "it can be written at nobody dead"
    if spell.works is Works.WIZARDS and spell.victims is not Victims.ORDERED:
        yield "victims", "no monster comes under it"
    if spell.works in FOR_MONSTERS and spell.hands is not Hands.FREE:
        yield "hands", "no wizard comes under it"
    if spell.hands in DIRECTED and spell.hands is not _DIRECTED.get(spell.id):
        yield "hands", "its caster has no place to name one"
    if spell.asks not in (Asks.NOTHING, _asked(spell)):
        yield "asks", "its phase has nothing of the kind to ask"
    if spell.reflectable and (spell.id in _UNRETURNED or own is Owner.STORMS):
        yield "reflectable", "no mirror stands yet, or it has no subject"
    if spell.counterable and spell.id in _NEVER_COUNTERED:
        yield "counterable", "no counter-spell stands yet"


def _asked(spell: Spell) -> Asks:
    """The question that its phase can put."""
    if spell.monster == UNDECIDED:
        return Asks.ELEMENT
    return Asks.HAND if spell.hands in DIRECTED else Asks.NOTHING


def _lasting(order_of_play: str, spell: Spell) -> Refused:
    own = owner(spell)
    if own is Owner.BINDS:
        if spell.lasts is not Lasts.NEXT_TURN:
            yield "lasts", "a mind is bound for the next turn"
    elif own is Owner.STOPS:
        if order_of_play != SEALED and spell.lasts is not Lasts.INSTANT:
            yield "lasts", "it has one extra turn to give"
    elif own in (Owner.LASTS, Owner.WAITS):
        if spell.lasts is Lasts.INSTANT:
            yield "lasts", f"its phase {own}"
            return
        first, _ = SPANS[spell.lasts]
        due = _OFFSETS.get(order_of_play, {}).get(spell.id, first)
        if first != due:
            begins = "on the next turn" if due else "at once"
            yield "lasts", f"in {order_of_play} play its phase has it act {begins}"
    elif spell.lasts is not Lasts.INSTANT:
        yield "lasts", f"its phase {own}, and is done with it"


def _subjects(order_of_play: str, spell: Spell) -> Refused:
    if order_of_play == NUMBERED:
        yield from _subjects_of_numbered_play(spell)
    elif spell.is_area:
        for field, silent in _AT_NOBODY.items():
            if getattr(spell, field) != silent:
                yield field, "it has no subject"
    elif order_of_play == STEPWISE and spell.legal is Legal.WIZARDS:
        if spell.on_corpses:
            yield "on_corpses", "it goes at wizards alone"
        if spell.monster and spell.works is not Works.EARTHLY:
            yield "works", "it goes at wizards alone"


def _standing(order_of_play: str, spell: Spell) -> Refused:
    if spell.aimable and not spell.is_area:
        yield "aimable", "a spell that takes a subject needs nothing that says so"
    if spell.harms and (spell.class_ is Class.DAMAGING or spell.is_area):
        yield "harms", "its damage does, or it has no subject"
    if spell.helps and (spell.harms or spell.class_ is Class.DAMAGING):
        yield "helps", "it harms"
    if spell.helps and (spell.monster or spell.takes_over):
        yield "helps", "a monster helps whom it obeys"
    if not spell.removable:
        if not spell.is_enchantment:
            yield "removable", "enchantments alone are removed"
        elif order_of_play == STEPWISE and owner(spell) not in (Owner.BREAKS, Owner.WAITS):
            yield "removable", "in stepwise play a removal comes when it is in force"


def _subjects_of_numbered_play(spell: Spell) -> Refused:
    """Storms and elementals come whatever subject is written. rules: W3, W43"""
    if spell.is_area:
        if spell.on_dead_wizards:
            yield "on_dead_wizards", "nobody is raised"
        if spell.reflectable:
            yield "reflectable", "it comes whatever its subject"
        if spell.monster and spell.works is not Works.EARTHLY:
            yield "works", "it comes whatever its subject"
    if spell.one_master != (spell.id in _CHARMS):
        yield "one_master", "any two that reach one being cancel"


_RULES: Final[tuple[Callable[[str, Spell], Refused], ...]] = (
    _unread,
    _fixed,
    _lasting,
    _subjects,
    _standing,
)
