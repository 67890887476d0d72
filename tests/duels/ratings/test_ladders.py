"""Ladders list ranked wizards in order, fifty at a time."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.commands.profiles import anonymise_wizard
from duels.models import Wizard
from duels.ratings.glicko import INTERVAL_DEVIATIONS, MAX_DEVIATION, RANKED_DEVIATION
from duels.ratings.models import WizardRating
from duels.ratings.queries import LadderPlace, ladder_page
from duels.ratings.results import MIN_RATED_TURNS
from duels.ratings.scoring import INITIAL_RATING, POINTS_OF_SURRENDER, REPEAT_PERIOD
from tests.cast import Cast, challenge
from tests.duels.plans import avoid, plan_of
from tests.duels.ratings.test_explanations import page

pytestmark = pytest.mark.django_db


def store_ranked_rating(wizard: Wizard, value: float, **more: Any) -> None:
    """Store a rating that is on the ladder."""
    now = timezone.now()
    fields = {
        "value": value,
        "deviation": 60,
        "volatility": 0.06,
        "at": now,
        "ranked_until": now + timedelta(days=30),
        "month": now.date().replace(day=1),
        "month_gain": value - 1500,
        "reliability": 1 - value / 10_000,
    }
    WizardRating.objects.create(wizard=wizard, ruleset="bartle-1", **fields | more)


def listed_names(html: str) -> list[str]:
    return re.findall(r'class="who" href="[^"]*">([^<]*)<', html)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("rating", ["Cleo", "Ada", "Bram", "Dorn"]),
        ("month", ["Dorn", "Cleo"]),
        ("reliability", ["Ada", "Cleo"]),
    ],
)
def test_ladders_list_ranked_wizards_and_monthly_gains_in_order(
    cast: Cast, by: str, expected: list[str]
) -> None:
    store_ranked_rating(cast.ada, 1500)
    store_ranked_rating(
        cast.bram, 1900, ranked_until=timezone.now() - timedelta(days=1), month_gain=-3
    )
    store_ranked_rating(cast.cleo, 1600)
    store_ranked_rating(cast.dorn, 1700, ranked_until=None)
    assert listed_names(page(f"/ladders/bartle-1/?by={by}")) == expected


def test_ladders_open_on_the_ruleset_of_your_last_duel(cast: Cast, client: Client) -> None:
    assert client.get("/ladders/").headers["Location"] == "/ladders/bartle-1/"
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    assert client.get("/ladders/").headers["Location"] == "/ladders/bartle-1/"
    challenge(cast.ada, cast.bram, ruleset="warlocks-1")
    assert client.get("/ladders/").headers["Location"] == "/ladders/warlocks-1/"


def test_ladder_continues_on_the_next_page(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duels.ratings.queries.PAGE_ROWS", 3)
    for wizard in (cast.ada, cast.bram, cast.cleo, cast.dorn):
        store_ranked_rating(wizard, 1500.5)
    first = page("/ladders/bartle-1/")
    following = re.search(r'href="([^"]*)" rel="next"', first)
    assert following
    second = page(following[1].replace("&amp;", "&"))
    assert sorted(listed_names(first) + listed_names(second)) == ["Ada", "Bram", "Cleo", "Dorn"]
    assert '<span class="about">4</span>' in second


def test_first_page_of_ratings_also_lists_wizards_who_are_not_ranked(cast: Cast) -> None:
    store_ranked_rating(cast.ada, 1500)
    store_ranked_rating(cast.bram, 1600, ranked_until=None, deviation=200)
    store_ranked_rating(cast.cleo, 1700, ranked_until=timezone.now() - timedelta(days=1))
    html = page("/ladders/bartle-1/")
    assert listed_names(html) == ["Ada", "Cleo", "Bram"]
    ranked, others = html.split("Not ranked yet")
    assert listed_names(ranked) == ["Ada"]
    assert "1600 ± 392" in others


def test_ladder_states_the_ranked_interval() -> None:
    html = page("/ladders/bartle-1/").partition('id="how-ratings-work"')[2]
    assert f"within ± {INTERVAL_DEVIATIONS * RANKED_DEVIATION:.0f}" in html
    assert f"starts at ± {INTERVAL_DEVIATIONS * MAX_DEVIATION:.0f}" in html


def test_ladder_explains_the_scores_of_rated_duels() -> None:
    html = page("/ladders/bartle-1/")
    explanation = html[html.index('id="how-ratings-work"') :]
    assert f"scores {1 - POINTS_OF_SURRENDER:g} and {POINTS_OF_SURRENDER:g}" in explanation
    assert f"with {INITIAL_RATING.value:g} under each ruleset" in explanation
    assert f"within {REPEAT_PERIOD.days} days" in explanation.replace("thirty", "30")
    assert f"before turn {MIN_RATED_TURNS}" in explanation


@pytest.mark.parametrize("path", ["/ladders/chess/", "/ladders/bartle-1/?by=luck"])
def test_unknown_ladder_is_not_found(path: str) -> None:
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize("after", ["x", "1~2", "nan~1~1", "1e999~1~1", "1~-1~1", "1~1~" + "9" * 99])
def test_invalid_position_in_a_ladder_does_not_cause_an_error(after: str) -> None:
    assert Client().get("/ladders/bartle-1/", {"after": after}).status_code == 200


def test_removed_wizards_are_not_on_ladders(cast: Cast) -> None:
    store_ranked_rating(cast.ada, 1600)
    anonymise_wizard(cast.ada, timezone.now())
    assert listed_names(page("/ladders/bartle-1/")) == []


@pytest.mark.parametrize(
    ("by", "index"),
    [
        ("rating", "rating_ranked"),
        ("month", "rating_movers"),
        ("reliability", "rating_reliable"),
    ],
)
def test_each_ladder_uses_its_own_index(by: str, index: str) -> None:
    avoid("seqscan", "bitmapscan", "sort")
    with CaptureQueriesContext(connection) as captured:
        ladder_page("bartle-1", by, LadderPlace(0.5, 7, 50), timezone.now())
    plan = plan_of(captured[0]["sql"])
    assert index in plan
    assert "Sort" not in plan
