"""Readings of a published ruleset, which are the same rules with one of its switches reversed.

They exist only for dry runs. A reading has a name such as "bartle-1, not elementals_merge". The
position of a dry run is never stored, and `load` rejects it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.ids import RulesetReading
from engine.rulesets.ruleset import Ruleset
from engine.rulesets.unsupported_values import REQUIRED_VALUES

SWITCH_FIELDS: Final = (
    "subject_picks_element",  # rules: R63
    "removal_unmakes_summons",  # rules: R51
    "elementals_merge",  # rules: R65
    "minds_in_force_cancel",  # rules: R78
    "release_ignores_counter",  # rules: R105
)
"""The on-off fields of `Ruleset` on which the result of a turn can depend."""


def switches(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the switches for which the ruleset's order of play supports both values."""
    limits = REQUIRED_VALUES[ruleset.order_of_play]
    return tuple(switch for switch in SWITCH_FIELDS if switch not in limits)


def reading_id(ruleset: Ruleset, switch: str) -> str:
    """Return the name of the ruleset with this switch reversed. Raises ValueError."""
    if switch not in SWITCH_FIELDS:
        raise ValueError(f"{switch!r} is not a switch of a ruleset")
    if switch not in switches(ruleset):
        reason = REQUIRED_VALUES[ruleset.order_of_play][switch].reason
        raise ValueError(f"{ruleset.id} has no other reading of {switch!r}: {reason}")
    return RulesetReading(ruleset.id, switch, is_on=not getattr(ruleset, switch)).text


def published_id(id: str) -> str:
    """Return the published ruleset's id for a reading's id; return a published id unchanged."""
    reading = RulesetReading.parse(id)
    return reading.of if reading else id


def find_ruleset(id: str, published: Mapping[str, Ruleset]) -> Ruleset:
    """Return the published ruleset with this id, or the reading that it names. Raises KeyError."""
    found = published.get(id)
    if found is not None:
        return found
    reading = RulesetReading.parse(id)
    ruleset = published.get(reading.of) if reading else None
    if reading is None or ruleset is None or reading.switch not in switches(ruleset):
        raise KeyError(id)
    changes: dict[str, Any] = {reading.switch: reading.is_on}
    return _replaced(ruleset, id, changes)


def _replaced(ruleset: Ruleset, id: str, changes: Mapping[str, Any]) -> Ruleset:
    kept = _READING_CACHE.get(id)
    if kept is None or kept[0] is not ruleset:
        variants = {
            options: replace(variant, id=id, **changes)
            for options, variant in ruleset.variants.items()
        }
        made = replace(ruleset, id=id, variants=variants, **changes)
        kept = _READING_CACHE[id] = (ruleset, made)
    return kept[1]


# Cache of rulesets with their readings, by the reading's id, at most one per switch.
_READING_CACHE: Final[dict[str, tuple[Ruleset, Ruleset]]] = {}
