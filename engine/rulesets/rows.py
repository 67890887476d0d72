"""Checks of spellbook rows. A row is rejected if a phase would silently ignore one of its fields.

Each field of a row is either read by the phase that owns the spell or has its neutral value.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from engine.rulesets.choices import NUMBERED, SEALED, STEPWISE
from engine.spellbook import (
    DIRECTED_EFFECTS,
    MONSTER_KINDS,
    STOPPING_GUARDS,
    TURNS_OF_DURATION,
    UNDECIDED_ELEMENTAL,
    WORKS_ON_MONSTERS,
    AffectedBeings,
    CaptureEffect,
    CasterDecision,
    DefaultSubject,
    Duration,
    Guard,
    HandEffect,
    LegalSubjects,
    MonsterKind,
    RemovalEffect,
    SightEffect,
    Spell,
    SpellClass,
    VictimEffect,
)


class OwningPhase(StrEnum):
    """The task of the phase that owns a spell."""

    GUARDS = "guards its subject"
    REMOVES = "removes enchantments"
    CURES = "cures"
    SUMMONS = "makes monsters"
    STRIKES = "does damage"
    SLAYS = "kills or gives up a monster"
    STRIKES_EVERYONE = "strikes everyone"
    BINDS_MIND = "binds a mind on the next turn"
    CHANGES_MASTER = "gives a monster another master"
    BREAKS_SEQUENCES = "breaks sequences"
    STOPS_TIME = "stops time"
    CAPTURES = "captures another spell"
    LASTS = "is in force"


_PHASE_OF_CLASS: Final = {
    SpellClass.PROTECTION: OwningPhase.CURES,
    SpellClass.SUMMONS: OwningPhase.SUMMONS,
    SpellClass.DAMAGING: OwningPhase.STRIKES,
    SpellClass.ENCHANTMENT: OwningPhase.LASTS,
}
_CLASS_OF_PHASE: Final = {
    **dict.fromkeys(
        (OwningPhase.GUARDS, OwningPhase.REMOVES, OwningPhase.CURES), SpellClass.PROTECTION
    ),
    OwningPhase.SUMMONS: SpellClass.SUMMONS,
    **dict.fromkeys(
        (OwningPhase.STRIKES, OwningPhase.SLAYS, OwningPhase.STRIKES_EVERYONE), SpellClass.DAMAGING
    ),
}  # all other phases own enchantments
_MIND_PHASES: Final = (OwningPhase.BINDS_MIND, OwningPhase.CHANGES_MASTER)
_STRIKING_PHASES: Final = (OwningPhase.STRIKES, OwningPhase.SLAYS)

_READING_PHASES: Final[Mapping[str, tuple[object, tuple[OwningPhase, ...]]]] = {
    "amount": (0, (OwningPhase.STRIKES, OwningPhase.STRIKES_EVERYONE, OwningPhase.CURES)),
    "shieldable": (False, _STRIKING_PHASES),
    "element": ("", (*_STRIKING_PHASES, OwningPhase.STRIKES_EVERYONE)),
    "resists": ("", (OwningPhase.LASTS,)),
    "destroys": ((), (*_STRIKING_PHASES, OwningPhase.LASTS)),
    "heals": ((), (OwningPhase.CURES,)),
    "slays": (False, (OwningPhase.SLAYS,)),
    "gives_up": (False, (OwningPhase.SLAYS,)),
    "raises": (False, (OwningPhase.CURES,)),
    "takes_over": (False, (OwningPhase.CHANGES_MASTER,)),
    "one_master": (False, _MIND_PHASES),
    "monster": ("", (OwningPhase.SUMMONS,)),
    "hands": (HandEffect.FREE, (OwningPhase.BINDS_MIND,)),
    "victims": (VictimEffect.ORDERED, (OwningPhase.BINDS_MIND,)),
    "guard": (Guard.NONE, (OwningPhase.GUARDS, OwningPhase.LASTS)),
    "unmakes": (RemovalEffect.NOTHING, (OwningPhase.GUARDS, OwningPhase.REMOVES)),
    "eyes": (SightEffect.CLEAR, (OwningPhase.LASTS,)),
    "hastens": (False, (OwningPhase.LASTS,)),
    "takes": (CaptureEffect.NONE, (OwningPhase.CAPTURES,)),
    "breaks": (False, (OwningPhase.BREAKS_SEQUENCES,)),
    "stops_time": (False, (OwningPhase.STOPS_TIME,)),
}
"""For each field, its neutral value and the phases that read other values."""

_EXCLUSIVE_ENCHANTMENT_FIELDS: Final = ("resists", "eyes", "hastens", "guard")
"""Fields that exclude each other in an enchantment that is not an illness."""

_AFFECTED_BEINGS_OF_PHASE: Final[Mapping[OwningPhase, tuple[AffectedBeings, ...]]] = {
    **dict.fromkeys(
        (OwningPhase.GUARDS, OwningPhase.CURES, OwningPhase.STRIKES_EVERYONE, *_STRIKING_PHASES),
        (AffectedBeings.ALL,),
    ),
    OwningPhase.CHANGES_MASTER: (AffectedBeings.MONSTERS, AffectedBeings.BEASTS),
    OwningPhase.BREAKS_SEQUENCES: (AffectedBeings.WIZARDS,),
    OwningPhase.CAPTURES: (AffectedBeings.WIZARDS,),
}
"""The kinds of beings on which a spell can work, for phases that limit them."""

_VALUES_WITHOUT_SUBJECT: Final = {
    "on_corpses": False,
    "on_dead_wizards": False,
    "nowhere": False,
    "legal": LegalSubjects.ANY,
}
"""Field values of spells without a subject."""


UNIQUE_EFFECTS: Final[Mapping[str, tuple[str, Callable[[Spell], bool]]]] = {
    "shielding": ("guard", lambda spell: spell.is_shield),
    "protecting": ("guard", lambda spell: spell.guard is Guard.SHIELD and not spell.is_shield),
    "countering": ("guard", lambda spell: spell.guard is Guard.COUNTER),
    "mirroring": ("guard", lambda spell: spell.guard is Guard.MIRROR),
    "dispelling": ("unmakes", lambda spell: spell.unmakes is RemovalEffect.MAGIC),
    "removing": ("unmakes", lambda spell: spell.unmakes is RemovalEffect.ENCHANTMENTS),
    "blinding": ("eyes", lambda spell: spell.eyes is SightEffect.BLIND),
    "hiding": ("eyes", lambda spell: spell.eyes is SightEffect.HIDDEN),
    "hastening": ("hastens", lambda spell: spell.hastens),
    "banking": ("takes", lambda spell: spell.takes is CaptureEffect.BANKS),
    "extending": ("takes", lambda spell: spell.takes is CaptureEffect.EXTENDS),
    "holding": ("hands", lambda spell: spell.hands is HandEffect.HELD),
    "charming": ("hands", lambda spell: spell.hands is HandEffect.CHARMED),
    "breaking": ("breaks", lambda spell: spell.breaks),
    "sacrificing": ("gives_up", lambda spell: spell.gives_up),
    "stopping": ("stops_time", lambda spell: spell.stops_time),
}
"""Effects that at most one spell of a book can have.

