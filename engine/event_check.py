"""Checks that loaded events only contain values that events can have.

Each error names the event and the field. A history's events must also fit the positions before
them. rules: none; `codec` uses this.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Final

from engine.events import EVENTS, FAILURES, IDLE_CAUSES, STOPS, Drew, Event, Gestured, Hit, Stopped
from engine.gestures import BANK, BOTH, GESTURES, LEFT, RIGHT
from engine.history import History
from engine.ids import FUTURE_BEINGS, SEATS
from engine.json_values import InvalidData
from engine.position import Position
from engine.rulesets import RULESETS
from engine.spellbook import FIRE, ICE, MONSTER_KINDS, HandEffect

_ROWS: Final = tuple(
    row
    for ruleset in RULESETS.values()
    for rules in (ruleset, *ruleset.variants.values())
    for row in rules.spells.values()
)
_SPELLS: Final = frozenset(row.id for row in _ROWS)
_PATTERNS: Final = frozenset(pattern for row in _ROWS for pattern in row.patterns)
_MINDS: Final = frozenset(row.id for row in _ROWS if row.mind and not row.takes_over)
_HANDS: Final = frozenset(("", LEFT, RIGHT, BOTH, BANK))
_LETTERS: Final = frozenset(GESTURES)
_PLACES: Final = frozenset(("", "nowhere", "no_one"))
_WIZARDS: Final = frozenset(("", *SEATS))

Known = Callable[[str], bool]


def is_being(text: str) -> bool:
    """Return whether this is the id of a being, of one to come, or a place without one."""
    if text in SEATS or text in _PLACES or text in FUTURE_BEINGS:
        return True
    return text[:1] == "m" and text[1:].isascii() and text[1:].isdigit()


def _is_result(text: str) -> bool:
    return is_being(text) or text in _HANDS or text in _LETTERS


def _among(values: Iterable[str]) -> Known:
    return frozenset(values).__contains__


_BY_NAME: Final[Mapping[str, Known]] = {
    **dict.fromkeys(("wizard", "wizards", "controller"), _WIZARDS.__contains__),
    **dict.fromkeys(("subject", "being", "by", "monster", "kept", "gone"), is_being),
    **dict.fromkeys(("left", "right", "letter"), _LETTERS.__contains__),
    **dict.fromkeys(("spell", "spells", "instead_of"), _SPELLS.__contains__),
    "effect": _among((*_SPELLS, "bank")),
    "hand": _HANDS.__contains__,
    "kind": MONSTER_KINDS.__contains__,
    "source": _among((*_SPELLS, "stab", "attack")),
    "purpose": _among(("hand", "gesture", "victim", "opponent")),
    "result": _is_result,
    "pattern": _among(("", *_PATTERNS)),
}
"""The texts that a field can have, by its name."""

_BY_FIELD: Final[Mapping[tuple[str, str], Known]] = {
    ("enchanted", "spell"): _among(
        row.id for row in _ROWS if row.is_enchantment and not row.takes_over
    ),
    ("overridden", "cause"): _among(row.id for row in _ROWS if row.hands is not HandEffect.FREE),
    ("overridden", "hand"): _among((LEFT, RIGHT)),
    ("knife_kept", "hand"): _among((LEFT, RIGHT)),
    ("failed", "cause"): _among(FAILURES),
    ("stopped", "cause"): _among(STOPS),
    ("idle", "cause"): _among(
        (*_MINDS - {row.id for row in _ROWS if row.one_master}, *IDLE_CAUSES)
    ),
    ("died", "cause"): _among(
        ("wounds", "heart", *(row.id for row in _ROWS if row.slays or row.is_illness))
    ),
    ("controlled", "cause"): _among((*_SPELLS, "left")),
    ("storm_spent", "cause"): _among((*_SPELLS, FIRE, ICE)),
    ("destroyed", "cause"): _among((*_SPELLS, FIRE, ICE, "kin", "newer")),
    ("removed", "cause"): _SPELLS.__contains__,
    ("doomed", "cause"): _SPELLS.__contains__,
}
"""The texts that a field of one kind of event can have, by the event's code and the field."""

_CHECKED: Final[Mapping[str, tuple[tuple[str, Known], ...]]] = {
    event.code: tuple(
        (field.name, known)
        for field in fields(event)
        if (known := _BY_FIELD.get((event.code, field.name), _BY_NAME.get(field.name)))
    )
    for event in EVENTS
}


def check_event(place: str, event: Event) -> None:
    """Raise InvalidData for the first field with a value that no such event can have."""
    for name, known in _CHECKED[event.code]:
        value = getattr(event, name)
        for text in (value,) if isinstance(value, str) else value:
            if not known(text):
                raise InvalidData(f"{place}.{name}", f"unknown value {text!r}")
    if isinstance(event, Hit | Stopped) and event.source == "stab" and event.by not in _WIZARDS:
        raise InvalidData(f"{place}.by", "only wizards stab")
    if isinstance(event, Drew) and not _fits_purpose(event):
        raise InvalidData(f"{place}.result", f"{event.result!r} is not a {event.purpose}")


def _fits_purpose(event: Drew) -> bool:
    if event.purpose == "hand":
        return event.result in (LEFT, RIGHT)
    return event.result in _LETTERS if event.purpose == "gesture" else is_being(event.result)


def check_history(history: History) -> None:
    """Raise InvalidData if the turns do not belong to one duel, or name what it does not have."""
    position = history.position
    for number, turn in enumerate(history.turns):
        place, before = f"turns[{number}]", turn.position
        if before.ruleset != position.ruleset or before.options != position.options:
            raise InvalidData(f"{place}.position.ruleset", "must be the same in every turn")
        if len(before.wizards) != len(position.wizards):
            raise InvalidData(f"{place}.position.wizards", "must be as many in every turn")
        for event in turn.events:
            check_event_of(f"{place}.events.{event.code}", event, position)
    if history.is_open and not history.turns:
        raise InvalidData("is_open", "must be false if there are no turns")


def check_event_of(place: str, event: Event, position: Position) -> None:
    """Raise InvalidData if the event names a wizard or a spell that this duel does not have."""
    seats, spells = len(position.wizards), position.rules.spells
    for name, _ in _CHECKED[event.code]:
        value = getattr(event, name)
        for text in (value,) if isinstance(value, str) else value:
            future = FUTURE_BEINGS.get(text)
            if SEATS.get(future.maker if future else text, 0) >= seats:
                raise InvalidData(f"{place}.{name}", f"there is no wizard {text!r}")
            if text in _SPELLS and text not in spells:
                raise InvalidData(f"{place}.{name}", f"{position.ruleset} has no {text!r}")
    if isinstance(event, Gestured) and event.wizard not in SEATS:
        raise InvalidData(f"{place}.wizard", "must be a wizard")
