"""The page of a finished duel explains how the duel changed the ratings."""

import re

import pytest
from django.test import Client

from tests.cast import Cast
from tests.duels.ratings.test_commands import kill_loser, play_rated_duel, resign_rated_duel

pytestmark = pytest.mark.django_db


def page(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_finished_duel_explains_its_rating_changes(cast: Cast) -> None:
    duel = kill_loser(play_rated_duel(cast.ada, cast.bram), cast.ada, cast.bram)
    html = page(f"/duels/{duel.pk}/")
    assert "1500 ± 686 → <b>1662 ± 569</b>" in html
    reason = (
        "Ada scored 1 by killing the opponent, where 0.5 was expected, so the rating rises by 162; "
        "it moves quickly because it is still uncertain."
    )
    assert reason in html
    assert "Bram scored 0 by dying" in html
    assert 'href="/ladders/#how-ratings-work"' in html


def test_page_says_that_a_repeated_duel_counts_less(cast: Cast) -> None:
    duel = [resign_rated_duel(cast.ada, cast.bram) for _ in range(4)][-1]
    assert "met three times within thirty days" in page(f"/duels/{duel.pk}/")


def test_running_and_friendly_duels_show_no_rating_changes(cast: Cast) -> None:
    friendly = resign_rated_duel(cast.ada, cast.bram, rated=False)
    for duel in (friendly, play_rated_duel(cast.ada, cast.bram)):
        assert "ratings-title" not in page(f"/duels/{duel.pk}/")
