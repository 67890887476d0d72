"""Checks that loaded events contain only values that events can have.

Each error names the event and the field. A history's events must also fit the positions before
them. rules: none; `codec` uses this.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from engine.events import (
    EVENT_CLASSES,
    FAILURE_CAUSES,
    HARMLESS_BLOW_CAUSES,
    NO_ATTACK_CAUSES,
    Drew,
    Event,
    Gestured,
    Hit,
    Stopped,
)
from engine.gestures import BANK, BOTH, GESTURES, LEFT, RIGHT
from engine.ids import FUTURE_BEINGS, SEATS
from engine.json_values import InvalidData, parse_strings
from engine.positions.history import History
from engine.positions.position import Position
from engine.rulesets import RULESETS
from engine.spellbook import FIRE, ICE, MONSTER_KINDS, HandEffect

_SPELL_ROWS: Final = tuple(
    row
    for ruleset in RULESETS.values()
    for rules in (ruleset, *ruleset.variants.values())
    for row in rules.spells.values()
)
_SPELL_IDS: Final = frozenset(row.id for row in _SPELL_ROWS)
_PATTERN_TEXTS: Final = frozenset(pattern for row in _SPELL_ROWS for pattern in row.patterns)
_MIND_SPELL_IDS: Final = frozenset(row.id for row in _SPELL_ROWS if row.mind and not row.takes_over)
_HAND_CODES: Final = frozenset(("", LEFT, RIGHT, BOTH, BANK))
_GESTURE_LETTERS: Final = frozenset(GESTURES)
_PLACE_CODES: Final = frozenset(("", "nowhere", "no_one"))
_WIZARD_IDS: Final = frozenset(("", *SEATS))

KnownTexts = frozenset[str]
_BEING_IDS: Final[KnownTexts] = frozenset((*SEATS, *FUTURE_BEINGS, *_PLACE_CODES))
"""Ids that an event can contain in place of a being, except those of existing monsters."""

_KNOWN_BY_NAME: Final[Mapping[str, KnownTexts]] = {
    **dict.fromkeys(("wizard", "wizards", "controller"), _WIZARD_IDS),
    **dict.fromkeys(("subject", "being", "by", "monster", "kept", "gone"), _BEING_IDS),
    **dict.fromkeys(("left", "right", "letter"), _GESTURE_LETTERS),
    **dict.fromkeys(("spell", "spells", "instead_of"), _SPELL_IDS),
    "effect": _SPELL_IDS | {"bank"},
    "hand": _HAND_CODES,
    "kind": frozenset(MONSTER_KINDS),
    "source": _SPELL_IDS | {"stab", "attack"},
    "purpose": frozenset(("hand", "gesture", "victim", "opponent")),
    "pattern": _PATTERN_TEXTS | {""},
}
"""The texts that an event's field can have, by the field's name."""

_KNOWN_BY_FIELD: Final[Mapping[tuple[str, str], KnownTexts]] = {
    ("enchanted", "spell"): frozenset(
        row.id for row in _SPELL_ROWS if row.is_enchantment and not row.takes_over
    ),
    ("overridden", "cause"): frozenset(
        row.id for row in _SPELL_ROWS if row.hands is not HandEffect.FREE
    ),
    ("overridden", "hand"): frozenset((LEFT, RIGHT)),
    ("knife_kept", "hand"): frozenset((LEFT, RIGHT)),
    ("failed", "cause"): frozenset(FAILURE_CAUSES),
    ("stopped", "cause"): frozenset(HARMLESS_BLOW_CAUSES),
    ("idle", "cause"): frozenset(
        (*_MIND_SPELL_IDS - {row.id for row in _SPELL_ROWS if row.one_master}, *NO_ATTACK_CAUSES)
    ),
    ("died", "cause"): frozenset(
        ("wounds", "heart", *(row.id for row in _SPELL_ROWS if row.slays or row.is_illness))
    ),
    ("controlled", "cause"): frozenset((*_SPELL_IDS, "left")),
    ("storm_spent", "cause"): frozenset((*_SPELL_IDS, FIRE, ICE)),
    ("destroyed", "cause"): frozenset((*_SPELL_IDS, FIRE, ICE, "kin", "newer")),
    ("removed", "cause"): _SPELL_IDS,
    ("doomed", "cause"): _SPELL_IDS,
}
"""The texts that a field of one kind of event can have, by the event's code and the field."""

