"""A player's home: what waits for him and how long, what waits for others, what is new to him."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from duels.models import Wizard
from duels.views.lists import listed, versus
from duels.views.spans import time_left, waited
from tests.cast import NOW, Cast, begin, challenge, hands, play, seal

pytestmark = pytest.mark.django_db
THEN = NOW + timedelta(hours=3)


@pytest.fixture(autouse=True)
def three_hours_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: THEN)


def home_of(wizard: Wizard) -> str:
    assert wizard.user is not None
    client = Client()
    client.force_login(wizard.user)
    return client.get("/").content.decode()


def section(html: str, name: str) -> str:
    """The words of one list, as a reader has them."""
    found = re.search(rf'<section[^>]* id="{name}"[^>]*>(.*?)</section>', html, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def test_a_duel_that_waits_for_me_says_how_long_it_has_waited(cast: Cast):
    begin(cast.ada, cast.bram)
    assert "Against Bram waiting for 3 hours turn 1 · Bartle · no hurry" in section(
        home_of(cast.ada), "awaiting"
    )


@pytest.mark.parametrize(
    ("pace", "left"),
    [("day", "21 hours left"), ("three_days", "2 days left"), ("week", "6 days left")],
)
def test_its_pace_says_how_much_is_left(cast: Cast, pace: str, left: str):
    duel = begin(cast.ada, cast.bram)
    duel.pace = pace
    duel.save()
    assert f"{left} · waiting for 3 hours" in section(home_of(cast.ada), "awaiting")


def test_a_duel_that_waits_for_others_names_them(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    seal(duel, cast.ada, hands("P", "D"))
    seal(duel, cast.cleo, hands("P", "D"))
    html = home_of(cast.ada)
    assert "Bram to seal, open for 3 hours" in section(html, "running")
    assert "Cleo to seal" not in html
    assert "Nobody waits for you" in section(html, "awaiting")


def test_the_longest_waiting_duel_stands_first(cast: Cast):
    second = begin(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo)
    play(second, {cast.ada: hands("P", "D"), cast.bram: hands("P", "D")}, now=THEN)
    waiting = section(home_of(cast.ada), "awaiting")
    assert waiting.index("Against Cleo") < waiting.index("Against Bram")


def test_a_challenge_says_how_long_it_stands(cast: Cast):
    challenge(cast.bram, cast.ada)
    assert re.search(r"stands for \d+ days more", section(home_of(cast.ada), "to-me"))


def test_who_has_no_duel_yet_is_welcomed(cast: Cast):
    assert "Welcome, Ada" in home_of(cast.ada)
    challenge(cast.ada)
    assert "Welcome" not in home_of(cast.ada)


def test_many_wizards_are_listed_as_in_a_sentence(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    html = home_of(cast.ada)
    assert "Against Bram, Cleo and Dorn" in html
    assert versus(["Ada", "Bram"]) == "Ada against Bram"
    assert versus(["Ada", "Bram", "Cleo"]) == "Ada, Bram and Cleo"
    assert (listed(["Ada"]), listed([])) == ("Ada", "")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (119 * 60, "119 minutes"),
        (120 * 60, "2 hours"),
        (47 * 3600, "47 hours"),
        (48 * 3600, "2 days"),
        (400 * 86400, "400 days"),
    ],
)
def test_spans_in_words(seconds: int, words: str):
    assert waited(NOW, NOW + timedelta(seconds=seconds)) == words


def test_what_a_pace_leaves():
    assert time_left("day", NOW, NOW + timedelta(days=3)) == "late by 2 days"
    assert time_left("day", NOW, NOW + timedelta(hours=24)) == "less than a minute left"
    assert time_left("unhurried", NOW, THEN) == time_left("live", NOW, THEN) == ""
