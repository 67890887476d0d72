"""Tests that proxies and browsers do not store pages for a particular person."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from duels.sign_in import guests
from tests.cast import Cast, begin, hands, play
from tests.duels.visitors import Committed, Visitor
from tests.walks.addresses import every_address

# Responses that are the same for everyone, each with a part of its Cache-Control header.
SHARED_RESPONSES = {
    "favicon": "public",
    "manifest": "public",
    "robots": "public",
    "picture": "public",  # the picture of a public duel
    "turn_picture": "public",
    "service_worker": "no-cache",
}


@pytest.fixture
def committed(django_capture_on_commit_callbacks: Any) -> Committed:
    return lambda: django_capture_on_commit_callbacks(execute=True)


def signed_in(cast: Cast) -> Client:
    assert cast.ada.user is not None
    client = Client()
    client.force_login(cast.ada.user)
    return client


def walk_addresses(client: Client, duel_id: int) -> Iterator[tuple[str, str, HttpResponseBase]]:
    """Yield the name, path and response of every address, except those that end the session."""
    for address in every_address({"duel_id": str(duel_id)}):
        if "logout" in address.path:
            continue
        answer = client.get(address.path)
        answer.getvalue()  # reading the response to its end closes its files
        yield address.name, address.path, answer


def test_pages_for_players_and_guests_are_not_cached(cast: Cast, committed: Committed):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    guest = Visitor(committed)
    lesson = guest.begin()
    assert guests.GUEST_COOKIE in guest.client.cookies
    for client, number in ((signed_in(cast), duel.pk), (guest.client, int(lesson.split("/")[2]))):
        for name, path, answer in walk_addresses(client, number):
            said = answer.headers.get("Cache-Control", "")
            is_private = number != duel.pk and name.endswith("picture")  # guests' duels are private
            if name in SHARED_RESPONSES and answer.status_code == 200 and not is_private:
                assert SHARED_RESPONSES[name] in said, path
            else:
                assert {"private", "no-store"} <= {part.strip() for part in said.split(",")}, path


def test_polls_without_news_are_not_cached(cast: Cast):
    client, path = signed_in(cast), f"/duels/{begin(cast.ada, cast.bram).pk}/poll"
    etag = client.get(path).headers["ETag"]
    answer = client.get(path, headers={"if-none-match": etag})
    assert answer.status_code == 304
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_pages_whose_address_contains_a_key_are_not_cached_for_visitors(db: None):
    keys = {"token", "key"}
    paths = [each.path for each in every_address() if keys & each.arguments.keys()]
    assert len(paths) >= 4
    for path in (*paths, reverse("account_login")):
        assert "no-store" in Client().get(path).headers["Cache-Control"], path


def test_public_pages_can_be_cached_for_visitors(db: None):
    for name in ("about", "rulebooks", "spellbook"):
        assert "Cache-Control" not in Client().get(reverse(name)).headers
