"""Open challenges that guests can accept."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import challenges
from duels.models import Duel, DuelStatus, Seat, Wizard, WizardKind
from tests.cast import Cast
from tests.duels.test_guests import guest_in
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db


def open_challenge(by: Wizard, *, open_to_guests: bool = True, **terms: Any) -> Duel:
    usual: dict[str, Any] = {
        "ruleset": "bartle-1",
        "size": 2,
        "pace": "none",
        "visibility": "public",
        "words": "",
        "opponent": None,
        "invitation": False,
    }
    return challenges.create_challenge(
        challenger=by, now=timezone.now(), open_to_guests=open_to_guests, **usual | terms
    )


def form_fields(page: str) -> dict[str, str]:
    """Return the form key of the page as a form field."""
    found = re.search(r'name="form_key" value="([^"]+)"', page)
    assert found is not None
    return {"form_key": found[1]}


def test_visitor_accepts_an_open_challenge_with_a_name(cast: Cast, visitor: Visitor) -> None:
    duel = open_challenge(cast.ada)
    address = f"/duels/{duel.pk}/"
    page = visitor.page(address)
    assert "Ada challenges anyone to a duel" in page
    refused = visitor.post(f"{address}accept", {"name": "Goblin"})
    assert "This name is reserved." in refused.content.decode()
    assert visitor.post(f"{address}accept", {"name": "Tom"}).url == address
    assert guest_in(visitor).name == "Guest Tom"
    assert 'id="orders"' in visitor.page(address)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_form_sent_twice_creates_one_guest(
    cast: Cast, visitor: Visitor, committed: Committed, visibility: str
) -> None:
    duel = open_challenge(cast.ada, visibility=visibility)
    address = f"/duels/{duel.pk}/"
    typed = form_fields(visitor.page(address)) | {"name": "Tom"}
    for browser in (visitor, Visitor(committed)):
        assert browser.post(f"{address}accept", typed).url == address
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 1
    stranger = Visitor(committed).post(f"{address}accept", {"name": "Bob"})
    assert stranger.status_code == (409 if visibility == "public" else 404)


def test_guest_accepts_an_open_challenge_with_one_click(cast: Cast, visitor: Visitor) -> None:
    visitor.post(f"/duels/{open_challenge(cast.bram).pk}/accept", {"name": "Tom"})
    duel = open_challenge(cast.ada)
    assert "Accept as Guest Tom" in visitor.page(f"/duels/{duel.pk}/")
    visitor.post(f"/duels/{duel.pk}/accept")
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_guest_cannot_accept_a_challenge_that_is_only_for_players(
    cast: Cast, visitor: Visitor
) -> None:
    duel = open_challenge(cast.ada, open_to_guests=False)
    address = f"/duels/{duel.pk}/"
    assert "Sign in to answer" in visitor.page(address)
    assert visitor.post(f"{address}accept", {"name": "Tom"}).status_code == 403
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()
    visitor.begin()
    assert visitor.post(f"{address}accept").status_code == 403
    assert Seat.objects.filter(duel=duel).count() == 1


def test_guests_see_only_the_open_challenges_that_they_can_accept(
    cast: Cast, visitor: Visitor
) -> None:
    for_all, for_players = (open_challenge(cast.ada, open_to_guests=each) for each in (True, False))
    visitor.begin()
    page = visitor.page("/duels/?show=open")
    assert f"/duels/{for_all.pk}/" in page
    assert f"/duels/{for_players.pk}/" not in page


@pytest.mark.parametrize(
    ("typed", "is_open"),
    [
        ({"to": "open"}, True),
        ({"to": "open", "players_only": "on"}, False),
        ({"to": "invitation"}, False),
        ({"to": "named", "opponent": "Bram"}, False),
    ],
)
def test_open_challenges_are_open_to_guests_by_default(
    cast: Cast, typed: dict[str, str], is_open: bool
) -> None:
    client = Client()
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    terms = {"ruleset": "bartle-1", "size": "2", "pace": "none", "visibility": "public"}
    assert client.post("/challenge/new", terms | typed).status_code == 302
    assert Duel.objects.get().open_to_guests == is_open
