"""The story of a duel, which its page shows after the end."""

import re

import pytest
from django.test import Client

from duels.commands import endings
from duels.models import Duel
from duels.queries.stories import whole_story
from duels.screens.duel.damage_chart import axis_turn_numbers, damage_changes
from tests.cast import NOW, Cast, begin, hands, play, signed_in
from tests.duels.test_views_states import page, set_up
from tests.states import STATES, People

pytestmark = pytest.mark.django_db

STAB_ORDERS = {"left": ">", "right": "-", "left_subject": "w1"}


@pytest.fixture
def duel_with_stabs(cast: Cast) -> Duel:
    """A duel in which Ada stabs Bram three times: he is hurt, protects himself, and then dies."""
    duel = set_up(cast, {}, {"damage": 13})
    for pair in ("W-", "P-", "W-"):
        play(duel, {cast.ada: STAB_ORDERS, cast.bram: hands(*pair)})
    duel.refresh_from_db()
    assert duel.is_over
    return duel


def story_text(html: str) -> str:
    """Return the text of the story."""
    told = html.split('class="leaf whole-story"', 1)[1].split('<div class="duel-talk"')[0]
    return " ".join(re.sub("<[^>]+>", " ", told).split())


def test_story_lists_turning_points_and_spells(cast: Cast, duel_with_stabs: Duel):
    told = story_text(page(signed_in(cast.bram), duel_with_stabs))
    assert "Turn 1 First blood. You suffer 1 point." in told
    assert "Turn 3 Out of the duel. You die of your wounds." in told
    assert "Bram 1 spell" in told
    assert "Before it began 0 13 Turn 1 0 14 Turn 3 0 15" in told
    assert "Bram suffers 1 point." in story_text(page(Client(), duel_with_stabs))


def test_chart_is_drawn_by_the_server_with_a_text_alternative(duel_with_stabs: Duel):
    html = page(Client(), duel_with_stabs)
    chart = re.search(r'<svg class="damage-chart".*?</svg>', html, re.DOTALL)
    assert chart is not None
    assert 'role="img"' in chart[0]
    assert "over 3 turns; at the end: Ada 0 and Bram 15." in chart[0]
    assert re.findall(r'class="course seat-(\d)"', chart[0]) == ["0", "1"]
    assert "style=" not in chart[0]


def test_story_counts_hit_points_left_for_readers_who_prefer_them(
    cast: Cast, duel_with_stabs: Duel
):
    ada = signed_in(cast.ada)
    ada.post("/reading", {"points": "left"})
    html = page(ada, duel_with_stabs)
    assert "Hit points left of the wizards over 3 turns; at the end: Ada 15 and Bram 0." in html
    told = story_text(html)
    assert "Hit points left after each turn." in told
    assert "Before it began 15 2 Turn 1 15 1 Turn 3 15 0" in told
    assert "Damage after each turn." in story_text(page(Client(), duel_with_stabs))


def test_running_duel_has_no_story(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: STAB_ORDERS, cast.bram: hands("W", "-")})
    for client in (signed_in(cast.ada), Client()):
        html = page(client, duel)
        assert "whole-story" not in html
        assert "damage-chart" not in html


def test_duel_that_ended_before_its_first_turn_was_played_has_a_story(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    told = story_text(page(signed_in(cast.ada), duel))
    assert "Out of the duel. You resign." in told


def test_queries_of_a_story_do_not_depend_on_the_length_of_the_duel(
    cast: Cast, django_assert_max_num_queries
):
    """A second request runs no query for the story."""
    counts: list[int] = []
    for turns in (2, 12):
        duel = begin(cast.ada, cast.bram)
        for _ in range(turns):
            play(duel, {cast.ada: STAB_ORDERS, cast.bram: hands("W", "-")})
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        for _ in range(2):
            with django_assert_max_num_queries(1000) as found:
                Client().get(f"/duels/{duel.pk}/")
            counts.append(len(found))
    first, again, longer, longer_again = counts
    assert first == longer
    assert again == longer_again == first - 1


@pytest.mark.parametrize("name", ["over", "drawn", "forfeited"])
def test_every_way_of_ending_a_duel_has_a_story(name: str):
    state = STATES[name](People())
    assert "How the duel went" in Client().get(state.path).content.decode()


def test_turn_numbers_below_the_chart_are_few_and_evenly_spaced():
    assert list(axis_turn_numbers(6)) == [1, 2, 3, 4, 5, 6]
    assert list(axis_turn_numbers(40)) == [5, 10, 15, 20, 25, 30, 35, 40]
    assert len(axis_turn_numbers(300)) <= 8


def test_table_of_the_story_has_a_row_for_each_change_of_damage(duel_with_stabs: Duel):
    story = whole_story(duel_with_stabs)
    assert story is not None
    assert damage_changes(story) == [(0, (0, 13)), (1, (0, 14)), (3, (0, 15))]