The keys are the ruleset fields that name these spells. Each value is the row's field with the
effect, and a test whether a spell has it.
"""


def spell_with_effect(name: str, spells: Iterable[Spell]) -> str:
    """Return the id of the spell with this effect of `UNIQUE_EFFECTS`, or "" if there is none."""
    _, does_it = UNIQUE_EFFECTS[name]
    return next((spell.id for spell in spells if does_it(spell)), "")


def owning_phase(spell: Spell) -> OwningPhase:
    """Return the phase that owns the spell, by its fields or otherwise by its class."""
    if spell.class_ is SpellClass.ENCHANTMENT:
        return _owning_phase_of_enchantment(spell)
    if spell.guard is not Guard.NONE or spell.unmakes is RemovalEffect.MAGIC:
        return OwningPhase.GUARDS
    if spell.unmakes is RemovalEffect.ENCHANTMENTS:
        return OwningPhase.REMOVES
    if spell.default is DefaultSubject.NONE and spell.class_ is SpellClass.DAMAGING:
        return OwningPhase.STRIKES_EVERYONE
    if spell.slays or spell.gives_up:
        return OwningPhase.SLAYS
    return _PHASE_OF_CLASS[spell.class_]


def _owning_phase_of_enchantment(spell: Spell) -> OwningPhase:
    if spell.takes_over:
        return OwningPhase.CHANGES_MASTER
    if spell.mind:
        return OwningPhase.BINDS_MIND
    if spell.breaks:
        return OwningPhase.BREAKS_SEQUENCES
    if spell.stops_time:
        return OwningPhase.STOPS_TIME
    return OwningPhase.LASTS if spell.takes is CaptureEffect.NONE else OwningPhase.CAPTURES


def errors_of_rows(order_of_play: str, spells: Iterable[Spell]) -> Iterator[str]:
    """Yield a sentence for each value in these rows that the order of play does not support."""
    storms: dict[str, str] = {}
    resisting: dict[str, str] = {}
    doing: dict[str, str] = {}
    for spell in spells:
        for refused in _ROW_CHECKS:
            for field, reason in refused(order_of_play, spell):
                yield f"{spell.id}: {field} cannot be {getattr(spell, field)!r}: {reason}"
        if owning_phase(spell) is OwningPhase.STRIKES_EVERYONE:
            other = storms.setdefault(spell.element, spell.id)
            if other != spell.id or not spell.element:
                yield f"{spell.id}: element cannot be {spell.element!r}: each storm has its own"
        if spell.resists and resisting.setdefault(spell.resists, spell.id) != spell.id:
            yield f"{spell.id}: resists cannot be {spell.resists!r}: another spell has that"
        for name, (field, does_it) in UNIQUE_EFFECTS.items():
            if does_it(spell) and doing.setdefault(name, spell.id) != spell.id:
                value = getattr(spell, field)
                yield f"{spell.id}: {field} cannot be {value!r}: another spell has it"


def unsupported_kinds(kinds: Mapping[str, MonsterKind]) -> Iterator[str]:
    """Yield a sentence for each value of these kinds of monsters that is not supported."""
    if tuple(kinds) != tuple(MONSTER_KINDS):
        yield "monsters: the kinds must be those of the book, in its order"
        return
    for id, kind in kinds.items():
        if kind.id != id or kind.element != MONSTER_KINDS[id].element:
            yield f"{id}: its id and element must be those of the book"
        if id == UNDECIDED_ELEMENTAL and kind != MONSTER_KINDS[id]:
            yield f"{id}: its values are fixed, because it becomes fire or ice before it acts"
        if kind.attack < 0:
            yield f"{id}: attack cannot be {kind.attack}: attacks do not heal"
        if kind.limit < 1:
            yield f"{id}: limit cannot be {kind.limit}: the monster would die as soon as it is made"
    if len({kind.name for kind in kinds.values()}) != len(kinds):
        yield "monsters: two kinds have the same name"


UnsupportedFields = Iterator[tuple[str, str]]
"""Pairs of an unsupported field of a row and the reason."""


def _unread_fields(order_of_play: str, spell: Spell) -> UnsupportedFields:
    own = owning_phase(spell)
    for field, (silent, readers) in _READING_PHASES.items():
        if own not in readers and getattr(spell, field) != silent:
            yield field, f"its phase {own}, and does not read this field"
    if order_of_play == STEPWISE and spell.gives_up:
        yield "gives_up", "no step gives up a monster for a spell"
    if order_of_play == STEPWISE and own is OwningPhase.SLAYS:
        for field in ("shieldable", "element"):
            if getattr(spell, field):
                yield field, "in stepwise play, nothing protects from spells that kill outright"


def _fields_fixed_by_phase(order_of_play: str, spell: Spell) -> UnsupportedFields:
    own = owning_phase(spell)
    if spell.class_ is not _CLASS_OF_PHASE.get(own, SpellClass.ENCHANTMENT):
        yield "class_", f"its phase {own}"
    if spell.mind != (own in _MIND_PHASES):
        yield "mind", f"its phase {own}"
    if spell.works not in _AFFECTED_BEINGS_OF_PHASE.get(own, tuple(AffectedBeings)):
        yield "works", f"its phase {own}"
    if spell.gives_up and spell.slays:
        yield "gives_up", "it kills outright"
    if spell.raises and not (spell.on_corpses or spell.on_dead_wizards):
        yield "raises", "it cannot be aimed at the dead"
    if spell.works is AffectedBeings.WIZARDS and spell.victims is not VictimEffect.ORDERED:
        yield "victims", "it does not work on monsters"
    if spell.works in WORKS_ON_MONSTERS and spell.hands is not HandEffect.FREE:
        yield "hands", "it does not work on wizards"
    if spell.asks not in (CasterDecision.NOTHING, _possible_question(spell)):
        yield "asks", "the phase of this spell does not ask that question"
    before_all = spell.unmakes is RemovalEffect.MAGIC
    if spell.reflectable and (
        before_all or spell.guard in STOPPING_GUARDS or own is OwningPhase.STRIKES_EVERYONE
    ):
        yield "reflectable", "its phase comes before mirrors, or it has no subject"
    if spell.counterable and (before_all or spell.guard is Guard.COUNTER):
        yield "counterable", "its phase comes before counter-spells"
    if spell.guard in STOPPING_GUARDS and spell.is_enchantment:
        yield "guard", "such a guard only lasts for one turn"
    if spell.guard is not Guard.NONE and spell.unmakes is not RemovalEffect.NOTHING:
        yield "unmakes", "a spell cannot be both a guard and a removal"
    lasting = [
        field
        for field in _EXCLUSIVE_ENCHANTMENT_FIELDS
        if getattr(spell, field) != _READING_PHASES[field][0]
    ]
    if len(lasting) + spell.is_illness > 1:
        yield lasting[-1], "a lasting spell can have only one effect"
    if (
        order_of_play == STEPWISE
        and own is OwningPhase.LASTS
        and not lasting
        and not spell.is_illness
    ):
        yield "lasts", "no step applies an effect that does nothing while it lasts"


def _possible_question(spell: Spell) -> CasterDecision:
    """Return the question that the phase of this spell can ask."""
    if spell.monster == UNDECIDED_ELEMENTAL:
        return CasterDecision.ELEMENT
    return CasterDecision.HAND if spell.hands in DIRECTED_EFFECTS else CasterDecision.NOTHING


def _unsupported_durations(order_of_play: str, spell: Spell) -> UnsupportedFields:
    own = owning_phase(spell)
    if own is OwningPhase.BINDS_MIND:
        if spell.lasts is not Duration.NEXT_TURN:
            yield "lasts", "mind spells act on the next turn"
    elif own is OwningPhase.STOPS_TIME:
        if order_of_play != SEALED and spell.lasts is not Duration.INSTANT:
            yield "lasts", "it gives only one extra turn"
    elif own in (OwningPhase.LASTS, OwningPhase.CAPTURES):
        if spell.lasts is Duration.INSTANT:
            yield "lasts", f"its phase {own}"
            return
        first, _ = TURNS_OF_DURATION[spell.lasts]
        due = _required_first_turn(order_of_play, spell)
        if due is not None and first != due:
            begins = "on the next turn" if due else "at once"
            yield "lasts", f"in {order_of_play} play its phase makes it act {begins}"
    elif spell.lasts is not Duration.INSTANT:
        yield "lasts", f"its phase {own}, so it cannot last"


def _required_first_turn(order_of_play: str, spell: Spell) -> int | None:
    """Return how many turns after its casting the enchantment must begin, or None for any number.

    This depends on the place of its phase in the order of play.
    """
    acts_later = spell.eyes is not SightEffect.CLEAR or spell.takes is not CaptureEffect.NONE
    if order_of_play == SEALED:
        return 1 if spell.eyes is SightEffect.BLIND else None
    if order_of_play == NUMBERED:
        return 1 if acts_later else None
    if order_of_play == STEPWISE:
        return 1 if acts_later or spell.hastens else 0
    return None


def _unsupported_subjects(order_of_play: str, spell: Spell) -> UnsupportedFields:
    if order_of_play == NUMBERED:
        yield from _unsupported_subjects_of_numbered_play(spell)
    elif spell.is_area:
        for field, silent in _VALUES_WITHOUT_SUBJECT.items():
            if getattr(spell, field) != silent:
                yield field, "it has no subject"
    elif order_of_play == STEPWISE and spell.legal is LegalSubjects.WIZARDS:
        if spell.on_corpses:
            yield "on_corpses", "it can only be aimed at wizards"
        if spell.monster and spell.works is not AffectedBeings.EARTHLY:
            yield "works", "it can only be aimed at wizards"


def _contradictory_fields(order_of_play: str, spell: Spell) -> UnsupportedFields:
    if spell.aimable and not spell.is_area:
        yield "aimable", "a spell that takes a subject does not need this"
    if spell.harms and (spell.class_ is SpellClass.DAMAGING or spell.is_area):
        yield "harms", "its damage already counts as harm, or it has no subject"
    if spell.helps and (spell.harms or spell.class_ is SpellClass.DAMAGING):
        yield "helps", "it harms"
    if spell.helps and (spell.monster or spell.takes_over):
        yield "helps", "a monster helps its controller, not its subject"
    if not spell.removable:
        if not spell.is_enchantment:
            yield "removable", "only enchantments are removed"
        elif order_of_play == STEPWISE and owning_phase(spell) not in (
            OwningPhase.BREAKS_SEQUENCES,
            OwningPhase.CAPTURES,
        ):
            yield "removable", "in stepwise play removals are applied after it has taken effect"


def _unsupported_subjects_of_numbered_play(spell: Spell) -> UnsupportedFields:
    """Yield faults of subjects in numbered play, in which even storms and elementals can have one.

    rules: W3, W43
    """
    if spell.is_area:
        if spell.on_dead_wizards:
            yield "on_dead_wizards", "it does not raise anyone"
        if spell.reflectable:
            yield "reflectable", "it works with any subject"
        if spell.monster and spell.works is not AffectedBeings.EARTHLY:
            yield "works", "it works with any subject"
    if spell.one_master != (spell.takes_over or spell.hands is HandEffect.CHARMED):
        yield "one_master", "any two that reach one being cancel"


_ROW_CHECKS: Final[tuple[Callable[[str, Spell], UnsupportedFields], ...]] = (
    _unread_fields,
    _fields_fixed_by_phase,
    _unsupported_durations,
    _unsupported_subjects,
    _contradictory_fields,
)
