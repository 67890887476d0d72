"""Claiming a win on the page of a duel."""

from datetime import timedelta

import pytest
from django.utils import timezone

from duels.commands import deadlines, resolution, vacations
from duels.models import Duel, DuelEnding
from tests.cast import Cast, begin, hands, open_turn, seal, signed_in

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def duel_with_absent_opponent(cast: Cast) -> Duel:
    """A duel in which Ada has sealed two turns in time and Bram has missed both."""
    duel = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    began = timezone.now()
    for turn in (1, 2):
        seal(duel, cast.ada, hands("W", "W"), now=began)
        deadlines.process_deadlines(duel_id=duel.pk, now=began + turn * DAY)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=began + turn * DAY)
    return duel


def test_duel_page_lets_the_waiting_wizard_claim_a_win(
    cast: Cast, duel_with_absent_opponent: Duel
) -> None:
    path = f"/duels/{duel_with_absent_opponent.pk}/"
    page = signed_in(cast.ada).get(path).content.decode()
    assert "Bram let the time run out twice in a row" in page
    assert f'action="{path}claim"' in page
    for other in (cast.bram, cast.cleo):
        assert f'action="{path}claim"' not in signed_in(other).get(path).content.decode()


def test_claiming_a_win_is_not_offered_during_the_opponents_vacation(
    cast: Cast, duel_with_absent_opponent: Duel
) -> None:
    now = timezone.now()
    vacations.start_vacation(wizard=cast.bram, until=now + 5 * DAY, now=now)
    path = f"/duels/{duel_with_absent_opponent.pk}/"
    page = " ".join(signed_in(cast.ada).get(path).content.decode().split())
    assert f'action="{path}claim"' not in page
    assert "Bram let the time run out twice in a row, but is on vacation until" in page
    assert "you cannot claim the duel" in page
    answer = signed_in(cast.ada).post(f"{path}claim")
    assert answer.status_code == 409
    assert "Bram is on vacation" in answer.content.decode()
    for other in (cast.bram, cast.cleo):
        shown = signed_in(other).get(path).content.decode()
        assert "cannot claim" not in shown
    vacations.end_vacation(wizard=cast.bram, now=now + DAY)
    page = signed_in(cast.ada).get(path).content.decode()
    assert f'action="{path}claim"' in page


def test_claiming_a_win_ends_the_duel(cast: Cast, duel_with_absent_opponent: Duel) -> None:
    answer = signed_in(cast.ada).post(f"/duels/{duel_with_absent_opponent.pk}/claim", follow=True)
    assert "You win by a claim, because the other player was absent." in answer.content.decode()
    duel_with_absent_opponent.refresh_from_db()
    assert duel_with_absent_opponent.ended == DuelEnding.CLAIMED


def test_get_request_does_not_claim_a_win(cast: Cast, duel_with_absent_opponent: Duel) -> None:
    signed_in(cast.ada).get(f"/duels/{duel_with_absent_opponent.pk}/claim")
    duel_with_absent_opponent.refresh_from_db()
    assert duel_with_absent_opponent.ended == DuelEnding.NOT


def test_impossible_claim_of_a_win_is_rejected(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    answer = signed_in(cast.ada).post(f"/duels/{duel.pk}/claim")
    assert answer.status_code == 409
    assert "twice in a row" in answer.content.decode()
