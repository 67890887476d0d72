"""Glicko-2 ratings, updated after every duel.

The formulas and the names of their steps come from Mark Glickman, "Example of the Glicko-2 system"
(2022). Each duel is a separate rating period. There are three additions: games have weights, a
deviation grows with the time between duels, and it never falls below a minimum.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

POINTS_PER_UNIT: Final = 400 / math.log(10)  # rating points in one unit of Glickman's formulas
MIN_DEVIATION: Final = 45.0
MAX_DEVIATION: Final = 350.0
RANKED_DEVIATION: Final = 75.0  # wizards with at most this deviation are ranked
INITIAL_VOLATILITY: Final = 0.06
VOLATILITY_CONSTRAINT: Final = 0.5  # limits changes in volatility
# With the usual volatility, a deviation of 60 grows to 110 in a year.
DAYS_OF_A_PERIOD: Final = 365 * (POINTS_PER_UNIT * INITIAL_VOLATILITY) ** 2 / (110**2 - 60**2)
INTERVAL_DEVIATIONS: Final = 1.96  # number of deviations on each side of a 95 % interval


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a wizard's strength, its standard deviation, and its volatility."""

    value: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = INITIAL_VOLATILITY

    @property
    def interval(self) -> tuple[float, float]:
        """The range that contains the wizard's true strength with a probability of 95 %."""
        margin = INTERVAL_DEVIATIONS * self.deviation
        return self.value - margin, self.value + margin


@dataclass(frozen=True, slots=True)
class Game:
    """A result against one opponent. The score is from 0 (a loss) to 1 (a win)."""

    opponent: Rating
    score: float
    weight: float = 1.0


def rating_after_days(rating: Rating, days: float) -> Rating:
    """Return the rating after this many days without a duel, which is less certain."""
    deviation = math.sqrt(rating.deviation**2 + _growth_per_day(rating) * max(days, 0.0))
    return replace(rating, deviation=min(deviation, MAX_DEVIATION))


def days_until_unranked(rating: Rating) -> float:
    """Return the number of days for which a wizard stays ranked without another duel.

    The result is negative if they are not ranked now.
    """
    return (RANKED_DEVIATION**2 - rating.deviation**2) / _growth_per_day(rating)


def expected_score(rating: Rating, opponent: Rating) -> float:
    """Return the expected score against this opponent, from both ratings and deviations."""
    deviation = math.hypot(rating.deviation, opponent.deviation)
    return _expected_score(rating.value, opponent.value, _impact(deviation))


def pair_weight(size: int) -> float:
    """Return the weight of each pair in a duel of this size.

    The pairs of a larger duel are not independent. With full weight, they would make ratings look
    more certain than they are. The formula fits the information in a ranking of 2 to 8 wizards.
    """
    return 3 / (size + 1)


def rating_after_games(rating: Rating, games: Sequence[Game]) -> Rating:
    """Return the rating after these simultaneous games.

    Callers must apply `rating_after_days` first.
    """
    information = improvement = 0.0
    for game in games:
        impact = _impact(game.opponent.deviation)
        expected = _expected_score(rating.value, game.opponent.value, impact)
        information += game.weight * impact**2 * expected * (1 - expected)
        improvement += game.weight * impact * (game.score - expected)
    if not information:
        return rating
    phi = rating.deviation / POINTS_PER_UNIT
    volatility = _new_volatility(phi, rating.volatility, 1 / information, improvement / information)
    variance = 1 / (1 / phi**2 + information)
    deviation = max(POINTS_PER_UNIT * math.sqrt(variance), MIN_DEVIATION)
    return Rating(rating.value + POINTS_PER_UNIT * variance * improvement, deviation, volatility)


def _growth_per_day(rating: Rating) -> float:
    """Return the daily growth of the square of the deviation."""
    return (POINTS_PER_UNIT * rating.volatility) ** 2 / DAYS_OF_A_PERIOD


def _impact(deviation: float) -> float:
    """Return Glickman's g, which reduces the impact of opponents with uncertain ratings."""
    return 1 / math.sqrt(1 + 3 * (deviation / POINTS_PER_UNIT / math.pi) ** 2)


def _expected_score(value: float, opponent: float, impact: float) -> float:
    """Return Glickman's E, the expected score."""
    return 1 / (1 + math.exp(-impact * (value - opponent) / POINTS_PER_UNIT))


def _new_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the volatility from Glickman's step 5. Find the root with the Illinois algorithm."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        total = phi**2 + variance + math.exp(x)
        return (
            math.exp(x) * (delta**2 - total) / (2 * total**2)
            - (x - start) / VOLATILITY_CONSTRAINT**2
        )

    low = start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        high = start - VOLATILITY_CONSTRAINT
        while f(high) < 0:
            high -= VOLATILITY_CONSTRAINT
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
