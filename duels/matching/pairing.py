"""The choice of wizards to pair, without access to the database.

Ratings are uncertain, so each counts as a range: value ± deviation. Two wizards can be paired if
the gap between their ranges is within both wizards' limits, which grow while they wait. New wizards
can therefore be paired with almost everyone, but wizards whose ratings are well known only with
wizards of about the same strength. Among possible pairs, those with the closest values come first.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from heapq import heapify, heappop, heappush, merge
from itertools import product
from typing import Final

from duels.clocks.clock import NO_HURRY, THREE_DAYS, Pace
from duels.ratings.public import Rating

OFFERED_PACES: Final = (THREE_DAYS, Pace(seconds=24 * 3600), Pace(seconds=3600), NO_HURRY)
# The maximum gap between two ratings at first, and how much it grows with each hour of waiting.
INITIAL_RATING_WINDOW: Final = 100
RATING_WINDOW_GROWTH: Final = 100

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
    reach: float  # maximum gap between their rating and an opponent's
    ratings: dict[str, Rating] = field(default_factory=dict)

    def rating(self, ruleset: str) -> Rating:
        return self.ratings.get(ruleset, Rating())


@dataclass(frozen=True)
class Match:
    """Two wizards who can be paired, and the terms that suit both."""

    pair: tuple[OpenWizard, OpenWizard]
    ruleset: str
    pace: str
    rated: bool
    distance: float  # difference of the values of their ratings

    def __str__(self) -> str:
        return " and ".join(str(each) for each in sorted(self.ids))

    @property
    def ids(self) -> Pair:
        return frozenset(each.id for each in self.pair)


@dataclass(frozen=True)
class PairingPool:
    """Wizards who are open to duels, pairs that must stay apart, and pairs that met recently."""

    wizards: Sequence[OpenWizard]
    apart: Collection[Pair] = frozenset()
    recent: Collection[Pair] = frozenset()


def rating_window_after(waited: timedelta) -> float:
    """Return the maximum gap between ratings for a wizard who has waited this long."""
    return INITIAL_RATING_WINDOW + RATING_WINDOW_GROWTH * (waited / timedelta(hours=1))


def best_matches(pool: PairingPool) -> list[Match]:
    """Pair the wizards with the closest ratings first, and wizards who met recently last."""
    order = {each.id: number for number, each in enumerate(pool.wizards)}
    unpaired = {each.id: each for each in pool.wizards}
    found: list[Match] = []
    for pairs in (_pairs_of_strangers(pool, unpaired), _pairs_who_met_lately(pool)):
        for ids in pairs:
            if ids in pool.apart or not ids <= unpaired.keys():
                continue
            one, other = (unpaired[id] for id in sorted(ids, key=order.__getitem__))
            if match := closest_match(one, other):
                found.append(match)
                del unpaired[one.id], unpaired[other.id]
    return found


def _pairs_who_met_lately(pool: PairingPool) -> Iterator[Pair]:
    wizards = {each.id: each for each in pool.wizards}
    pairs = [sorted(pair) for pair in pool.recent if pair <= wizards.keys()]
    suitable = [
        (match.distance, ids)
        for ids in pairs
        if (match := closest_match(wizards[ids[0]], wizards[ids[1]]))
    ]
    return (frozenset(ids) for _, ids in sorted(suitable))


def _pairs_of_strangers(pool: PairingPool, unpaired: Mapping[int, OpenWizard]) -> Iterator[Pair]:
    """Yield pairs of unpaired wizards who have not met lately, the closest ratings first.

    The wizards of a group agree on all terms, so most pairs are neighbours in the order of ratings,
    and the search takes almost linear time. A pair can be in several groups.
    """
    groups: defaultdict[tuple[str, str, str], list[OpenWizard]] = defaultdict(list)
    for each in pool.wizards:
        rated = ("rated", "friendly") if each.rated == "either" else (each.rated,)
        for terms in product(each.rulesets, each.paces, rated):
            groups[terms].append(each)
    in_groups = (_pairs_in_group(each, id, unpaired) for (id, _, _), each in groups.items())
    pairs = (frozenset(ids) for _, ids in merge(*in_groups))
    return (pair for pair in pairs if pair not in pool.recent)


def _pairs_in_group(
    group: Sequence[OpenWizard], ruleset: str, unpaired: Mapping[int, OpenWizard]
) -> Iterator[tuple[float, tuple[int, int]]]:
    """Yield the distance and the ids of each pair of unpaired wizards, the closest pairs first.

    Between two results, the caller may pair wizards and remove them from `unpaired`.
    """
    ratings = {each.id: each.rating(ruleset) for each in group}
    ranked = sorted((rating.value, id) for id, rating in ratings.items())
    largest_deviation = max(rating.deviation for rating in ratings.values())
    next_unpaired = list(range(1, len(ranked) + 1))

    def skip_paired(place: int) -> int:
        """Return the first place with an unpaired wizard, starting at this place."""
        path = []
        while place < len(ranked) and ranked[place][1] not in unpaired:
            path.append(place)
            place = next_unpaired[place]
        for each in path:
            next_unpaired[each] = place
        return place

    def candidate(low: int, high: int) -> list[tuple[float, tuple[int, int], int, int]]:
        """Return the pair at these places for the queue.

        Return [] if there is no such pair, or if the ratings are too far apart whatever the
        deviation of the higher one.
        """
        if high == len(ranked):
            return []
        (low_rating, one), (high_rating, other) = ranked[low], ranked[high]
        distance = high_rating - low_rating
        ids = (min(one, other), max(one, other))
        farthest = unpaired[one].reach + ratings[one].deviation + largest_deviation
        return [(distance, ids, low, high)] if distance <= farthest else []

    queue = [pair for low in range(len(ranked)) for pair in candidate(low, low + 1)]
    heapify(queue)
    while queue:
        distance, ids, low, high = heappop(queue)
        one, other = (unpaired.get(id) for id in ids)
        if one and other and _are_close(one, other, ruleset):
            yield distance, ids
        if ranked[low][1] in unpaired:
            for pair in candidate(low, skip_paired(high + 1)):
                heappush(queue, pair)


def closest_match(one: OpenWizard, other: OpenWizard) -> Match | None:
    """Return the terms that suit both, or None.

    Among rulesets under which their ratings are close enough, choose that with the closest values.
    """
    rulesets, paces = (
        _common_values(one.rulesets, other.rulesets),
        _common_values(one.paces, other.paces),
    )
    if not rulesets or not paces or not _agree_on_rating(one, other):
        return None
    close = [(_distance(one, other, id), id) for id in rulesets if _are_close(one, other, id)]
    if not close:
        return None
    distance, ruleset = min(close)
    is_rated = "friendly" not in (one.rated, other.rated)
    return Match((one, other), ruleset, paces[0], is_rated, distance)


def obstacle_to_pairing(
    wizard: OpenWizard, pool: PairingPool
) -> tuple[Obstacle, Sequence[OpenWizard]]:
    """Return the first condition that nobody meets, and the wizards who meet all earlier ones."""
    left = [each for each in pool.wizards if each.id != wizard.id]
    if not left:
        return Obstacle.NOBODY, left
    conditions = (
        (Obstacle.RULESETS, lambda other: _common_values(wizard.rulesets, other.rulesets)),
        (Obstacle.PACES, lambda other: _common_values(wizard.paces, other.paces)),
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


def _are_close(one: OpenWizard, other: OpenWizard, ruleset: str) -> bool:
    uncertainty = one.rating(ruleset).deviation + other.rating(ruleset).deviation
    return _distance(one, other, ruleset) - uncertainty <= min(one.reach, other.reach)


def _distance(one: OpenWizard, other: OpenWizard, ruleset: str) -> float:
    return abs(one.rating(ruleset).value - other.rating(ruleset).value)


def _common_values(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    return [each for each in ours if each in theirs]


def _agree_on_rating(one: OpenWizard, other: OpenWizard) -> bool:
    return one.rated == other.rated or "either" in (one.rated, other.rated)
