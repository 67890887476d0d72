"""Tests of vacations in the settings, and of what other wizards see of them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import endings, profiles, resolution, vacations
from duels.models import Duel, Wizard
from duels.queries import pages
from duels.screens.settings.context import vacation_settings
from tests.cast import NOW, Cast, begin, hands, open_turn, seal, seat, signed_in
from tests.duels.test_deadlines import duel_with_question

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
A_DAY = str(24 * 3600)
VACATION_END = datetime(2026, 3, 8, 23, tzinfo=UTC)
VACATION_END_TEXT = "on vacation until 9 March, 00:00 CET"


def page(viewer: Wizard | None, path: str) -> str:
    """Return the page as this viewer sees it in Berlin's time zone, with whitespace collapsed."""
    client = Client()
    if viewer is not None:
        profiles.set_reading_preferences(wizard=viewer, typed={"zone": "Europe/Berlin"})
        client = signed_in(viewer)
    return " ".join(client.get(path).content.decode().split())


def path_of(duel: Duel) -> str:
    return f"/duels/{duel.pk}/"


def date_in_days(number: int) -> str:
    return (timezone.now() + number * DAY).date().isoformat()


# Settings


def test_settings_show_the_saved_vacation_days_and_limit_the_end_date(cast: Cast) -> None:
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Europe/Berlin"})
    cast.ada.refresh_from_db()
    shown = vacation_settings(cast.ada, NOW + 8 * DAY)
    assert (shown["saved"], shown["is_possible"]) == (21, True)
    attributes = shown["form"].fields["until"].widget.attrs
    assert (attributes["min"], attributes["max"]) == ("2026-03-11", "2026-03-30")
    html = page(cast.ada, "/settings/")
    assert "You have <strong>30 days</strong> left" in html
    assert 'action="/settings/vacation"' in html
    assert "your time zone, Europe/Berlin" in html


def test_vacation_ends_at_midnight_in_the_readers_time_zone(cast: Cast) -> None:
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    client = signed_in(cast.ada)
    answer = client.post("/settings/vacation", {"until": date_in_days(9)}, follow=True)
    assert "You are on vacation" in answer.content.decode()
    cast.ada.refresh_from_db()
    assert cast.ada.vacation is not None
    ends_at = cast.ada.vacation.ends_at
    assert f"{ends_at:%H:%M}" == "18:15"
    assert (ends_at + timedelta(hours=6)).date().isoformat() == date_in_days(9)
    html = client.get("/settings/").content.decode()
    assert "You are on vacation until" in html
    assert 'name="until"' not in html


def test_ending_a_vacation_twice_has_no_further_effect(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace=A_DAY)
    vacations.start_vacation(wizard=cast.ada, until=timezone.now() + 5 * DAY, now=timezone.now())
    client = signed_in(cast.ada)
    for said in ("Welcome back", "</strong> left"):
        answer = client.post("/settings/vacation", {"do": "end"}, follow=True)
        assert said in answer.content.decode()
        assert seat(duel, cast.ada).due_at is not None
    cast.ada.refresh_from_db()
    assert cast.ada.vacation is None


@pytest.mark.parametrize(
    ("until", "status", "words"),
    [
        ("", 400, "This field is required."),
        ("soon", 400, "Enter a valid date."),
        ("0001-01-01", 400, "Enter another date."),
        ("1999-01-01", 422, "A vacation must last at least a day."),
        ("9999-12-31", 422, "You have 30 days left"),
    ],
)
def test_invalid_vacation_shows_an_error_next_to_its_field(
    cast: Cast, until: str, status: int, words: str
) -> None:
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    answer = signed_in(cast.ada).post("/settings/vacation", {"until": until})
    assert answer.status_code == status
    html = answer.content.decode()
    assert words in html
    assert f'value="{until}"' in html or not until
    assert 'id="id_pronouns"' in html
    cast.ada.refresh_from_db()
    assert cast.ada.vacation is None


def test_settings_reject_a_second_vacation(cast: Cast) -> None:
    vacations.start_vacation(wizard=cast.ada, until=timezone.now() + 5 * DAY, now=timezone.now())
    answer = signed_in(cast.ada).post("/settings/vacation", {"until": date_in_days(9)})
    assert answer.status_code == 409
    assert "You are already on vacation" in answer.content.decode()


def test_vacation_is_not_offered_with_too_few_saved_days(cast: Cast) -> None:
    now = timezone.now()
    Wizard.objects.filter(pk=cast.ada.pk).update(vacation_saved=DAY, vacation_counted_at=now)
    html = page(cast.ada, "/settings/")
    assert "You have <strong>1 day</strong> left" in html
    assert "That is not enough" in html
    assert 'name="until"' not in html


def test_get_request_does_not_start_or_end_a_vacation(cast: Cast) -> None:
    client = signed_in(cast.ada)
    assert client.get("/settings/vacation", {"until": date_in_days(5)})["Location"] == "/settings/"
    cast.ada.refresh_from_db()
    assert cast.ada.vacation is None
    assert "login" in Client().post("/settings/vacation", {"until": date_in_days(5)})["Location"]


