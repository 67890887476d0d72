"""Archive searches: the duels found, their order, and errors that name the invalid field."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext

from duels.archive.models import ArchivedDuel
from duels.archive.queries import SORT_COLUMNS, archive_page
from duels.commands import endings
from duels.commands.profiles import anonymise_wizard
from duels.models import Duel
from duels.screens.archive.forms import ArchiveForm
from tests.cast import NOW, Cast, begin
from tests.duels.archive.test_rows import cast_and_counter, play_draw
from tests.duels.list_pages import listed_duels, next_page_address, page_html
from tests.duels.plans import avoid, plan_of
from tests.duels.ratings.test_commands import resign_rated_duel

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

FOUND_BY_QUERY: Mapping[str, bool] = {
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
INVALID_QUERIES: Mapping[str, str] = {
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


def found_duels(query: str) -> list[int]:
    return listed_duels(page_html(None, f"/archive/?{query}"))


def found_on_all_pages(query: str) -> list[int]:
    seen, address = [], f"/archive/?{query}"
    while address:
        html = page_html(None, address)
        seen += listed_duels(html)
        address = next_page_address(html)
    return seen


def searched_page_by_page(query: str) -> list[int]:
    """Return the ids of all duels found, in order, without rendering the pages."""
    form = ArchiveForm(QueryDict(query))
    assert form.is_valid()
    search, ids = form.search, list[int]()
    while True:
        found, following = archive_page(search, None)
        ids += [each.row.duel.pk for each in found]
        if following is None:
            return ids
        search = replace(search, after=following)


def test_search_finds_duels_by_each_field(cast: Cast) -> None:
    cast_and_counter(cast)
    assert {query: bool(found_duels(query)) for query in FOUND_BY_QUERY} == FOUND_BY_QUERY
    html = page_html(None, "/archive/")
    assert "because time ran out" in html
    assert "Ada against Bram" in html
    assert "4 turns · Bram won by " in html


@pytest.mark.parametrize("query", INVALID_QUERIES)
def test_invalid_search_returns_an_error_that_names_the_field(db: None, query: str) -> None:
    answer = Client().get(f"/archive/?{query}")
    assert answer.status_code == 400
    assert f"<li>{INVALID_QUERIES[query]}" in unescape(answer.content.decode())


def duels_in_order(cast: Cast) -> list[Duel]:
    """Return duels, each of them longer, later and higher-rated than the one before."""
    duels = [resign_rated_duel(cast.ada, cast.bram) for _ in range(5)]
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
    for sort in SORT_COLUMNS:
        with subtests.test(sort):
            seen = found_on_all_pages(f"sort={sort}&opponent=ada")
            assert seen == (numbers if sort in ("oldest", "shortest") else numbers[::-1])


def test_friendly_duels_have_no_rating_to_sort_by(cast: Cast) -> None:
    rated = resign_rated_duel(cast.ada, cast.bram)
    play_draw(cast)
    friendly = endings.resign(duel_id=begin(cast.ada, cast.bram).pk, wizard=cast.ada, now=NOW)
    assert friendly.pk in found_duels("")
    assert friendly.pk not in found_duels("sort=rating")
    assert rated.pk in found_duels("sort=rating")
    assert "highest rating 1500" in page_html(None, "/archive/?sort=rating")


def test_removed_wizards_cannot_be_found_by_name(cast: Cast) -> None:
    resign_rated_duel(cast.ada, cast.bram)
    anonymise_wizard(cast.ada, NOW)
    assert Client().get("/archive/?opponent=ada").status_code == 400
    assert "Ada" not in page_html(None, "/archive/")


def test_archive_page_has_a_note_if_there_are_no_duels_or_no_results(cast: Cast) -> None:
    assert "No public duel is over yet." in page_html(None, "/archive/")
    assert "No duels match this search." in page_html(None, "/archive/?words=dragon")


@pytest.mark.parametrize("next_rows", [1, 3, 100])
def test_search_finds_all_duels_with_and_without_the_index(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests, next_rows: int
) -> None:
    monkeypatch.setattr("duels.queries.listing.PAGE_ROWS", 2)
    monkeypatch.setattr("duels.archive.queries.MAX_ROWS_READ_IN_ORDER", next_rows)
    duels = duels_in_order(cast)
    ArchivedDuel.objects.filter(duel__in=duels).update(words="shield")
    play_draw(cast)
    searches = {"result=won": 5, "result=won&rating_min=1": 3, "words=shield": 5}
    for query, count in searches.items():
        for sort in SORT_COLUMNS:
            with subtests.test(f"{query}&sort={sort}"):
                expected = [duel.pk for duel in duels[-count:]]
                if sort not in ("oldest", "shortest"):
                    expected.reverse()
                assert searched_page_by_page(f"{query}&sort={sort}") == expected


def plan_of_page(query: str, table: str = "archive_archivedduel") -> str:
    """Return the plan of the query that finds the duels of this page."""
    with CaptureQueriesContext(connection) as queries:
        searched_page_by_page(query)
    return plan_of(next(each["sql"] for each in queries if table in each["sql"]))


def test_search_for_common_codes_reads_an_index_in_order(cast: Cast) -> None:
    """Otherwise the search would sort all duels that ended in a common way."""
    play_draw(cast)
    avoid("seqscan", "sort", "bitmapscan")
    for sort, column in SORT_COLUMNS.items():
        plan = plan_of_page(f"sort={sort}&way=draw&ruleset=bartle-1&size=2")
        if connection.vendor == "postgresql":
            assert f"archived_facets_{column.removeprefix('-')}" in plan
            condition = plan[plan.index("Index Cond") :].partition("Filter")[0]
            assert condition.count("substring") == 3


def test_search_for_the_next_page_starts_at_its_first_row_in_the_index(cast: Cast) -> None:
    """Otherwise it would read all earlier duels with the same number of spectators."""
    play_draw(cast)
    avoid("seqscan", "sort", "bitmapscan")
    plan = plan_of_page("sort=watched&after=1-1000")
    if connection.vendor == "postgresql":
        assert "Index Cond: (ROW(watched, duel_id) < ROW(1, 1000))" in plan


def test_only_searches_that_need_the_index_change_database_settings(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    draws = {play_draw(cast).pk, play_draw(cast).pk}
    is_postgresql = connection.vendor == "postgresql"
    for next_rows, changes in ((1, 2 if is_postgresql else 0), (100, 0)):
        with subtests.test(next_rows=next_rows), CaptureQueriesContext(connection) as queries:
            monkeypatch.setattr("duels.archive.queries.MAX_ROWS_READ_IN_ORDER", next_rows)
            assert set(found_duels("result=drew")) == draws
            assert sum("set_config" in each["sql"] for each in queries) == changes
    if is_postgresql:
        with connection.cursor() as cursor:
            cursor.execute("SHOW enable_seqscan")
            assert cursor.fetchone() == ("on",)
