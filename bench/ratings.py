"""The accuracy of ratings in simulated seasons of wizards whose strength is known.

Each season consists of rounds, three days apart, in which all wizards duel. Strengths are normally
distributed and constant. Seasons with the same seed are identical.
"""

import math
import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import correlation, fmean
from typing import Final

from bench.output import Figure
from duels.ratings.glicko import (
    POINTS_PER_UNIT,
    Game,
    Rating,
    expected_score,
    pair_weight,
    rating_after_days,
    rating_after_games,
)

WIZARD_COUNT: Final = 200
DUELS_PER_WIZARD: Final = 20  # number of duels of each wizard
DAYS_BETWEEN_DUELS: Final = 3  # number of days between duels
DRAW_SHARE: Final = 0.04  # share of duels that are drawn
SURRENDER_SHARE: Final = 0.3  # share of losses by surrender
ELO_K: Final = 25  # the value published for RavenBlack's Warlocks


@dataclass
class Season:
    """The wizards' strengths and final ratings, and the log-loss of each prediction."""

    strengths: list[float]
    ratings: list[Rating]
    losses: list[float] = field(default_factory=list)
    elo_losses: list[float] = field(default_factory=list)

    @property
    def rank_correlation(self) -> float:
        """Spearman's rank correlation of strengths and ratings."""
        values = [rating.value for rating in self.ratings]
        return correlation(_ranks(self.strengths), _ranks(values))

    @property
    def interval_coverage(self) -> float:
        """The share of 95 % intervals that contain the wizard's strength."""
        pairs = zip(self.strengths, self.ratings, strict=True)
        return fmean(
            low <= strength <= high for strength, rating in pairs for low, high in [rating.interval]
        )

    @property
    def log_loss_below_elo(self) -> float:
        return fmean(self.elo_losses) - fmean(self.losses)


def _ranks(values: Sequence[float]) -> list[int]:
    ordered = sorted(values)
    return [bisect_left(ordered, value) for value in values]


def play_season(spread: float, size: int, seed: int) -> Season:
    """Play and rate the duels of a season, each between `size` wizards."""
    chance = random.Random(f"{seed} {spread} {size}")
    strengths = [chance.gauss(1500, spread) for _ in range(WIZARD_COUNT)]
    season = Season(strengths, [Rating()] * WIZARD_COUNT)
    elo = [1500.0] * WIZARD_COUNT
    order = list(range(WIZARD_COUNT))
    for _ in range(DUELS_PER_WIZARD):
        chance.shuffle(order)
        for start in range(0, WIZARD_COUNT - size + 1, size):
            players = order[start : start + size]
            scores = _draw_scores(players, strengths, chance)
            _record_predictions(season, elo, players, scores)
            _rate_duel(season, players, scores)
    return season


def _draw_scores(
    players: Sequence[int], strengths: Sequence[float], chance: random.Random
) -> dict[tuple[int, int], float]:
    """Draw a result, and return each pair's score.

    The winner is drawn with probabilities that depend on strength, then the second among the
    remaining wizards, and so on.
    """
    remaining, finished = list(players), list[int]()
    while remaining:
        weights = [math.exp(strengths[wizard] / POINTS_PER_UNIT) for wizard in remaining]
        finished.append(chance.choices(remaining, weights)[0])
        remaining.remove(finished[-1])
    scores = {}
    for place, loser in enumerate(finished):
        points = 0.1 if chance.random() < SURRENDER_SHARE else 0.0
        for winner in finished[:place]:
            gap = (strengths[winner] - strengths[loser]) / POINTS_PER_UNIT
            is_drawn = chance.random() < 2 * DRAW_SHARE / (1 + math.exp(gap))
            scored = 0.5 if is_drawn else points
            scores[loser, winner], scores[winner, loser] = scored, 1 - scored
    return scores


def _record_predictions(
    season: Season,
    elo: list[float],
    players: Sequence[int],
    scores: dict[tuple[int, int], float],
) -> None:
    """Record the log-loss of both systems' predictions for a duel of two; update Elo ratings."""
    one, other = players[:2]
    score = scores[one, other]
    won = 0.5 if score == 0.5 else float(score > 0.5)
    elo_expected = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
    expected = expected_score(season.ratings[one], season.ratings[other])
    for losses, guess in ((season.losses, expected), (season.elo_losses, elo_expected)):
        losses.append(-won * math.log(guess) - (1 - won) * math.log(1 - guess))
    elo[one] += ELO_K * (won - elo_expected)
    elo[other] -= ELO_K * (won - elo_expected)


def _rate_duel(
    season: Season, players: Sequence[int], scores: dict[tuple[int, int], float]
) -> None:
    before = {
        wizard: rating_after_days(season.ratings[wizard], DAYS_BETWEEN_DUELS) for wizard in players
    }
    weight = pair_weight(len(players))
    for wizard in players:
        others = (other for other in players if other != wizard)
        games = [Game(before[other], scores[wizard, other], weight) for other in others]
        season.ratings[wizard] = rating_after_games(before[wizard], games)


def figures(seasons: int) -> Iterator[Figure]:
    """Yield the accuracy of the ratings, for two spreads of strength and for duels of four wizards.

    Each figure is the mean over all seasons.
    """
    for spread in (200, 350):
        played = [play_season(spread, 2, seed) for seed in range(1, seasons + 1)]
        yield (
            f"ratings_rank_correlation_{spread}",
            fmean(each.rank_correlation for each in played),
            "ratio",
        )
        below = fmean(season.log_loss_below_elo for season in played)
        yield f"ratings_log_loss_below_elo_{spread}", below, "nats"
        covered = 100 * fmean(season.interval_coverage for season in played)
        yield f"ratings_intervals_covered_{spread}", covered, "percent"
    melees = [play_season(200, 4, seed) for seed in range(1, seasons + 1)]
    yield (
        "ratings_rank_correlation_melees",
        fmean(each.rank_correlation for each in melees),
        "ratio",
    )
