"""Pauses that players agree on, and time that players give to an opponent."""

import re
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client

from duels.clocks.budget import Budget
from duels.commands import deadlines, endings, resolution, time_keeping
from duels.errors import Refused
from duels.models import Duel, Seat, Wizard
from duels.post.models import Notice
from tests.cast import NOW, Cast, begin, hands, open_turn, seal, seat, signed_in

pytestmark = pytest.mark.django_db

A_DAY = str(24 * 3600)


def hours_after_start(hours: float) -> datetime:
    return NOW + timedelta(hours=hours)


def begin_timed_duel(cast: Cast, *others: Wizard) -> Duel:
    return begin(cast.ada, cast.bram, *others, pace=A_DAY)


def agree_to_pause(duel: Duel, *wizards: Wizard, hours: float) -> None:
    for wizard in wizards:
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=wizard, is_paused=None, now=hours_after_start(hours)
        )
    duel.refresh_from_db()


def post_status(wizard: Wizard, path: str, **fields: str) -> int:
    client = Client()
    assert wizard.user is not None
    client.force_login(wizard.user)
    return client.post(path, fields).status_code


# Pauses


def test_pause_needs_everyone(cast: Cast) -> None:
    duel = begin_timed_duel(cast, cast.cleo)
    agree_to_pause(duel, cast.ada, cast.cleo, hours=1)
    assert duel.paused_at is None
    agree_to_pause(duel, cast.bram, hours=2)
    assert duel.paused_at == hours_after_start(2)
    assert not Seat.objects.filter(duel=duel, asks_pause=True).exists()


def test_pause_can_be_requested_again_within_a_second(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    for moment in range(3):
        now = NOW + timedelta(milliseconds=moment)
        time_keeping.request_pause(duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=now)
        time_keeping.decline_pause(duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=now)
    assert Notice.objects.filter(kind="pause_asked").count() == 3


def test_pause_stops_all_clocks_and_deadlines(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, cast.bram, hours=4)
    assert seat(duel, cast.ada).due_at is None
    assert seat(duel, cast.ada).clock_left == timedelta(hours=20)
    counts = deadlines.process_deadlines(duel_id=duel.pk, now=hours_after_start(500))
    assert counts == deadlines.DeadlineCounts()


def test_clocks_resume_with_the_remaining_time(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, cast.bram, hours=4)
    agree_to_pause(duel, cast.ada, cast.bram, hours=100)
    assert duel.paused_at is None
    assert seat(duel, cast.ada).due_at == hours_after_start(120)


def test_turn_sealed_during_a_pause_is_played_and_the_next_turn_is_paused(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, cast.bram, hours=1)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("P", "D"), now=hours_after_start(2))
    assert resolution.resolve_turn(turn_id=open_turn(duel).pk, now=hours_after_start(2))
    assert seat(duel, cast.ada).due_at is None
    assert seat(duel, cast.ada).clock_left == timedelta(hours=24)


def test_request_for_a_pause_can_be_declined(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, hours=1)
    time_keeping.decline_pause(
        duel_id=duel.pk, wizard=cast.bram, is_paused=None, now=hours_after_start(2)
    )
    agree_to_pause(duel, cast.bram, hours=3)
    assert duel.paused_at is None


def test_a_pause_ends_by_itself_after_thirty_days(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, cast.bram, hours=1)
    assert time_keeping.end_pauses(now=hours_after_start(1 + 30 * 24 - 1), budget=Budget(60)) == (
        0,
        0,
    )
    assert time_keeping.end_pauses(now=hours_after_start(1 + 30 * 24), budget=Budget(60)) == (1, 0)
    duel.refresh_from_db()
    assert duel.paused_at is None
    assert seat(duel, cast.bram).due_at == hours_after_start(1 + 30 * 24 + 23)


def test_only_players_of_a_duel_can_request_a_pause(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    with pytest.raises(Refused):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=cast.cleo, is_paused=None, now=hours_after_start(1)
        )


def test_unhurried_duel_cannot_be_paused(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    with pytest.raises(Refused, match="no clock"):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=hours_after_start(1)
        )


def test_other_players_are_emailed_about_a_pause(
    cast: Cast, django_capture_on_commit_callbacks
) -> None:
    duel = begin_timed_duel(cast)
    mail.outbox.clear()
    for wizard, subject in (
        (cast.ada, "Ada asks to pause your duel"),
        (cast.bram, "is paused"),
        (cast.bram, "Bram asks to resume your duel"),
        (cast.ada, "resumed"),
    ):
        with django_capture_on_commit_callbacks(execute=True):
            agree_to_pause(duel, wizard, hours=1)
        assert subject in str(mail.outbox[-1].subject)


# Giving time


