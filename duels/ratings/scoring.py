"""The scores of the wizards in a duel, and their rating changes.

A death scores 1 for the winner and 0 for the loser, a surrender 0.9 and 0.1, and a draw 0.5 for
both. Running out of time counts as a death, so that it never costs less than a surrender. In a duel
of more than two, a wizard beats everyone who left the duel earlier.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean
from typing import Final

from duels.ratings.glicko import (
    Game,
    Rating,
    expected_score,
    pair_weight,
    rating_after_days,
    rating_after_games,
)
from duels.ratings.models import RatingChange, WayToLose

POINTS_OF_SURRENDER: Final = 0.1
DAY: Final = timedelta(days=1)
# Within this period, the fourth and all later duels between the same two wizards count less.
REPEAT_PERIOD: Final = timedelta(days=30)
MAX_FULL_WEIGHT_DUELS: Final = 3
WEIGHT_OF_REPEATED_DUEL: Final = 1 / 3

INITIAL_RATING: Final = Rating()

Pair = frozenset[int]


@dataclass(frozen=True)
class KnownRating:
    """A rating, with the time of its last update, or None if it was never updated."""

    rating: Rating = INITIAL_RATING
    at: datetime | None = None

    def at_time(self, moment: datetime) -> Rating:
        """Return the rating at this moment, which has a larger deviation."""
        return rating_after_days(self.rating, (moment - self.at) / DAY) if self.at else self.rating


def rate_rows(
    rows: Sequence[RatingChange],
    ratings: MutableMapping[int, KnownRating],
    earlier_duels: Mapping[Pair, int],
) -> None:
    """Rate one duel: fill in its rows, and update the ratings of its wizards.

    `earlier_duels` counts each pair's rated duels within `REPEAT_PERIOD` before this one.
    """
    before = {row.wizard_id: ratings[row.wizard_id].at_time(row.at) for row in rows}
    for row in rows:
        others = [other for other in rows if other is not row]
        own, scores = before[row.wizard_id], [_score(row, other) for other in others]
        met = [earlier_duels.get(frozenset((row.wizard_id, each.wizard_id)), 0) for each in others]
        weights = [
            1.0 if number < MAX_FULL_WEIGHT_DUELS else WEIGHT_OF_REPEATED_DUEL for number in met
        ]
        games = [
            Game(before[other.wizard_id], score, weight * pair_weight(len(rows)))
            for other, score, weight in zip(others, scores, weights, strict=True)
        ]
        after = rating_after_games(own, games)
        row.value_before, row.deviation_before = own.value, own.deviation
        row.volatility_before = own.volatility
        row.value, row.deviation, row.volatility = after.value, after.deviation, after.volatility
        row.expected = sum(expected_score(own, game.opponent) for game in games)
        row.actual, row.weight = sum(scores), fmean(weights)
        ratings[row.wizard_id] = KnownRating(after, row.at)


def _score(row: RatingChange, other: RatingChange) -> float:
    """Return the score of one wizard against another."""
    if row.place == other.place:
        return 0.5
    loser = max(row, other, key=lambda each: each.place)
    points = POINTS_OF_SURRENDER if loser.way == WayToLose.SURRENDER else 0.0
    return points if loser is row else 1 - points
