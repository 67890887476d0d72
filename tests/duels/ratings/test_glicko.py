"""Glicko-2, compared with Glickman's published example, and its extensions."""

import pytest

from bench import ratings
from duels.ratings.glicko import (
    DAYS_OF_A_PERIOD,
    MIN_DEVIATION,
    Game,
    Rating,
    expected_score,
    rating_after_days,
    rating_after_games,
)


def test_published_example_is_reproduced() -> None:
    """Glickman, "Example of the Glicko-2 system", which ages the rating by one period."""
    games = [
        Game(Rating(1400, 30), 1),
        Game(Rating(1550, 100), 0),
        Game(Rating(1700, 300), 0),
    ]
    after = rating_after_games(rating_after_days(Rating(1500, 200), DAYS_OF_A_PERIOD), games)
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_deviation_grows_from_60_to_110_in_a_year() -> None:
    assert rating_after_days(Rating(1500, 60), 365).deviation == pytest.approx(110)
    assert rating_after_days(Rating(1500, 60), 0).deviation == 60
    assert rating_after_days(Rating(), 365) == Rating()


def test_deviation_never_falls_below_its_minimum() -> None:
    rating = Rating(1500, 50)
    for _ in range(50):
        rating = rating_after_games(rating, [Game(Rating(1500, 50), 0.5)])
    assert rating.deviation == MIN_DEVIATION


def test_game_with_a_weight_of_one_third_counts_one_third() -> None:
    opponent, rating = Rating(1500, 100), Rating(1500, 100)
    whole, third, none = (
        rating_after_games(rating, [Game(opponent, 1, weight)]) for weight in (1, 1 / 3, 0)
    )
    assert none == rating
    assert 0.3 < (third.value - 1500) / (whole.value - 1500) < 0.4
    assert whole.deviation < third.deviation < 100


def test_win_against_a_far_weaker_wizard_gains_almost_nothing() -> None:
    strong, weak = Rating(2200, 60), Rating(1200, 60)
    assert expected_score(strong, weak) > 0.99
    assert rating_after_games(strong, [Game(weak, 1)]).value - 2200 < 0.2


def test_surprising_results_raise_the_volatility() -> None:
    games = [Game(Rating(2300, 50), 1)] * 3
    assert rating_after_games(Rating(1500, 60), games).volatility > Rating().volatility


def test_ratings_of_simulated_seasons_meet_their_targets() -> None:
    found = {name: value for name, value, _ in ratings.figures(seasons=4)}
    assert found["ratings_rank_correlation_200"] >= 0.86
    assert found["ratings_rank_correlation_350"] >= 0.90
    assert found["ratings_rank_correlation_melees"] >= 0.93
    assert found["ratings_log_loss_below_elo_200"] >= 0.015
    assert 92 <= found["ratings_intervals_covered_200"] <= 97
