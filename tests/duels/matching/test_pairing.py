"""Pairing as a pure function of waiting wizards: its rules, and its properties for random pools."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duels.matching import pairing
from duels.matching.pairing import (
    OFFERED_PACES,
    Match,
    Obstacle,
    OpenWizard,
    PairingPool,
    best_matches,
    closest_match,
    obstacle_to_pairing,
    rating_window_after,
)
from duels.ratings.public import Rating
from tests import daily

SMALL_DEVIATION = 50  # a small deviation
THREE_DAYS, A_DAY, AN_HOUR, _ = (str(pace) for pace in OFFERED_PACES)


def open_wizard(
    number: int, rating: float = 1500, deviation: float = SMALL_DEVIATION, **terms: Any
) -> OpenWizard:
    usual: dict[str, Any] = {
        "rulesets": ["bartle-1"],
        "paces": [THREE_DAYS],
        "rated": "either",
        "reach": 100,
        "ratings": {"bartle-1": Rating(rating, deviation)},
    }
    return OpenWizard(number, **usual | terms)


def paired_numbers(*wizards: OpenWizard, **pool: Any) -> list[set[int]]:
    return [set(match.ids) for match in best_matches(PairingPool(wizards, **pool))]


def test_wizards_with_the_closest_ratings_are_paired_first() -> None:
    assert paired_numbers(*(open_wizard(n, 1500 + r) for n, r in enumerate((0, 90, 100, 170)))) == [
        {1, 2},
        {0, 3},
    ]


def test_accepted_rating_difference_grows_while_both_wizards_wait() -> None:
    far = open_wizard(1, 1500), open_wizard(2, 1850)
    assert paired_numbers(*far) == []
    reach = rating_window_after(timedelta(hours=2))
    assert paired_numbers(*(replace(each, reach=reach) for each in far)) == [{1, 2}]
    assert paired_numbers(far[0], replace(far[1], reach=reach)) == []


@pytest.mark.parametrize(
    ("deviations", "most"), [((50, 50), 200), ((50, 350), 500), ((290, 290), 680)]
)
def test_deviations_of_both_ratings_increase_the_accepted_difference(
    deviations: tuple[int, int], most: int
) -> None:
    one, other = deviations
    assert paired_numbers(open_wizard(1, 1500, one), open_wizard(2, 1500 + most, other)) == [{1, 2}]
    assert paired_numbers(open_wizard(1, 1500, one), open_wizard(2, 1501 + most, other)) == []


def test_wizard_with_an_uncertain_rating_accepts_more_distant_opponents() -> None:
    certain = [open_wizard(n, 1500 + 201 * n) for n in range(3)]
    assert paired_numbers(*certain) == []
    assert paired_numbers(*certain, open_wizard(3, 1000, 350)) == [{0, 3}]
    assert paired_numbers(*certain[1:], open_wizard(3, 1300, 350)) == [{1, 3}]


def test_pairing_chooses_a_ruleset_in_which_the_ratings_are_close_enough() -> None:
    both: dict[str, Any] = {"rulesets": ["bartle-1", "warlocks-1"]}
    one = open_wizard(1, **both, ratings={"bartle-1": Rating(1500, SMALL_DEVIATION)})
    other = open_wizard(
        2,
        **both,
        ratings={
            "bartle-1": Rating(1750, SMALL_DEVIATION),
            "warlocks-1": Rating(1900, SMALL_DEVIATION),
        },
    )
    match = closest_match(one, other)
    assert match is not None
    assert (match.ruleset, match.distance) == ("warlocks-1", 400)


def test_recent_opponents_are_paired_only_if_nobody_else_is_waiting() -> None:
    recent = {frozenset((1, 2))}
    assert paired_numbers(open_wizard(1), open_wizard(2), open_wizard(3, 1600), recent=recent) == [
        {1, 3}
    ]
    assert paired_numbers(open_wizard(1), open_wizard(2), recent=recent) == [{1, 2}]
    assert paired_numbers(open_wizard(1), open_wizard(2), apart=recent) == []


@pytest.mark.parametrize(
    ("one", "other", "is_rated"),
    [
        ("either", "either", True),
        ("rated", "either", True),
        ("friendly", "either", False),
        ("friendly", "friendly", False),
        ("rated", "friendly", None),
    ],
)
def test_duel_is_rated_if_both_wizards_are_open_to_rated_duels(
    one: str, other: str, is_rated: bool | None
) -> None:
    match = closest_match(open_wizard(1, rated=one), open_wizard(2, rated=other))
    assert (match and match.rated) == is_rated


def test_pairing_chooses_the_ruleset_with_the_closest_ratings_and_a_common_pace() -> None:
    both: dict[str, Any] = {"rulesets": ["bartle-1", "warlocks-1"]}
    one = open_wizard(1, **both, paces=[A_DAY, AN_HOUR], ratings={"bartle-1": Rating(1600)})
    other = open_wizard(2, **both, paces=[AN_HOUR], ratings={"warlocks-1": Rating(1520)})
    match = closest_match(one, other)
    assert match is not None
    assert (match.ruleset, match.pace, match.distance) == ("warlocks-1", AN_HOUR, 20)


@pytest.mark.parametrize(
    ("others", "reason", "number"),
    [
        ([], Obstacle.NOBODY, 0),
        ([{"rulesets": ["warlocks-1"]}] * 2, Obstacle.RULESETS, 2),
        ([{"rulesets": ["warlocks-1"]}, {"paces": [AN_HOUR]}], Obstacle.PACES, 1),
        ([{"paces": [AN_HOUR]}, {"rated": "friendly"}], Obstacle.RATED, 1),
        ([{"ratings": {"bartle-1": Rating(1800, SMALL_DEVIATION)}}], Obstacle.DISTANCE, 1),
        ([{}], Obstacle.NONE, 1),
    ],
)
def test_obstacle_is_the_last_condition_that_nobody_else_meets(
    others: list[dict[str, Any]], reason: Obstacle, number: int
) -> None:
    me = open_wizard(0, rated="rated")
    pool = PairingPool([me, *(open_wizard(n, **terms) for n, terms in enumerate(others, start=1))])
    found, concerned = obstacle_to_pairing(me, pool)
    assert (found, len(concerned)) == (reason, number)


def test_obstacle_can_be_a_recent_duel_of_the_two_wizards() -> None:
    pool = PairingPool([open_wizard(1), open_wizard(2)], apart={frozenset((1, 2))})
    assert obstacle_to_pairing(pool.wizards[0], pool)[0] == Obstacle.MET


def subsets(values: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), min_size=1, unique=True)


WIZARD_LISTS = st.lists(
    st.builds(
        open_wizard,
        number=st.just(0),
        rating=st.integers(10, 20).map(lambda n: 100 * n) | st.integers(1000, 2000),
        deviation=st.integers(50, 350),
        rulesets=subsets(["bartle-1", "warlocks-1"]),
        paces=subsets([THREE_DAYS, A_DAY, AN_HOUR]),
        rated=st.sampled_from(["either", "rated", "friendly"]),
        reach=st.integers(100, 500),
    ),
    max_size=8,
).map(lambda found: [replace(each, id=number) for number, each in enumerate(found)])
NUMBER_PAIRS = st.sets(
    st.sets(st.integers(0, 7), min_size=2, max_size=2).map(frozenset), max_size=8
)


def matches_by_full_comparison(pool: PairingPool) -> list[Match]:
    """Return the same matches as `best_matches`, by comparing all pairs."""
    possible = [
        match
        for one, other in combinations(pool.wizards, 2)
        if frozenset((one.id, other.id)) not in pool.apart
        and (match := closest_match(one, other)) is not None
    ]
    possible.sort(key=lambda match: (match.ids in pool.recent, match.distance, sorted(match.ids)))
    found: list[Match] = []
    for match in possible:
        if all(match.ids.isdisjoint(each.ids) for each in found):
            found.append(match)
    return found


@settings(max_examples=daily.examples(600))
@given(WIZARD_LISTS, NUMBER_PAIRS, NUMBER_PAIRS)
def test_pairing_equals_a_comparison_of_all_pairs(
    wizards: list[OpenWizard], apart: set[frozenset[int]], recent: set[frozenset[int]]
) -> None:
    pool = PairingPool(wizards, apart, recent)
    assert best_matches(pool) == matches_by_full_comparison(pool)


@pytest.mark.parametrize("ratings", [lambda n: 1500, lambda n: 1000 + n, lambda n: 300 * n])
def test_pairing_of_many_wizards_compares_only_a_few_pairs(
    ratings: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = Mock(wraps=closest_match)
    monkeypatch.setattr(pairing, "closest_match", compare)
    number = 400
    rulesets, paces = ["bartle-1", "warlocks-1"], [THREE_DAYS, A_DAY]
    terms: dict[str, Any] = {"rulesets": rulesets, "paces": paces, "reach": 1000}
    best_matches(PairingPool([open_wizard(n, ratings(n), **terms) for n in range(number)]))
    assert compare.call_count <= 3 * number


@settings(max_examples=daily.examples(300))
@given(WIZARD_LISTS, NUMBER_PAIRS, NUMBER_PAIRS)
def test_all_pairs_are_compatible_and_no_compatible_wizards_remain_unpaired(
    wizards: list[OpenWizard], apart: set[frozenset[int]], recent: set[frozenset[int]]
) -> None:
    pool = PairingPool(wizards, apart, recent)
    found = best_matches(pool)
    paired = [number for match in found for number in match.ids]
    assert len(paired) == len(set(paired)), "nobody is paired twice"
    for match in found:
        one, other = match.pair
        assert match.ids not in apart
        assert match.ruleset in one.rulesets
        assert match.ruleset in other.rulesets
        assert match.pace in one.paces
        assert match.pace in other.paces
        assert {one.rated, other.rated} != {"rated", "friendly"}
        ratings = sorted(
            (each.rating(match.ruleset) for each in match.pair), key=lambda rating: rating.value
        )
        gap = (ratings[1].value - ratings[1].deviation) - (ratings[0].value + ratings[0].deviation)
        assert gap <= min(one.reach, other.reach)
    for one, other in combinations(wizards, 2):
        if one.id in paired and other.id in paired:
            continue
        missed = closest_match(one, other)
        if missed is None or missed.ids in apart:
            continue
        closer = [(each.ids in recent, each.distance) for each in found if each.ids & missed.ids]
        assert closer, "no two wizards who could be paired keep waiting"
        assert min(closer) <= (missed.ids in recent, missed.distance)
        assert obstacle_to_pairing(one, pool)[0] == Obstacle.NONE
