"""The list of running public duels: its sort orders, figures and pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from duels.caching import poll_cache
from duels.commands import endings
from duels.models import ActKind, Duel, Wizard
from duels.queries.listing import ALL_DUELS, FigurePlace
from duels.ratings.models import RunningRating, WizardRating
from duels.ratings.watching import watch_page
from tests.cast import NOW, Cast, begin, hands, play
from tests.duels import plans
from tests.duels.list_pages import listed_duels, next_page_address, page_html
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def store_rating(wizard: Wizard, value: float) -> None:
    WizardRating.objects.create(
        wizard=wizard,
        ruleset="bartle-1",
        value=value,
        deviation=60,
        volatility=0.06,
        at=NOW,
        month=NOW.date(),
        month_gain=0,
        reliability=1,
    )


def add_spectators(duel: Duel, number: int) -> None:
    for spectator in range(number):
        cached = poll_cache.read_cached_poll(duel.pk, "", f"{spectator}")
        poll_cache.count_spectator(duel.pk, f"{spectator}", cached)


def begin_running_duels(cast: Cast) -> list[Duel]:
    """Begin a long duel, a watched one, and one between rated wizards, in this order."""
    long = begin(cast.ada, cast.cleo)
    play(long, {cast.ada: hands("W", "-"), cast.cleo: hands("-", "-")})
    watched = begin(cast.ada, cast.cleo)
    add_spectators(watched, 2)
    for wizard, value in ((cast.ada, 1700), (cast.bram, 1500.6)):
        store_rating(wizard, value)
    return [long, watched, begin(cast.ada, cast.bram)]


def test_running_duels_are_sorted_by_rating_turn_or_spectators(cast: Cast) -> None:
    long, watched, rated = [duel.pk for duel in begin_running_duels(cast)]
    assert listed_duels(page_html(None, "/duels/?show=watch")) == [rated, watched, long]
    assert listed_duels(page_html(None, "/duels/?show=watch&sort=luck")) == [rated, watched, long]
    assert listed_duels(page_html(None, "/duels/?show=watch&sort=turn")) == [long, rated, watched]
    by_rating = page_html(cast.ada, "/duels/?show=watch&sort=rating")
    assert listed_duels(by_rating) == [rated]
    assert "rated 1600 on average" in by_rating
    by_spectators = page_html(None, "/duels/?show=watch&sort=watched")
    assert listed_duels(by_spectators) == [watched]
    assert "2 watching" in by_spectators
    assert listed_duels(page_html(None, "/duels/?show=watch&sort=turn&ruleset=warlocks-1")) == []


def test_private_and_finished_duels_are_not_watched(cast: Cast) -> None:
    private, over = begin(cast.ada, cast.bram, visibility="private"), begin_running_duels(cast)[2]
    endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)
    for duel in (private, over):
        add_spectators(duel, 3)
    for sort in ("newest", "rating", "turn", "watched"):
        shown = listed_duels(page_html(cast.ada, f"/duels/?show=watch&sort={sort}"))
        assert not {private.pk, over.pk} & set(shown)
    assert not RunningRating.objects.exists()


def test_rollback_of_a_finished_duel_restores_its_rating_in_the_list(cast: Cast) -> None:
    duel = begin_running_duels(cast)[2]
    play(duel, {cast.ada: hands("W", "-"), cast.bram: hands("-", "-")})
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert RunningRating.objects.get(duel=duel).value == 1600


@pytest.mark.parametrize("sort", ["newest", "rating", "turn", "watched"])
def test_list_of_running_duels_is_paginated_in_every_order(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    for wizard in (cast.ada, cast.bram):
        store_rating(wizard, 1600)
    for _ in range(5):
        add_spectators(begin(cast.ada, cast.bram), 2)
    monkeypatch.setattr("duels.queries.listing.PAGE_ROWS", 2)
    html, found = page_html(None, f"/duels/?show=watch&sort={sort}&ruleset=bartle-1"), []
    for _ in range(3):
        found += listed_duels(html)
        html = page_html(None, next_page_address(html)) if next_page_address(html) else ""
    assert (len(found), html) == (5, "")
    assert found == sorted(found, reverse=True)


def test_list_of_running_duels_by_rating_uses_its_index(cast: Cast) -> None:
    plans.avoid("seqscan", "bitmapscan", "sort")
    with CaptureQueriesContext(connection) as captured:
        watch_page("rating", ALL_DUELS, FigurePlace(1600, 7), None)
    plan = plans.plan_of(captured[0]["sql"])
    assert "running_rating_order" in plan
    assert "Sort" not in plan
