"""Play somebody now: two people are paired, even if they press the button at the same time."""

import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

import engine.play
from duels import errors
from duels.caching import poll_cache
from duels.caching.volatile import cache
from duels.commands import challenges, guests, profiles
from duels.matching.play_now import CHALLENGE_LIFETIME, USUAL_RULESET, accept_or_create_challenge
from duels.models import Duel, DuelStatus, Seat, Wizard
from tests.cast import NOW, Cast, challenge, make_wizard
from tests.duels.test_guests import guest_in
from tests.duels.test_open_to_guests import open_challenge
from tests.duels.test_races import ROUNDS, run_simultaneously
from tests.duels.visitors import Committed, Visitor


def make_guest(name: str) -> Wizard:
    return guests.create_guest(key=name, name=name, now=NOW)


def players_of(duel: Duel) -> set[str]:
    return set(Seat.objects.filter(duel=duel).values_list("wizard__name", flat=True))


@pytest.mark.django_db
def test_second_person_who_presses_is_paired_with_the_first(ada: Wizard) -> None:
    tom = make_guest("Tom")
    waiting = accept_or_create_challenge(wizard=tom, now=NOW)
    assert (waiting.status, waiting.expires_at) == (DuelStatus.GATHERING, NOW + CHALLENGE_LIFETIME)
    assert accept_or_create_challenge(wizard=tom, now=NOW) == waiting, (
        "pressing again has no effect"
    )
    begun = accept_or_create_challenge(wizard=ada, now=NOW)
    assert (begun, begun.status) == (waiting, DuelStatus.RUNNING)
    assert players_of(begun) == {"Guest Tom", "Ada"}
    assert Duel.objects.count() == 1


@pytest.mark.django_db
def test_play_somebody_now_accepts_the_oldest_challenge_with_the_usual_terms(cast: Cast) -> None:
    tom = make_guest("Tom")
    challenge(cast.cleo)  # only for players
    challenge(cast.cleo, cast.dorn)
    for terms in ({"size": 3}, {"ruleset": "wizards-1"}, {"options": ["strict"]}):
        open_challenge(cast.cleo, **terms)
    oldest, _ = (open_challenge(each) for each in (cast.bram, cast.ada))
    late = NOW + timedelta(hours=1)
    assert accept_or_create_challenge(wizard=tom, now=late) == oldest
    assert players_of(oldest) == {"Guest Tom", "Bram"}


@pytest.mark.django_db
def test_play_somebody_now_skips_blocked_wizards_and_expired_challenges(
    ada: Wizard, bram: Wizard
) -> None:
    profiles.block(wizard=ada, other=bram, now=NOW)
    first = accept_or_create_challenge(wizard=ada, now=NOW)
    second = accept_or_create_challenge(wizard=bram, now=NOW)
    assert first != second
    assert accept_or_create_challenge(
        wizard=make_guest("Tom"), now=NOW + CHALLENGE_LIFETIME
    ) not in (
        first,
        second,
    )


@pytest.mark.django_db
def test_play_somebody_now_applies_the_limits_on_challenges(
    ada: Wizard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duels.commands.duel_limits.MAX_DUELS_OF_GUEST", 0)
    accept_or_create_challenge(wizard=ada, now=NOW)
    with pytest.raises(errors.Refused) as refused:
        accept_or_create_challenge(wizard=make_guest("Tom"), now=NOW)
    assert refused.value.code == "too_many_duels"


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [2, 3])
def test_people_who_press_simultaneously_are_paired(number: int) -> None:
    for each in range(ROUNDS):
        people = [make_wizard(f"Player {each}{name}") for name in "ABC"[:number]]
        presses: list[Callable[[], Any]] = [
            partial(accept_or_create_challenge, wizard=wizard, now=NOW) for wizard in people
        ]
        met = {duel.pk for duel in run_simultaneously(*presses)}
        assert len(met) == number - 1, "a third person waits for another opponent"
        running = Duel.objects.filter(seats__wizard__in=people, status=DuelStatus.RUNNING)
        assert running.distinct().count() == 1
        for left in Duel.objects.filter(status=DuelStatus.GATHERING):
            challenges.withdraw(duel_id=left.pk, wizard=left.challenger, now=NOW)


@pytest.mark.django_db
def test_two_visitors_are_paired_with_one_click_each(
    visitor: Visitor, committed: Committed
) -> None:
    first = visitor.post("/somebody").url
    page = visitor.page(first)
    assert "You may close this page" in page
    assert "Practise while you wait" in page
    assert "Withdraw challenge" in page
    assert visitor.post("/somebody").url == first
    other = Visitor(committed)
    front = other.page("/")
    assert 'action="/somebody"' in front
    assert (
        f"By {engine.play.RULESETS[USUAL_RULESET].name}’s rules, public, an hour a turn." in front
    )
    assert other.post("/somebody").url == first
    for browser in (visitor, other):
        assert 'id="orders"' in browser.page(first)
        assert "The clock of this turn keeps running." in browser.page(first)
        assert "This duel waits for you." not in browser.page(first)
    assert guest_in(visitor) != guest_in(other)


@pytest.mark.django_db
def test_page_shows_the_number_of_people_on_the_site(
    cast: Cast, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    visitor.begin()
    nobody = "No other player is here right now."
    assert nobody in visitor.page("/")
    visitor.get("/waiting")
    assert nobody in visitor.page("/"), "the reader does not count"
    assert "One other player is here right now." in Client().get("/").content.decode()
    for wizard in (cast.ada, cast.bram, cast.ada):
        poll_cache.mark_wizard_on_site(wizard.pk)
    assert "2 other players are here right now." in visitor.page("/")
    polled = visitor.get("/waiting")
    assert polled.json()["people"] == "2 other players are here right now."
    assert (
        visitor.client.get("/waiting", headers={"If-None-Match": polled["ETag"]}).status_code == 304
    )
    cache.clear()
    assert (
        visitor.client.get("/waiting", headers={"If-None-Match": polled["ETag"]}).status_code == 200
    )
    now = time.time()
    monkeypatch.setattr("duels.caching.poll_cache.time.time", lambda: now + 180)
    assert poll_cache.others_on_site(None) == 0


@pytest.mark.django_db
def test_guest_who_signs_up_is_no_longer_counted(cast: Cast, committed: Committed) -> None:
    cache.clear()
    tom = make_guest("Tom")
    for wizard in (tom, cast.ada):
        poll_cache.mark_wizard_on_site(wizard.pk)
    assert poll_cache.others_on_site(cast.ada.pk) == 1
    with committed():
        guests.claim_guest(guest=tom, wizard=cast.ada)
    assert poll_cache.others_on_site(cast.ada.pk) == 0
