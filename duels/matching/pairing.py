"""The choice of wizards to pair, without access to the database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from itertools import combinations
from typing import Final

from duels.clocks.clock import NO_HURRY, THREE_DAYS, Pace
from duels.ratings.public import Rating

PACES: Final = (THREE_DAYS, Pace(seconds=24 * 3600), Pace(seconds=3600), NO_HURRY)
# The maximum difference of ratings at first, and how much it grows with each hour of waiting.
FIRST_REACH: Final = 200
WIDENS_BY: Final = 100

Pair = frozenset[int]


class Obstacle(StrEnum):
    """The reason why a wizard is not paired."""

    NONE = "none"
    NOBODY = "nobody"
    RULESETS = "rulesets"
    PACES = "paces"
    RATED = "rated"
    MET = "met"
    DISTANCE = "distance"


@dataclass(frozen=True)
class OpenWizard:
    """A wizard who is open to duels, and their ratings by ruleset."""

    id: int
    rulesets: Sequence[str]
    paces: Sequence[str]
    rated: str  # a `RatedChoice`
    reach: float  # maximum difference from an opponent's rating
    ratings: dict[str, float] = field(default_factory=dict)

    def rating(self, ruleset: str) -> float:
        return self.ratings.get(ruleset, Rating().value)


@dataclass(frozen=True)
class Match:
    """Two wizards who can be paired, and the terms that suit both."""

    pair: tuple[OpenWizard, OpenWizard]
    ruleset: str
    pace: str
    rated: bool
    distance: float  # difference of their ratings

    @property
    def ids(self) -> Pair:
        return frozenset(each.id for each in self.pair)


@dataclass(frozen=True)
class Pool:
    """Wizards who are open to duels, pairs that must stay apart, and pairs that met recently."""

    wizards: Sequence[OpenWizard]
    apart: Collection[Pair] = frozenset()
    recent: Collection[Pair] = frozenset()


def reach_after(waited: timedelta) -> float:
    """Return the maximum difference of ratings for a wizard who has waited this long."""
    return FIRST_REACH + WIDENS_BY * (waited / timedelta(hours=1))


def matches(pool: Pool) -> list[Match]:
    """Pair the wizards with the closest ratings first, and wizards who met recently last."""
    possible = [
        match
        for one, other in combinations(pool.wizards, 2)
        if frozenset((one.id, other.id)) not in pool.apart
        and (match := closest_match(one, other)) is not None
    ]
    possible.sort(key=lambda match: (match.ids in pool.recent, match.distance, sorted(match.ids)))
    found: list[Match] = []
    paired: set[int] = set()
    for match in possible:
        if paired.isdisjoint(match.ids):
            paired |= match.ids
            found.append(match)
    return found


def closest_match(one: OpenWizard, other: OpenWizard) -> Match | None:
    """Return the terms that suit both, under the ruleset in which their ratings are closest."""
    rulesets, paces = _common(one.rulesets, other.rulesets), _common(one.paces, other.paces)
    if not rulesets or not paces or not _agree_on_rating(one, other):
        return None
    distance, ruleset = min((abs(one.rating(id) - other.rating(id)), id) for id in rulesets)
    if distance > one.reach or distance > other.reach:
        return None
    is_rated = "friendly" not in (one.rated, other.rated)
    return Match((one, other), ruleset, paces[0], is_rated, distance)


def obstacle(wizard: OpenWizard, pool: Pool) -> tuple[Obstacle, Sequence[OpenWizard]]:
    """Return why the wizard is not paired, and the wizards that only this obstacle excludes."""
    left = [each for each in pool.wizards if each.id != wizard.id]
    if not left:
        return Obstacle.NOBODY, left
    conditions = (
        (Obstacle.RULESETS, lambda other: _common(wizard.rulesets, other.rulesets)),
        (Obstacle.PACES, lambda other: _common(wizard.paces, other.paces)),
        (Obstacle.RATED, lambda other: _agree_on_rating(wizard, other)),
        (Obstacle.MET, lambda other: frozenset((wizard.id, other.id)) not in pool.apart),
        (Obstacle.DISTANCE, lambda other: closest_match(wizard, other)),
    )
    for reason, suits in conditions:
        suitable = [each for each in left if suits(each)]
        if not suitable:
            return reason, left
        left = suitable
    return Obstacle.NONE, left


def _common(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    return [each for each in ours if each in theirs]


def _agree_on_rating(one: OpenWizard, other: OpenWizard) -> bool:
    return one.rated == other.rated or "either" in (one.rated, other.rated)
