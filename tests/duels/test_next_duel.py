"""The link on every page to the next waiting duel, which costs one query."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.commands import challenges
from duels.screens.parts.next_duel import NextDuel, next_duel
from tests.cast import NOW, Cast, begin, challenge, hands, seal, signed_in

pytestmark = pytest.mark.django_db


def next_duel_links(client: Client, path: str) -> list[tuple[str, str]]:
    """Return the address and text of each link to the next duel on a page."""
    html = client.get(path).content.decode()
    found = re.findall(r'<a class="[^"]*" href="([^"]*)">(Your turn.*?)</a>', html)
    return [(path, re.sub("<[^>]+>", "", words)) for path, words in found]


@pytest.mark.parametrize(
    ("waiting", "here", "found"),
    [
        ((), None, None),
        ((4,), 4, None),
        ((4,), None, NextDuel(4, 1)),
        ((4, 7, 9), 4, NextDuel(7, 2)),
        ((4, 7, 9), 9, NextDuel(4, 2)),
        ((4, 7, 9), 8, NextDuel(4, 3)),
    ],
)
def test_next_duel_is_the_one_after_the_current_duel_or_the_first(
    waiting: tuple[int, ...], here: int | None, found: NextDuel | None
):
    assert next_duel(waiting, here) == found


def test_link_states_the_number_of_other_waiting_duels():
    assert [NextDuel(1, number).count_text for number in (1, 99, 100)] == ["1", "99", "99+"]


def test_links_on_pages_lead_from_each_waiting_duel_to_the_next(cast: Cast):
    first, second, third = (begin(cast.ada, each) for each in (cast.bram, cast.cleo, cast.dorn))
    ada = signed_in(cast.ada)
    for page in ("/", "/rules/", "/settings/", "/no-such-page/"):
        assert next_duel_links(ada, page) == [(f"/duels/{first.pk}/", "Your turn (3)")]
    for here, there in ((first, second), (second, third), (third, first)):
        assert next_duel_links(ada, f"/duels/{here.pk}/") == [
            (f"/duels/{there.pk}/", "Your turn (2)")
        ]
    assert next_duel_links(signed_in(cast.bram), f"/duels/{first.pk}/") == []


def test_links_lead_to_challenges_after_all_waiting_duels(cast: Cast):
    asked = challenge(cast.bram, opponent=cast.ada)
    ada = signed_in(cast.ada)
    way = (f"/duels/{asked.pk}/", "Your turn (1)")
    assert next_duel_links(ada, "/about/") == [way]
    assert (
        next_duel_links(ada, f"/duels/{asked.pk}/")
        == next_duel_links(signed_in(cast.bram), "/about/")
        == []
    )
    duel = begin(cast.ada, cast.cleo)
    assert next_duel_links(ada, "/about/") == [(f"/duels/{duel.pk}/", "Your turn (2)")]
    assert next_duel_links(ada, f"/duels/{duel.pk}/") == [way]
    for path in ("/waiting", f"/duels/{duel.pk}/poll", f"/duels/{asked.pk}/poll"):
        assert ada.get(path).json()["waiting"] == 2
    challenges.accept(duel_id=asked.pk, wizard=cast.ada, now=NOW)
    assert next_duel_links(ada, f"/duels/{duel.pk}/") == [way], "the accepted challenge has begun"
    assert ada.get("/waiting").json()["waiting"] == 2


def test_header_names_the_wizard_who_has_just_accepted(cast: Cast):
    begin(cast.ada, cast.cleo)
    duel = challenge(cast.ada, cast.bram, now=timezone.now())
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=timezone.now())
    ada, accepted = signed_in(cast.ada), "Bram has accepted your challenge</span>"

    def header(client: Client) -> str:
        return client.get("/about/").content.decode().partition("<main")[0]

    assert f'href="/duels/{duel.pk}/"><span class="where-wide">{accepted}' in header(ada)
    assert "has accepted" not in header(signed_in(cast.bram))
    ada.get(f"/duels/{duel.pk}/")
    assert "has accepted" not in header(ada)
    assert "Your turn (2)" in header(ada)


def test_header_counts_all_wizards_who_have_accepted(cast: Cast):
    duel = challenge(cast.ada, now=timezone.now(), size=4)
    for wizard in (cast.cleo, cast.bram, cast.dorn):
        challenges.accept(duel_id=duel.pk, wizard=wizard, now=timezone.now())
    header = signed_in(cast.ada).get("/about/").content.decode().partition("<main")[0]
    assert "Bram and two others have accepted your challenge" in header


def test_old_duels_are_not_announced_as_accepted(cast: Cast):
    begin(cast.ada, cast.bram)
    late = timezone.now() - timedelta(minutes=11)
    duel = challenge(cast.ada, cast.bram, now=late)
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=late)
    assert b"has accepted" not in signed_in(cast.ada).get("/about/").content


def test_receipt_links_to_the_next_duel(cast: Cast):
    first, second = begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)
    ada = signed_in(cast.ada)
    seal(first, cast.ada, hands("P", "D"))
    way = (f"/duels/{second.pk}/", "Your turn (1)")
    assert next_duel_links(ada, f"/duels/{first.pk}/") == [way, way]
    seal(second, cast.ada, hands("P", "D"))
    assert next_duel_links(ada, f"/duels/{first.pk}/") == []


def test_link_to_the_next_duel_costs_players_one_query(cast: Cast):
    def statements(client: Client) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            client.get("/about/")
        return [each["sql"] for each in captured if "duels_seat" in each["sql"]]

    ada = signed_in(cast.ada)
    assert len(statements(ada)) == 1
    for each in (cast.bram, cast.cleo, cast.dorn):
        begin(cast.ada, each)
    assert len(statements(ada)) == 1
    assert statements(Client()) == []
