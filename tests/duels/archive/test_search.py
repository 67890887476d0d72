"""Archive searches: the duels found, their order, and errors that name the invalid field."""

from collections.abc import Mapping
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from duels.archive.models import ArchivedDuel
from duels.archive.queries import SORTS
from duels.commands import endings
from duels.commands.profiles import anonymise_wizard
from duels.models import Duel
from duels.queries.listing import page_by_figure
from tests.cast import NOW, Cast, begin
from tests.duels.archive.test_rows import cast_and_counter, draw
from tests.duels.ratings.test_commands import resigned
from tests.duels.test_lists import following, listed, page

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

FOUND: Mapping[str, bool] = {
    "": True,
    "opponent=ada": True,
    "opponent=Cleo": False,
    "opponent=ada&result=lost": True,
    "opponent=ada&result=won": False,
    "opponent=bram&result=won": True,
    "result=won": True,
    "result=drew": False,
    "ruleset=bartle-1": True,
    "ruleset=warlocks-1": False,
    "way=surrender": True,
    "way=kill": False,
    "spell=shield": True,
    "spell=cause_light_wounds&fate=countered": True,
    "spell=shield&fate=countered": False,
    "fate=countered": True,
    "monster=goblin": False,
    "opening=wfp": True,
    "opening=WPS": False,
    "words=Counter+fails": True,
    "words=goblin": False,
    "size=2": True,
    "size=3": False,
    "turns_min=4&turns_max=4": True,
    "turns_min=5": False,
    "turns_max=3": False,
    "rating_min=1": False,
    "since=2026-03-01&until=2026-03-01": True,
    "until=2026-02-28": False,
    "since=2026-03-02": False,
}
INVALID: Mapping[str, str] = {
    "opponent=nobody": "Wizard: There is no wizard with this name.",
    "ruleset=chess": "Rules: Select a valid choice.",
    "spell=wish": "Spell: Select a valid choice.",
    "opening=wf": "First three gestures of a hand: "
    "Enter the first three gestures of a hand, such as SWD.",
    "opening=WFPS": "First three gestures of a hand: "
    "Enter the first three gestures of a hand, such as SWD.",
    "opening=xyz": "First three gestures of a hand: "
    "Enter the first three gestures of a hand, such as SWD.",
    "turns_min=many": "Turns, at least: Enter a whole number.",
    "rating_min=-1": "Rating, at least: Ensure this value is greater than or equal to 0.",
    "since=soon": "Ended on or after: Enter a valid date.",
    "sort=luck": "Order: Select a valid choice.",
    "after=x": "Page: There is no such page. Start with the first one.",
    "words=%00": "Words in the report: Null characters are not allowed.",
}


def found(query: str) -> list[int]:
    return listed(page(None, f"/archive/?{query}"))


def test_search_finds_duels_by_each_field(cast: Cast) -> None:
    cast_and_counter(cast)
    assert {query: bool(found(query)) for query in FOUND} == FOUND
    html = page(None, "/archive/")
    assert "because time ran out" in html
    assert "Ada against Bram" in html
    assert "4 turns · Bram won · " in html


@pytest.mark.parametrize("query", INVALID)
def test_invalid_search_returns_an_error_that_names_the_field(db: None, query: str) -> None:
    answer = Client().get(f"/archive/?{query}")
    assert answer.status_code == 400
    assert f"<li>{INVALID[query]}" in unescape(answer.content.decode())


def duels_in_order(cast: Cast) -> list[Duel]:
    """Return duels, each of them longer, later and higher-rated than the one before."""
    duels = [resigned(cast.ada, cast.bram) for _ in range(5)]
    for number, duel in enumerate(duels):
        ArchivedDuel.objects.filter(duel=duel).update(
            ended_at=NOW + timedelta(microseconds=number // 2),
            turns=number // 2,
            rating=number // 2,
            watched=1 + number // 2,
        )
    return duels


def test_search_results_are_paginated_in_every_order(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr("duels.queries.listing.PAGE_ROWS", 2)
    numbers = [duel.pk for duel in duels_in_order(cast)]
    for sort in SORTS:
        with subtests.test(sort):
            seen, address = [], f"/archive/?sort={sort}&opponent=ada"
            while address:
                html = page(None, address)
                seen += listed(html)
                address = following(html)
            assert seen == (numbers if sort in ("oldest", "shortest") else numbers[::-1])


def test_friendly_duels_have_no_rating_to_sort_by(cast: Cast) -> None:
    rated = resigned(cast.ada, cast.bram)
    draw(cast)
    friendly = endings.resign(duel_id=begin(cast.ada, cast.bram).pk, wizard=cast.ada, now=NOW)
    assert friendly.pk in found("")
    assert friendly.pk not in found("sort=rating")
    assert rated.pk in found("sort=rating")
    assert "highest rating 1500" in page(None, "/archive/?sort=rating")


def test_removed_wizards_cannot_be_found_by_name(cast: Cast) -> None:
    resigned(cast.ada, cast.bram)
    anonymise_wizard(cast.ada, NOW)
    assert Client().get("/archive/?opponent=ada").status_code == 400
    assert "Ada" not in page(None, "/archive/")


def test_archive_page_says_if_there_are_no_duels_or_no_results(cast: Cast) -> None:
    assert "No public duel is over yet." in page(None, "/archive/")
    assert "No duels match this search." in page(None, "/archive/?words=dragon")


@pytest.mark.parametrize("slow", [1, 2])
def test_search_that_times_out_is_repeated_in_the_other_way(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, slow: int
) -> None:
    duel = draw(cast)
    ways: list[str] = []

    def search(*arguments: Any) -> Any:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SHOW enable_indexscan")
                ways.append("by codes" if cursor.fetchone() == ("off",) else "as planned")
                cursor.execute("SELECT pg_sleep(%s)", [9 if len(ways) <= slow else 0])
        return page_by_figure(*arguments)

    monkeypatch.setattr("duels.archive.queries.page_by_figure", search)
    assert found("result=drew") == [duel.pk]
    if connection.vendor == "postgresql":
        assert ways == ["by codes", "as planned", "by codes"][: slow + 1]
