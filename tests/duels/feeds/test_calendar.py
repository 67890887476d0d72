"""A wizard's calendar: its events are their deadlines, and its address is known only to them."""

import json
import logging
import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from unittest import mock
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries

from duels.commands.closing import begin_closing
from duels.feeds.ics import Deadline, calendar_text
from duels.feeds.models import CalendarKey
from duels.models import Duel, Seat, User, Wizard
from duels.screens.account.export import data_archive
from spellcaster.error_reports import SecretPathFilter
from tests.cast import (
    NOW,
    Cast,
    begin,
    challenge,
    hands,
    seal,
    sign_in_with_second_factor,
    signed_in,
)

pytestmark = pytest.mark.django_db


def turn_on_calendar(wizard: Wizard) -> str:
    """Turn the wizard's calendar on, and return its path."""
    client = signed_in(wizard)
    client.post("/settings/calendar", {"do": "renew"})
    found = re.search(r'value="https?://[^/]*([^"]*\.ics)"', page(client))
    assert found
    return found[1]


def page(client: Client) -> str:
    return client.get("/settings/calendar").content.decode()


def calendar_events(path: str) -> list[Any]:
    """Parse the calendar strictly, and return its events."""
    answer = Client().get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    calendar = Calendar.from_ical(answer.content)
    assert "METHOD" not in calendar
    assert not calendar.errors
    found = calendar.events
    assert not any(event.errors for event in found)
    return found


def waiting_duel(cast: Cast) -> Duel:
    """Begin a duel with a deadline in two days."""
    duel = begin(cast.ada, cast.bram, pace="259200")
    Seat.objects.filter(duel=duel, due_at__isnull=False).update(
        due_at=datetime(2030, 5, 1, 12, 30, tzinfo=UTC)
    )
    return duel


def test_calendar_has_deadlines_of_turns_and_challenges(cast: Cast) -> None:
    duel = waiting_duel(cast)
    asked = challenge(cast.cleo, cast.ada, now=timezone.now())
    turn, answer = calendar_events(turn_on_calendar(cast.ada))
    assert turn["SUMMARY"] == "Orders due: duel against Bram"
    assert turn.start == datetime(2030, 5, 1, 12, 30, tzinfo=UTC)
    assert turn["URL"].endswith(f"/duels/{duel.pk}/")
    assert answer["SUMMARY"] == "Challenge from Cleo expires"
    assert answer.start == asked.expires_at.replace(microsecond=0)
    assert abs(turn.DTSTAMP - timezone.now()) < timedelta(minutes=5)


def test_event_keeps_its_uid_if_the_deadline_changes(cast: Cast) -> None:
    waiting_duel(cast)
    path = turn_on_calendar(cast.ada)
    (before,) = calendar_events(path)
    Seat.objects.update(due_at=datetime(2030, 5, 9, tzinfo=UTC))
    (after,) = calendar_events(path)
    assert before["UID"] == after["UID"]
    assert before.start != after.start


def test_calendar_has_only_deadlines_of_its_owner(cast: Cast) -> None:
    duel = waiting_duel(cast)
    seal(duel, cast.ada, hands("P", "P"))
    assert calendar_events(turn_on_calendar(cast.ada)) == []
    assert calendar_events(turn_on_calendar(cast.cleo)) == []
    assert len(calendar_events(turn_on_calendar(cast.bram))) == 1


@pytest.mark.parametrize("words", ["a;b,c\\d\ne", "ö" * 200, "🧙" * 60, "x" * 74 + "🧙", ""])
def test_texts_in_a_calendar_are_escaped_and_folded(words: str) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    written = calendar_text(words, [Deadline("1@x", at, words, words, "https://x/")], at)
    lines = written.encode().split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert b"\n" not in b"".join(lines)
    (event,) = Calendar.from_ical(written).events
    assert event["SUMMARY"] == event["DESCRIPTION"] == words


def test_new_calendar_address_replaces_the_old_one(cast: Cast) -> None:
    first = turn_on_calendar(cast.ada)
    second = turn_on_calendar(cast.ada)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    signed_in(cast.ada).post("/settings/calendar", {"do": "delete"})
    assert Client().get(second).status_code == 404
    assert "Your calendar is off" in page(signed_in(cast.ada))


def test_message_distinguishes_a_first_calendar_address_from_a_new_one(cast: Cast) -> None:
    client = signed_in(cast.ada)
    for words in ("Your calendar is on.", "Your calendar has a new address."):
        answer = client.post("/settings/calendar", {"do": "renew"}, follow=True)
        assert words in answer.content.decode()


def test_calendar_is_not_found_after_closing_the_account(cast: Cast) -> None:
    path = turn_on_calendar(cast.ada)
    assert cast.ada.user
    begin_closing(user=cast.ada.user, now=NOW)
    assert Client().get(path).status_code == 404


def test_guests_and_visitors_have_no_calendar() -> None:
    client = Client()
    client.post("/play", {"as": "guest"})
    assert client.post("/settings/calendar", {"do": "renew"}).status_code == 302
    assert not CalendarKey.objects.exists()


def test_exported_data_omit_the_address_of_the_calendar(cast: Cast) -> None:
    path = turn_on_calendar(cast.ada)
    assert cast.ada.user
    with data_archive(cast.ada.user) as file, ZipFile(file) as archive:
        assert json.loads(archive.read("feeds.json"))["calendar_address_since"]
        token = path.rpartition("/")[2].removesuffix(".ics").encode()
        assert not any(token in archive.read(name) for name in archive.namelist())


def test_log_does_not_contain_calendar_addresses(cast: Cast) -> None:
    path, out = turn_on_calendar(cast.ada), StringIO()
    handler = logging.StreamHandler(out)
    handler.addFilter(SecretPathFilter())
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    client = Client(raise_request_exception=False)
    with mock.patch("duels.screens.feeds.views.deadlines_of", side_effect=RuntimeError):
        assert client.get(path).status_code == 500
    assert client.get("/calendar/replaced.ics").status_code == 404
    logger.removeHandler(handler)
    assert "Internal Server Error: /calendar/<str:token>.ics" in out.getvalue()
    assert "Not Found: /calendar/<str:token>.ics" in out.getvalue()
    assert path not in out.getvalue()


def test_calendar_needs_few_queries(
    cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    waiting_duel(cast)
    challenge(cast.cleo, cast.ada, now=timezone.now())
    path, client = turn_on_calendar(cast.ada), Client()
    with django_assert_max_num_queries(4):
        client.get(path)


def test_admin_does_not_show_calendar_addresses(admin_user: User, cast: Cast) -> None:
    path, client = turn_on_calendar(cast.ada), Client()
    sign_in_with_second_factor(client, admin_user)
    key: Any = CalendarKey.objects.get()
    shown = client.get(f"/admin/feeds/calendarkey/{key.pk}/change/").content.decode()
    assert cast.ada.name in shown
    assert path.rpartition("/")[2] not in shown
    assert key.token not in shown
