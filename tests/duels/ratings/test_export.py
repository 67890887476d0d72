"""Ratings in the export of a user's data."""

import pytest

from duels.ratings.queries import exported_ratings
from tests.cast import Cast
from tests.duels.ratings.test_commands import resign_rated_duel


@pytest.mark.django_db
def test_exported_data_include_ratings(cast: Cast) -> None:
    duel = resign_rated_duel(cast.ada, cast.bram)
    (row,) = exported_ratings(cast.ada)
    assert (row["duel"], row["result"], row["actual"]) == (duel.pk, "won", 0.9)