def test_player_can_give_an_opponent_extra_time_for_one_turn(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    time_keeping.give_time(
        duel_id=duel.pk,
        wizard=cast.ada,
        opponent_code="w1",
        seen_stamp=None,
        now=hours_after_start(10),
    )
    assert seat(duel, cast.bram).due_at == hours_after_start(48)
    assert seat(duel, cast.ada).due_at == hours_after_start(24)


def test_time_can_be_given_during_a_pause(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, cast.bram, hours=0)
    time_keeping.give_time(
        duel_id=duel.pk,
        wizard=cast.ada,
        opponent_code="w1",
        seen_stamp=None,
        now=hours_after_start(10),
    )
    assert seat(duel, cast.bram).clock_left == timedelta(hours=48)


@pytest.mark.parametrize("to", ["w0", "w7", ""])
def test_time_can_only_be_given_to_opponents(cast: Cast, to: str) -> None:
    duel = begin_timed_duel(cast)
    with pytest.raises(Refused, match="one of your opponents"):
        time_keeping.give_time(
            duel_id=duel.pk,
            wizard=cast.ada,
            opponent_code=to,
            seen_stamp=None,
            now=hours_after_start(1),
        )


def test_wizard_who_has_sealed_cannot_be_given_time(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.bram, hands("P", "D"), now=hours_after_start(1))
    with pytest.raises(Refused, match="is not waiting for Bram"):
        time_keeping.give_time(
            duel_id=duel.pk,
            wizard=cast.ada,
            opponent_code="w1",
            seen_stamp=None,
            now=hours_after_start(1),
        )


def test_given_time_cannot_exceed_the_longest_pace(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    for _ in range(29):
        time_keeping.give_time(
            duel_id=duel.pk,
            wizard=cast.ada,
            opponent_code="w1",
            seen_stamp=None,
            now=hours_after_start(0),
        )
    with pytest.raises(Refused, match="cannot have more than 30 days"):
        time_keeping.give_time(
            duel_id=duel.pk,
            wizard=cast.ada,
            opponent_code="w1",
            seen_stamp=None,
            now=hours_after_start(0),
        )


def test_form_to_give_time_that_is_sent_twice_counts_once(cast: Cast, client: Client) -> None:
    duel = begin_timed_duel(cast)
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    page = client.get(f"/duels/{duel.pk}/").content.decode()
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', page)
    first, second = (
        client.post(f"/duels/{duel.pk}/time", {"to": "w1", "seen": seen}) for _ in range(2)
    )
    assert first.status_code == 302
    assert b"The clock of Bram has changed" in second.content
    assert Notice.objects.filter(kind="time_given").count() == 1


def test_opponent_is_notified_of_two_gifts_of_time_within_a_second(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    agree_to_pause(duel, cast.ada, cast.bram, hours=0)
    for later in (0, 0.0001):
        time_keeping.give_time(
            duel_id=duel.pk,
            wizard=cast.ada,
            opponent_code="w1",
            seen_stamp=None,
            now=hours_after_start(1 + later),
        )
    assert seat(duel, cast.bram).clock_left == timedelta(hours=72)
    assert Notice.objects.filter(kind="time_given").count() == 2


def test_pause_can_be_requested_again_after_a_decline(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    time_keeping.request_pause(
        duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=hours_after_start(1)
    )
    time_keeping.decline_pause(
        duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=hours_after_start(1)
    )
    time_keeping.request_pause(
        duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=hours_after_start(1)
    )
    assert seat(duel, cast.ada).asks_pause


@pytest.mark.parametrize("is_paused", [False, True])
def test_resignation_cancels_requests_for_a_pause(cast: Cast, is_paused: bool) -> None:
    """Otherwise, all remaining wizards could have requested a pause without getting one."""
    duel = begin_timed_duel(cast, cast.cleo)
    if is_paused:
        agree_to_pause(duel, cast.ada, cast.bram, cast.cleo, hours=1)
    agree_to_pause(duel, cast.ada, cast.bram, hours=2)
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=hours_after_start(3))
    agree_to_pause(duel, cast.ada, cast.bram, hours=4)
    assert (duel.paused_at is None) == is_paused


# Duel page


def test_duel_page_offers_to_pause_and_to_give_time(cast: Cast, client: Client) -> None:
    duel = begin_timed_duel(cast)
    path = f"/duels/{duel.pk}/"
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    page = client.get(path).content.decode()
    assert "Ask for a pause" in page
    assert "Give Bram a day more" in page
    assert post_status(cast.bram, f"{path}pause", do="ask") == 302
    page = client.get(path).content.decode()
    assert "Bram asks for a pause." in page
    assert "Agree to a pause" in page
    assert post_status(cast.ada, f"{path}pause", do="ask") == 302
    assert "so the clocks are stopped" in client.get(path).content.decode()
    assert post_status(cast.ada, f"{path}time", to="w1") == 302


def test_unhurried_duel_page_does_not_offer_time(cast: Cast, client: Client) -> None:
    duel = begin(cast.ada, cast.bram)
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    assert 'id="live-time"' not in client.get(f"/duels/{duel.pk}/").content.decode()


def test_duel_page_shows_pause_requests_and_does_not_offer_to_give_time(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    ada, bram, at_page = signed_in(cast.ada), signed_in(cast.bram), f"/duels/{duel.pk}/"
    page = ada.get(at_page).content.decode()
    assert "default orders, which cast nothing, are played for you" in page
    assert "A pause stops all clocks once everyone has agreed" in page
    assert "more</button>" in page
    agree_to_pause(duel, cast.ada, hours=1)
    told = 'pause-asked">Ada asks for a pause. <a href="#live-time">Answer</a>'
    assert told in bram.get(at_page).content.decode()
    assert told not in ada.get(at_page).content.decode()
    agree_to_pause(duel, cast.bram, hours=2)
    paused = ada.get(at_page).content.decode()
    assert "so the clocks are stopped" in paused
    assert "more</button>" not in paused
