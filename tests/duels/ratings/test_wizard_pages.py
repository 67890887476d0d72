"""Ratings on the pages of wizards, and results between two opponents."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import endings
from duels.commands.profiles import anonymise_wizard
from duels.ratings.models import RatingChange
from duels.screens.wizard.rating_chart import BOTTOM, HEIGHT, TOP, rating_chart
from tests.cast import NOW, Cast, begin, signed_in
from tests.duels.list_pages import listed_duels
from tests.duels.ratings.test_commands import kill, played, resigned
from tests.duels.ratings.test_explanations import page

pytestmark = pytest.mark.django_db


def test_wizard_page_shows_ratings_with_chart_and_results(cast: Cast) -> None:
    unrated = "You have no rating"
    assert "rating-chart" not in page("/wizards/ada/")
    assert unrated not in page("/wizards/ada/")
    assert unrated in signed_in(cast.ada).get("/wizards/ada/").content.decode()
    kill(played(cast.ada, cast.bram), cast.ada, cast.bram)
    resigned(cast.bram, cast.ada)
    html = page("/wizards/ada/")
    assert '<svg class="rating-chart"' in html
    assert ">after 2 duels</text>" in html
    assert "left --&gt;, right ---: won 1, drawn 0, lost 0" in html
    assert "<td>won by death</td>" in html
    assert "<td>lost by surrender</td>" in html
    assert "won 1, drawn 0, lost 1" in html
    assert "because the rating is still uncertain" in html
    assert 'href="/ladders/#how-ratings-work"' in html


def test_scale_of_the_chart_includes_the_newest_interval(cast: Cast) -> None:
    """A band that reaches the edges everywhere would look like a background."""
    kill(played(cast.ada, cast.bram), cast.ada, cast.bram)
    chart = rating_chart([RatingChange.objects.get(wizard=cast.ada)])
    (high, low) = (float(point.split()[1]) for point in chart["band"].strip("MZ").split("L")[1:3])
    assert TOP < high < low < HEIGHT - BOTTOM


def test_each_rating_change_is_listed_with_the_opponent_and_the_points(cast: Cast) -> None:
    first = kill(played(cast.ada, cast.bram), cast.ada, cast.bram)
    last = resigned(cast.cleo, cast.ada)
    changes = RatingChange.objects.filter(wizard=cast.ada).order_by("-at", "-duel")
    points = [f"{change.value - change.value_before:+.0f}".replace("-", "−") for change in changes]
    html = page("/wizards/ada/").partition("<summary>Rating after each duel</summary>")[2]
    rows = re.findall(r"<td>([^<]*)</td>\s*<td>([^<]*)</td>\s*<td>([^<]*)</td>\s*<td>", html)
    assert rows == [("Cleo", "lost by surrender", points[0]), ("Bram", "won by death", points[1])]
    assert html.index(f"/duels/{last.pk}/") < html.index(f"/duels/{first.pk}/")


def test_results_between_two_wizards_count_only_their_own_duels(cast: Cast) -> None:
    resigned(cast.ada, cast.bram)
    resigned(cast.cleo, cast.ada)
    resigned(cast.cleo, cast.bram)
    assert "Ada has won 1, drawn 0 and lost 0." in page("/wizards/ada/against/bram/")
    assert "Bram has won 0, drawn 0 and lost 1." in page("/wizards/bram/against/ada/")
    assert "have not met" in page("/wizards/ada/against/dorn/")


def test_page_of_two_wizards_lists_their_friendly_duels_too(cast: Cast) -> None:
    running, over = begin(cast.ada, cast.bram), begin(cast.bram, cast.ada)
    private = begin(cast.ada, cast.bram, visibility="private")
    other = begin(cast.ada, cast.cleo)
    for duel in (over, private):
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    html = page("/wizards/ada/against/bram/")
    assert listed_duels(html) == [running.pk, over.pk]
    assert str(other.pk) not in re.findall(r"/duels/(\d+)/", html)
    own = signed_in(cast.ada).get("/wizards/ada/against/bram/").content.decode()
    assert set(listed_duels(own)) == {running.pk, over.pk, private.pk}
    assert "Your duels against Bram" in signed_in(cast.ada).get("/wizards/bram/").content.decode()


def test_wizard_against_themselves_leads_to_their_page(cast: Cast) -> None:
    answer = Client().get("/wizards/ada/against/ada/")
    assert answer.headers["Location"] == "/wizards/ada/"


def test_removed_wizards_show_no_ratings(cast: Cast) -> None:
    resigned(cast.ada, cast.bram)
    anonymise_wizard(cast.ada, timezone.now())
    cast.ada.refresh_from_db()
    assert "rating-chart" not in page(f"/wizards/{cast.ada.slug}/")
    html = page(f"/wizards/bram/against/{cast.ada.slug}/")
    assert "Ratings of wizards who have left are not shown." in html
    assert f"Bram against {cast.ada.name}" in html
    assert "not met" not in html
