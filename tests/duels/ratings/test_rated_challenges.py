"""Challenges to rated or friendly duels: how the choice is made and shown."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from duels.commands import challenges, endings
from duels.commands.guests import create_guest
from duels.matching.play_now import accept_or_create_challenge
from duels.models import Duel
from tests.cast import NOW, Cast, begin, deliver

pytestmark = pytest.mark.django_db
TERMS = {"to": "open", "ruleset": "bartle-1", "size": "2", "pace": "none", "visibility": "public"}


def post_challenge(cast: Cast, **typed: str) -> Duel:
    client = Client()
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    assert client.post("/challenge/new", TERMS | typed).status_code == 302
    return Duel.objects.get()


@pytest.mark.parametrize(
    ("typed", "is_rated"),
    [
        ({"rating": "rated"}, True),
        ({"rating": "friendly"}, False),
        ({"rating": "rated", "visibility": "private"}, False),
    ],
)
def test_challenge_form_offers_rated_duels(
    cast: Cast, typed: dict[str, str], is_rated: bool
) -> None:
    assert post_challenge(cast, **typed).rated == is_rated


def test_challenge_form_names_the_duels_that_are_never_rated(cast: Cast, client: Client) -> None:
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    html = client.get("/challenge/new").content.decode()
    assert "Rated: the result changes your ratings, unless a guest takes part" in html
    assert "A duel with a guest is not rated." in html
    assert "Private duels are always friendly." in html


def test_rating_is_shown_with_the_terms_and_in_the_email(cast: Cast, client: Client) -> None:
    duel = post_challenge(cast, rating="rated", to="named", opponent="Bram")
    assert cast.bram.user is not None
    client.force_login(cast.bram.user)
    assert "<dt>Rating</dt>" in client.get(f"/duels/{duel.pk}/").content.decode()
    assert "· rated" in client.get("/duels/?show=challenges").content.decode()
    deliver(now=timezone.now())
    assert "Rating: rated." in mail.outbox[0].body


def test_rematch_is_rated_if_the_previous_duel_was(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, rated=True)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert challenges.request_rematch(duel_id=duel.pk, wizard=cast.bram, now=NOW).rated


def test_play_somebody_now_creates_rated_duels_only_for_players_with_an_account(cast: Cast) -> None:
    assert accept_or_create_challenge(wizard=cast.ada, now=NOW).rated
    Duel.objects.all().delete()
    assert not accept_or_create_challenge(wizard=create_guest(key="a" * 64, now=NOW), now=NOW).rated


def test_duel_is_friendly_from_its_start_if_a_guest_takes_part(cast: Cast, client: Client) -> None:
    """It remains friendly if the guest signs up before its end."""
    duel = post_challenge(cast, rating="rated")
    guest = create_guest(key="a" * 64, now=NOW)
    challenges.accept(duel_id=duel.pk, wizard=guest, now=NOW)
    duel.refresh_from_db()
    assert not duel.rated
    assert "· rated" not in client.get(f"/duels/{duel.pk}/").content.decode()


def test_duels_with_invited_friends_are_friendly(cast: Cast) -> None:
    terms: dict[str, Any] = {"ruleset": "bartle-1", "pace": "none", "now": NOW}
    assert not challenges.invite_friend(challenger=cast.ada, **terms).rated
