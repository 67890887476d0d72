"""Other readings of a published ruleset: the same game with one of its switches the other way.

They exist for dry runs only. A reading is called "bartle-1, not elementals_merge" or "bartle-1,
elementals_merge"; no position of one can be loaded, so none can be stored.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.ids import Reading
from engine.rulesets.limits import LIMITS
from engine.rulesets.ruleset import Ruleset

SWITCHES: Final = (
    "subject_picks_element",  # rules: R63
    "removal_unmakes_summons",  # rules: R51
    "elementals_merge",  # rules: R65
    "minds_in_force_cancel",  # rules: R78
    "release_ignores_counter",  # rules: R105
)
"""The fields of `Ruleset` that decide what a turn comes to, each on or off."""


def switches(ruleset: Ruleset) -> tuple[str, ...]:
    """Those of which the ruleset's order of play can play both values."""
    limits = LIMITS[ruleset.order_of_play]
    return tuple(switch for switch in SWITCHES if switch not in limits)


def reading_id(ruleset: Ruleset, switch: str) -> str:
    """What the ruleset is called with this switch the other way. Raises ValueError."""
    if switch not in SWITCHES:
        raise ValueError(f"{switch!r} is no switch of a ruleset")
    if switch not in switches(ruleset):
        reason = LIMITS[ruleset.order_of_play][switch].reason
        raise ValueError(f"{ruleset.id} has no other reading of {switch!r}: {reason}")
    return Reading(ruleset.id, switch, is_on=not getattr(ruleset, switch)).text


def published_id(id: str) -> str:
    """The id of the published ruleset of which this is a reading, or of which it is the id."""
    reading = Reading.parse(id)
    return reading.of if reading else id


def find(id: str, published: Mapping[str, Ruleset]) -> Ruleset:
    """The published ruleset of this id, or the reading that it names. Raises KeyError."""
    found = published.get(id)
    if found is not None:
        return found
    reading = Reading.parse(id)
    ruleset = published.get(reading.of) if reading else None
    if reading is None or ruleset is None or reading.switch not in switches(ruleset):
        raise KeyError(id)
    changes: dict[str, Any] = {reading.switch: reading.is_on}
    return _replaced(ruleset, id, changes)


def _replaced(ruleset: Ruleset, id: str, changes: Mapping[str, Any]) -> Ruleset:
    kept = _MADE.get(id)
    if kept is None or kept[0] is not ruleset:
        variants = {
            options: replace(variant, id=id, **changes)
            for options, variant in ruleset.variants.items()
        }
        made = replace(ruleset, id=id, variants=variants, **changes)
        kept = _MADE[id] = (ruleset, made)
    return kept[1]


# By id: the ruleset, and its reading. There are as many as switches of published rulesets.
_MADE: Final[dict[str, tuple[Ruleset, Ruleset]]] = {}