_KNOWN_TEXTS_OF_EVENTS: Final[Mapping[str, Mapping[str, KnownTexts]]] = {
    event.code: {
        field.name: known
        for field in fields(event)
        if (known := _KNOWN_BY_FIELD.get((event.code, field.name), _KNOWN_BY_NAME.get(field.name)))
    }
    for event in EVENT_CLASSES
}
"""The texts that the fields of an event can have, by its code."""

CODES_WITH_COMBINATIONS: Final = ("hit", "stopped", "drew")
"""The codes of events in which the value of one field limits that of another."""
_VALUES_OF_HAND_DRAWS: Final = {"hand": frozenset((LEFT, RIGHT)), "gesture": _GESTURE_LETTERS}


def known_texts(code: str, name: str) -> KnownTexts | None:
    """Return the texts that this field of an event can have, or None if it can have any."""
    return _KNOWN_TEXTS_OF_EVENTS[code].get(name)


def check_texts(code: str, name: str, found: object) -> None:
    """Raise InvalidData if the field contains a text that it cannot have."""
    known, place = _KNOWN_TEXTS_OF_EVENTS[code][name], f"events.{code}.{name}"
    for text in (found,) if isinstance(found, str) else parse_strings(place, found):
        if text not in known and not (known is _BEING_IDS and is_monster_id(text)):
            raise InvalidData(place, f"unknown value {text!r}")


def is_monster_id(text: str) -> bool:
    return text[:1] == "m" and text[1:].isascii() and text[1:].isdigit()


def check_combination(place: str, event: Event) -> None:
    """Raise InvalidData if two values of the event contradict each other."""
    if isinstance(event, Hit | Stopped) and event.source == "stab" and event.by not in _WIZARD_IDS:
        raise InvalidData(f"{place}.by", "only wizards stab")
    if isinstance(event, Drew):
        known = _VALUES_OF_HAND_DRAWS.get(event.purpose, _BEING_IDS)
        is_monster = known is _BEING_IDS and is_monster_id(event.result)
        if event.result not in known and not is_monster:
            raise InvalidData(f"{place}.result", f"{event.result!r} is not a {event.purpose}")


def check_history(history: History) -> None:
    """Raise InvalidData if the turns are of different duels, or name beings that the duel lacks."""
    position = history.position
    for number, turn in enumerate(history.turns):
        place, before = f"turns[{number}]", turn.position
        if before.ruleset != position.ruleset or before.options != position.options:
            raise InvalidData(f"{place}.position.ruleset", "must be the same in every turn")
        if len(before.wizards) != len(position.wizards):
            raise InvalidData(
                f"{place}.position.wizards", "must have the same length in every turn"
            )
        for event in turn.events:
            check_event_in_duel(f"{place}.events.{event.code}", event, position)
    if history.is_open and not history.turns:
        raise InvalidData("is_open", "must be false if there are no turns")


def check_event_in_duel(place: str, event: Event, position: Position) -> None:
    """Raise InvalidData if the event names a wizard or a spell that this duel does not have."""
    seats, spells = len(position.wizards), position.rules.spells
    for name in _KNOWN_TEXTS_OF_EVENTS[event.code]:
        value = getattr(event, name)
        for text in (value,) if isinstance(value, str) else value:
            future = FUTURE_BEINGS.get(text)
            if SEATS.get(future.maker if future else text, 0) >= seats:
                raise InvalidData(f"{place}.{name}", f"there is no wizard {text!r}")
            if text in _SPELL_IDS and text not in spells:
                raise InvalidData(f"{place}.{name}", f"{position.ruleset} has no {text!r}")
    if isinstance(event, Gestured) and event.wizard not in SEATS:
        raise InvalidData(f"{place}.wizard", "must be a wizard")