# Vacations of other wizards


def test_duel_page_shows_vacations_to_everyone(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace=A_DAY)
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    for viewer in (cast.ada, cast.bram, cast.cleo):
        html = page(viewer, path_of(duel))
        assert html.count('class="vacation"') == 1
        assert "9 March, 00:00 CET</time>" in html
    assert "8 March, 23:00 UTC</time>" in page(None, path_of(duel))
    seal(duel, cast.ada, hands("P", "D"))
    sealed = page(cast.ada, path_of(duel))
    assert f"Still waiting for Bram. Bram is {VACATION_END_TEXT}." in sealed
    vacations.end_vacation(wizard=cast.bram, now=NOW + DAY)
    assert "on vacation" not in page(cast.ada, path_of(duel))


def test_duel_page_shows_a_return_from_vacation_until_the_turn_ends(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace=A_DAY)
    quick = begin(cast.ada, cast.bram, pace=str(12 * 3600))
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    vacations.end_vacation(wizard=cast.bram, now=NOW + DAY)
    back = "back from vacation since"
    for viewer in (cast.ada, cast.cleo):
        html = page(viewer, path_of(duel))
        assert html.count('class="vacation"') == 1
        assert f'{back} <time datetime="2026-03-02T12:00:00+00:00">2 March, 13:00 CET' in html
    assert back not in page(cast.ada, path_of(quick))
    seal(duel, cast.ada, hands("P", "D"), now=NOW + DAY)
    waits = "Still waiting for Bram. Bram came back from vacation on 2 March, 13:00 CET."
    assert waits in page(cast.ada, path_of(duel))
    seal(duel, cast.bram, hands("P", "D"), now=NOW + 2 * DAY)
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW + 2 * DAY)
    assert back not in page(cast.ada, path_of(duel))


def test_vacation_is_shown_even_if_the_turn_waits_only_for_an_answer(cast: Cast) -> None:
    duel = duel_with_question(cast)
    vacations.start_vacation(wizard=cast.ada, until=VACATION_END, now=NOW)
    assert f"Waiting for Ada. Ada is {VACATION_END_TEXT}." in page(cast.bram, path_of(duel))


@pytest.mark.parametrize("pace", ["none", str(12 * 3600)])
def test_vacation_is_not_shown_in_duels_that_it_does_not_affect(cast: Cast, pace: str) -> None:
    duel = begin(cast.ada, cast.bram, pace=pace)
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    assert "on vacation" not in page(cast.ada, path_of(duel))


def test_vacation_of_a_resigned_wizard_is_not_shown(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, cast.cleo, pace=A_DAY)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    assert "on vacation" not in page(cast.ada, path_of(duel))


def test_wizard_page_shows_a_vacation(cast: Cast) -> None:
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    assert "on vacation until" in page(cast.ada, "/wizards/bram/")
    assert "9 March, 00:00 CET" in page(cast.ada, "/wizards/bram/")
    vacations.end_vacation(wizard=cast.bram, now=NOW)
    assert "on vacation" not in page(cast.ada, "/wizards/bram/")


def test_lists_show_which_awaited_wizards_are_on_vacation(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace=A_DAY)
    quick = begin(cast.ada, cast.bram, pace=str(12 * 3600))
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    for each in (duel, quick):
        seal(each, cast.ada, hands("P", "D"))
    html = page(cast.ada, "/")
    assert html.count("Bram (on vacation):") == 1
    assert html.count("Bram: ") == 1


def test_polls_report_the_start_and_end_of_a_vacation(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace=A_DAY)
    client = signed_in(cast.ada)

    def vacation_ends() -> list[object]:
        seats = client.get(f"{path_of(duel)}poll").json()["seats"]
        return [each["vacation_until"] for each in seats]

    assert vacation_ends() == [None, None]
    vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=NOW)
    assert vacation_ends() == [None, VACATION_END.isoformat()]
    vacations.end_vacation(wizard=cast.bram, now=NOW)
    assert vacation_ends() == [None, None]


def test_page_of_a_duel_with_a_vacation_does_not_reveal_sealed_orders(cast: Cast) -> None:
    """Whatever Bram sealed, other wizards' pages differ only in the times of his vacation."""
    seen = []
    for hour, orders in enumerate((hands("P", "D"), hands("W", "S"))):
        duel = begin(cast.ada, cast.bram, pace=A_DAY)
        commitment = seal(duel, cast.bram, orders).commitment
        left_at = NOW + timedelta(hours=hour)
        vacations.start_vacation(wizard=cast.bram, until=VACATION_END, now=left_at)
        shown = repr(pages.duel_page(duel, cast.ada).seats).replace(commitment, "")
        seen.append(shown.replace(repr(cast.bram), ""))
        assert open_turn(duel).ordinal == 1
        vacations.end_vacation(wizard=cast.bram, now=NOW)
    assert seen[0] == seen[1]
