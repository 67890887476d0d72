"""A player's home page: duels that wait for them, other duels, and news."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from duels.models import Seat, Wizard
from duels.screens.lists.lines import waiting_time
from tests.cast import NOW, Cast, begin, challenge, hands, play, seal

pytestmark = pytest.mark.django_db
THREE_HOURS_LATER = NOW + timedelta(hours=3)


@pytest.fixture(autouse=True)
def three_hours_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: THREE_HOURS_LATER)


def home_page(wizard: Wizard) -> str:
    assert wizard.user is not None
    client = Client()
    client.force_login(wizard.user)
    return client.get("/").content.decode()


def section_text(html: str, name: str) -> str:
    """Return the text of one list as a reader sees it."""
    found = re.search(rf'<section[^>]* id="{name}"[^>]*>(.*?)</section>', html, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def with_ordinary_spaces(words: str) -> str:
    """Return the text with ordinary spaces instead of those between numbers and their units."""
    return words.replace("\N{NO-BREAK SPACE}", " ")


def test_home_page_shows_how_long_a_duel_has_waited_for_the_player(cast: Cast):
    begin(cast.ada, cast.bram)
    assert "Against Bram your turn began 3 hours ago turn 1 · Bartle · no hurry" in section_text(
        home_page(cast.ada), "awaiting"
    )


@pytest.mark.parametrize(
    ("pace", "told"),
    [
        ("86400", "21 hours left (due 2 March, 12:00 UTC )"),
        ("259200", "2 days, 21 hours left (due 4 March, 12:00 UTC )"),
        ("604800", "6 days, 21 hours left (due 8 March, 12:00 UTC )"),
        ("daily 21:00 Europe/Dublin", "1 day, 6 hours left (due 2 March, 21:00 UTC )"),
    ],
)
def test_home_page_shows_the_players_deadlines(cast: Cast, pace: str, told: str):
    begin(cast.ada, cast.bram, pace=pace)
    assert f"Against Bram your turn began 3 hours ago {told} turn 1" in section_text(
        home_page(cast.ada), "awaiting"
    )


def test_home_page_shows_the_deadlines_of_opponents(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, pace="259200")
    seal(duel, cast.ada, hands("P", "D"))
    left = "2 days, 21 hours left (due 4 March, 12:00 UTC )"
    running = section_text(home_page(cast.ada), "running")
    assert f"turn began 3 hours ago Bram and Cleo: {left}" in running
    Seat.objects.filter(duel=duel, wizard=cast.cleo).update(due_at=NOW + timedelta(days=4))
    running = section_text(home_page(cast.ada), "running")
    assert f"Bram: {left} · Cleo later" in running  # two times do not fit on a phone


def test_list_of_public_duels_shows_who_must_act_and_by_when(cast: Cast):
    begin(cast.ada, cast.bram, pace="259200")
    left = "2 days, 21 hours left (due 4 March, 12:00 UTC )"
    told = f"turn began 3 hours ago Ada and Bram: {left}"
    assert told in section_text(home_page(cast.dorn), "public")


def test_home_page_shows_the_time_left_on_a_stopped_clock(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="259200")
    seats = Seat.objects.filter(duel=duel)
    seats.update(due_at=None, remind_at=None, clock_left=timedelta(hours=30))
    awaiting = section_text(home_page(cast.ada), "awaiting")
    assert "your turn began 3 hours ago 1 day, 6 hours left, and the clock is stopped" in awaiting
    assert "due" not in awaiting


def test_home_page_names_the_wizards_who_must_act(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    seal(duel, cast.ada, hands("P", "D"))
    seal(duel, cast.cleo, hands("P", "D"))
    html = home_page(cast.ada)
    assert "waiting for Bram, whose turn began 3 hours ago" in section_text(html, "running")
    assert "waiting for Cleo" not in html
    assert "Nothing to do right now" in section_text(html, "awaiting")


def test_home_page_lists_the_longest_waiting_duel_first(cast: Cast):
    second = begin(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo)
    play(second, {cast.ada: hands("P", "D"), cast.bram: hands("P", "D")}, now=THREE_HOURS_LATER)
    waiting = section_text(home_page(cast.ada), "awaiting")
    assert waiting.index("Against Cleo") < waiting.index("Against Bram")


def test_home_page_shows_when_a_challenge_expires(cast: Cast):
    challenge(cast.bram, cast.ada)
    assert "expires in 1 week, 6 days" in section_text(home_page(cast.ada), "to-me")


def test_home_page_welcomes_a_player_without_duels(cast: Cast):
    assert "Welcome, Ada" in home_page(cast.ada)
    challenge(cast.ada)
    assert "Welcome" not in home_page(cast.ada)


def test_names_of_several_opponents_are_joined_as_in_a_sentence(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    html = home_page(cast.ada)
    assert "Against Bram, Cleo and Dorn" in html


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (119 * 60, "1 hour, 59 minutes"),
        (120 * 60, "2 hours"),
        (47 * 3600 + 3599, "1 day, 23 hours"),
        (48 * 3600, "2 days"),
        (17 * 86400, "2 weeks, 3 days"),
        (366 * 86400, "1 year"),
    ],
)
def test_time_that_a_duel_has_waited_is_written_as_text(seconds: int, words: str):
    assert with_ordinary_spaces(waiting_time(NOW, NOW + timedelta(seconds=seconds))) == words


def test_ways_to_start_a_duel_are_grouped_by_opponent(cast: Cast) -> None:
    ways = (
        "Alone: Practise With a friend: New challenge Send a link With strangers: Play somebody now"
    )
    assert ways in section_text(home_page(cast.ada), "awaiting")
