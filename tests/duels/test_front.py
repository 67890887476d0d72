"""Tests of the front page for visitors: it shows a duel, has one button and needs few queries."""

from typing import Any

import pytest
from django.test import Client

from duels.caching.volatile import cache
from duels.lessons.first import FIRST_LESSON
from tests.cast import Cast, begin, hands, play, seal

MAX_QUERIES = 14


def front_page() -> str:
    answer = Client().get("/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_front_page_has_a_single_button_to_play(db: None) -> None:
    page = front_page()
    assert page.count('action="/play"') == 1
    assert "Play your first duel" in page
    assert len(FIRST_LESSON.steps) == 9
    assert "Nine turns against Old Quill" in page


def test_front_page_shows_a_printed_duel_if_no_public_duel_is_running(db: None) -> None:
    page = front_page()
    assert 'href="/rules/bartle-1/games/black-and-white/"' in page
    assert "White won in turn 22." in page
    assert page.count("data-hand=") >= 7 * 4


def test_front_page_shows_the_newest_public_duel_with_a_played_turn(cast: Cast) -> None:
    shown = begin(cast.ada, cast.bram)
    play(shown, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    begin(cast.bram, cast.ada)  # this duel is newer, but no turn of it has been played
    begin(cast.ada, cast.bram, visibility="private")
    page = front_page()
    assert "Ada against Bram" in page
    assert "Being played: turn 2." in page
    assert f'href="/duels/{shown.pk}/turns/1/"' in page


def test_front_page_does_not_depend_on_sealed_orders(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    before = front_page()
    seal(duel, cast.ada, hands("C", "-"))
    cache.clear()
    assert shown_duel(front_page()) == shown_duel(before)


def shown_duel(page: str) -> str:
    """Return the part of the page that shows a duel."""
    return page[page.index('<figure class="watched"') : page.index("</figure>")]


@pytest.mark.parametrize("number", [0, 3])
def test_queries_of_the_front_page_do_not_depend_on_the_number_of_duels(
    cast: Cast, number: int, django_assert_max_num_queries: Any
) -> None:
    for _ in range(number):
        duel = begin(cast.ada, cast.bram)
        play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    client = Client()
    with django_assert_max_num_queries(MAX_QUERIES):
        client.get("/")
