"""Failures caused by malformed requests, advice or practice duels, which must not spread."""

import logging
from unittest import mock

import pytest
from django.test import Client

from duels.commands import practising, sweeping
from duels.lessons.script import gesture_fields
from duels.models import Wizard
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, seal
from tests.duels.visitors import Committed, Visitor

IDLE = hands("-", "-")


class PracticeOpponentError(Exception):
    """The practice opponent fails with an error while it chooses orders."""


@pytest.mark.django_db
@pytest.mark.parametrize("back", ["foo", "duel", "a b", "home"])
def test_form_field_next_is_used_as_an_address_and_not_as_a_view_name(client: Client, back: str):
    answer = client.post("/reading", {"scheme": "dark", "next": back})
    assert answer.status_code == 302
    assert answer["Location"] == back.replace(" ", "%20")


@pytest.mark.django_db
def test_duel_id_that_is_too_large_returns_404(client: Client):
    assert client.get(f"/duels/{10**25}/poll").status_code == 404


def test_duel_page_works_even_if_the_guides_advice_fails(
    visitor: Visitor, committed: Committed, caplog: pytest.LogCaptureFixture
):
    """The page still lets the player choose and seal orders."""
    address = visitor.begin()
    (guest,) = Wizard.objects.filter(kind="guest")
    duel = guest.seats.get().duel
    with committed():
        seal(duel, guest, gesture_fields("WW"))
    assert open_turn(duel).ordinal == 2
    with mock.patch(
        "duels.queries.practising.suggested_gestures", side_effect=PracticeOpponentError("secret")
    ):
        answer = visitor.get(address)
    assert answer.status_code == 200
    assert "Back to the lesson" in answer.content.decode()
    assert "data-order-sheet" in answer.content.decode()
    assert "Advice failed for turn" in caplog.text
    assert "secret" not in caplog.text
    caplog.clear()  # checked above


def test_sweep_handles_duels_of_players_even_if_a_practice_duel_fails(
    cast: Cast, caplog: pytest.LogCaptureFixture
):
    practising.start_practice(wizard=cast.cleo, ruleset="bartle-1", now=NOW)
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, IDLE)
    seal(duel, cast.bram, IDLE)
    with mock.patch.object(
        practising, "_opponent_orders", side_effect=PracticeOpponentError("secret")
    ):
        swept = sweeping.sweep(now=LATER)
    assert (swept.practised, swept.resolved) == (0, 1)
    (row,) = [row for row in caplog.records if row.levelno >= logging.ERROR]
    assert "Practice failed in turn" in row.getMessage()
    assert "secret" not in caplog.text
    caplog.clear()  # checked above
    assert sweeping.sweep(now=LATER).practised == 1
