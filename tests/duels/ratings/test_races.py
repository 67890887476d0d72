"""Tests that no rating change is lost if duels end at the same moment."""

from functools import partial

import pytest

from duels.commands import endings
from duels.models import Duel
from duels.ratings.commands import recompute_ratings
from duels.ratings.models import RatingChange, WizardRating
from tests.cast import LATER, NOW, Cast
from tests.duels.ratings.test_commands import play_rated_duel, ratings_snapshot
from tests.duels.test_races import ROUNDS, run_simultaneously

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def test_duels_that_end_at_the_same_moment_are_rated_one_after_the_other(cast: Cast) -> None:
    for number in range(1, ROUNDS + 1):
        duels = [play_rated_duel(cast.ada, cast.bram), play_rated_duel(cast.cleo, cast.ada)]
        losers = (cast.bram, cast.ada)
        ended_at = (LATER, NOW)  # the second duel ended earlier, but may be rated first
        run_simultaneously(
            *(
                partial(endings.resign, duel_id=duel.pk, wizard=loser, now=now)
                for duel, loser, now in zip(duels, losers, ended_at, strict=True)
            )
        )
        assert Duel.objects.filter(status="over").count() == 2 * number
        assert RatingChange.objects.count() == 4 * number
        assert WizardRating.objects.count() == 3
        found = ratings_snapshot()
        recompute_ratings("bartle-1")
        assert ratings_snapshot() == found
