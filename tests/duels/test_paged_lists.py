"""Filters, pages and queries of lists of duels."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.clocks.budget import Budget
from duels.commands import challenges, endings
from duels.models import Duel, Seat, Wizard
from duels.queries import listing, lists
from duels.queries.listing import PAGE_ROWS, FigurePlace
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, play, seal, signed_in
from tests.copies import make_copies
from tests.duels import duel_rows, plans
from tests.duels.list_pages import (
    DO_NOTHING,
    listed_duels,
    next_page_address,
    one_duel_of_each_kind,
    page_html,
)

pytestmark = pytest.mark.sqlite


def test_lists_are_filtered_by_opponent_ruleset_and_result(cast: Cast):
    won, lost = begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo, ruleset="warlocks-1")
    endings.resign(duel_id=won.pk, wizard=cast.bram, now=NOW)
    endings.resign(duel_id=lost.pk, wizard=cast.ada, now=LATER)
    drawn = begin(cast.bram, cast.dorn)
    for wizard in (cast.bram, cast.dorn):
        endings.offer_draw(duel_id=drawn.pk, wizard=wizard, ordinal=None, now=LATER)
    both = [lost.pk, won.pk]
    for address, found in {
        "?show=finished": both,
        "?show=finished&opponent=BRA": [won.pk],
        "?show=finished&opponent=ada": [],  # Ada cannot be her own opponent
        "?show=finished&ruleset=warlocks-1": [lost.pk],
        "?show=finished&result=won": [won.pk],
        "?show=finished&result=lost": [lost.pk],
        "?show=finished&result=lost&opponent=bram": [],
        "?show=finished&wizard=bram&result=lost": [won.pk],
        "?show=read&opponent=ada": both,
        "?show=read&result=drew": [drawn.pk],
        "?show=read&result=won": both,
    }.items():
        assert listed_duels(page_html(cast.ada, f"/duels/{address}")) == found, address


@pytest.mark.parametrize("field", ["opponent", "ruleset", "result"])
def test_invalid_filter_of_a_list_is_ignored(cast: Cast, field: str):
    duel = begin(cast.ada, cast.bram)
    for value in ("\0", "x" * 5000):
        answer = signed_in(cast.ada).get("/duels/", {"show": "watch", field: value})
        assert listed_duels(answer.content.decode()) == [duel.pk]


def test_pages_of_a_filtered_list_keep_the_filter(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    make_copies(duel, PAGE_ROWS)
    begin(cast.ada, cast.cleo)
    html = page_html(cast.ada, "/duels/?show=waiting&opponent=bram")
    rest = page_html(cast.ada, next_page_address(html))
    assert (len(listed_duels(html)), len(listed_duels(rest))) == (PAGE_ROWS, 1)
    assert 'href="/duels/?show=waiting&amp;opponent=bram" rel="first"' in rest
    assert "No duels match this filter." in page_html(cast.ada, "/duels/?opponent=dorn")


@pytest.mark.parametrize("code", ["waiting", "running", "finished", "read", "watch", "open"])
def test_long_list_is_paginated_without_gaps_or_repetitions(cast: Cast, code: str):
    is_open = code == "open"
    duel = challenge(cast.bram, now=timezone.now()) if is_open else begin(cast.ada, cast.bram)
    if code in ("running", "watch"):
        seal(duel, cast.ada, DO_NOTHING)
    if code in ("finished", "read"):
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    make_copies(duel, 2 * PAGE_ROWS + 10)
    html, pages = page_html(cast.ada, f"/duels/?show={code}"), []
    while True:
        pages.append(listed_duels(html))
        if not next_page_address(html):
            break
        html = page_html(cast.ada, next_page_address(html))
    everything = [number for each in pages for number in each]
    assert [len(each) for each in pages] == [PAGE_ROWS, PAGE_ROWS, 11]
    assert len(set(everything)) == len(everything)
    assert everything == sorted(everything, reverse=code != "waiting")
    assert "First page" in html


def test_finished_duels_are_sorted_by_end_time_then_number(cast: Cast):
    first, second, third = (begin(cast.ada, cast.bram) for _ in range(3))
    for duel, moment in ((second, NOW), (third, LATER), (first, LATER)):
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=moment)
    expected = [third, first, second]
    assert [row.duel for row in duel_rows.finished_duels(cast.ada, cast.ada)] == expected
    duels, found = lists.finished_list(cast.ada, cast.ada).limited_to(1), []
    place: FigurePlace | None = None
    for _ in expected:
        part = listing.load_duel_lists({"": duels.starting_after(place)}, cast.ada)[""]
        found += [row.duel for row in part.rows]
        place = part.next and FigurePlace.parse(str(part.next))
    assert (found, place) == (expected, None)


@pytest.mark.parametrize(
    "after", ["", "-", "x", "1-x", "-5", "1-", "9" * 40, f"1-{'9' * 40}", "1-2-3", "\0", "²", "1-²"]
)
def test_invalid_position_in_a_list_does_not_cause_an_error(cast: Cast, after: str):
    begin(cast.ada, cast.bram)
    for code in ("watch", "running"):
        answer = signed_in(cast.ada).get("/duels/", {"show": code, "after": after})
        assert answer.status_code == 200


def test_home_and_wizard_pages_link_to_the_rest_of_their_lists(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    assert "/duels/?show=finished" not in page_html(cast.ada, "/")
    make_copies(duel, 30)
    home, wizard = page_html(cast.ada, "/"), page_html(None, "/wizards/ada/")
    assert 'href="/duels/?show=finished"' in home
    assert len(listed_duels(home)) == 10
    assert 'href="/duels/?show=finished&amp;wizard=ada"' in wizard
    assert len(listed_duels(wizard)) == 20


MOST_QUERIES = {
    "/": 8,
    "/duels/": 7,
    "/duels/?show=finished": 7,
    "/duels/?show=finished&opponent=bram&result=won": 7,
    "/duels/?show=open": 8,
    "/duels/?show=watch": 7,
    "/wizards/": 5,
    "/wizards/bram/": 11,
}


def test_queries_of_lists_do_not_depend_on_the_number_of_duels(cast: Cast):
    def costs() -> dict[str, int]:
        return {address: cost(address) for address in MOST_QUERIES}

    def cost(address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    client = signed_in(cast.ada)
    for shown in one_duel_of_each_kind(cast):
        shown.refresh_from_db()
        make_copies(shown, 1)
    costs()  # fill the cache
    few = costs()
    for shown in Duel.objects.order_by("pk")[:4]:
        make_copies(shown, 40)
    assert costs() == few
    assert {address: cost for address, cost in few.items() if cost > MOST_QUERIES[address]} == {}


def test_lists_do_not_load_events_or_dice(cast: Cast):
    one_duel_of_each_kind(cast)
    client = signed_in(cast.ada)
    heavy = re.compile(r'"(events|questions|seed|setup|recorded_draws)"')
    for address in MOST_QUERIES:
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        assert not [query["sql"] for query in captured if heavy.search(query["sql"])]


LIST_BY_INDEX: dict[str, Callable[[Wizard], listing.DuelList]] = {
    "seat_awaited": lists.waiting_list,
    "seat_going_on": lists.running_list,
    "seat_challenged": lists.challenge_list,
    "seat_finished": lambda wizard: lists.finished_list(wizard, wizard),
    "duel_open": lambda wizard: lists.open_list(wizard, NOW),
    "duel_to_watch": lambda wizard: lists.watch_list(),
    "duel_to_read": lambda wizard: lists.finished_public_list(),
}


def test_each_list_uses_its_own_index(cast: Cast):
    """The queries for later pages use the index too.

    PostgreSQL chooses plans by statistics, so the test needs many rows.
    """
    if connection.vendor == "postgresql":
        plans.empty_table_files()
        for duel in one_duel_of_each_kind(replace(cast, ada=cast.cleo, bram=cast.dorn)):
            make_copies(duel, 150)
        for duel in one_duel_of_each_kind(cast):  # Ada also has many duels
            make_copies(duel, 15)
    plans.count_rows()
    plans.avoid("sort", "seqscan", "bitmapscan")
    last = Duel.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    for index, list_of in LIST_BY_INDEX.items():
        duels = list_of(cast.ada)
        microseconds = (NOW - listing.EPOCH) // listing.MICROSECOND
        place = FigurePlace(microseconds if duels.moment else 0, last)
        for each in (duels, duels.starting_after(place)):
            plan = each.duels.explain()
            assert index in plan
            scanned = re.search(r"SCAN duels_\w+$|TEMP B-TREE FOR ORDER|Seq Scan", plan, re.M)
            assert not scanned, (index, plan)


def test_every_seat_stores_the_end_time_of_its_duel(cast: Cast):
    """The end time is stored for every way of ending.

    Seats of running duels have no end time.
    """
    resigned, drawn, played, running = (begin(cast.ada, cast.bram) for _ in range(4))
    endings.resign(duel_id=resigned.pk, wizard=cast.ada, now=LATER)
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=drawn.pk, wizard=wizard, ordinal=None, now=LATER)
    play(played, {cast.ada: hands("P", "P"), cast.bram: DO_NOTHING}, now=LATER)
    withdrawn, declined, expired = (challenge(cast.ada, cast.bram) for _ in range(3))
    challenges.withdraw(duel_id=withdrawn.pk, wizard=cast.ada, now=LATER)
    challenges.decline(duel_id=declined.pk, wizard=cast.bram, now=LATER)
    Duel.objects.filter(pk=expired.pk).update(expires_at=NOW)
    assert challenges.expire_challenges(now=LATER, budget=Budget(60)) == (1, 0)
    unanswered = challenge(cast.ada, cast.bram)
    for seat in Seat.objects.select_related("duel"):
        assert seat.duel_ended_at == seat.duel.ended_at
    for duel in (running, unanswered):
        assert not Seat.objects.filter(duel=duel, duel_ended_at__isnull=False).exists()
    ended = (resigned, drawn, played, withdrawn, declined, expired)
    assert Seat.objects.filter(duel__in=ended, duel_ended_at=LATER).count() == 2 * len(ended)
