"""The polls: they say what a page would show and no more, cost little, and change nothing."""

import json
import logging
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis.exceptions import ConnectionError as NoRedis

from duels import commands, queries
from duels.models import Duel, Wizard
from duels.queries import presence
from duels.views.presence import who_is_here
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, open_turn, play, seal
from tests.duels.test_secrecy import ALTERNATIVES, stopped
from tests.duels.visitors import Committed, Visitor

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def client_of(wizard: Wizard | None) -> Client:
    client = Client()
    if wizard is not None:
        assert wizard.user is not None
        client.force_login(wizard.user)
    return client


def felt(duel: Duel, wizard: Wizard | None, **query: str) -> dict[str, Any]:
    answer = client_of(wizard).get(f"/duels/{duel.pk}/pulse", query)
    assert answer.status_code == 200
    value: dict[str, Any] = answer.json()
    return value


def shown(duel: Duel, viewer: Wizard | None) -> presence.Pulse:
    """The pulse at which the page is made."""
    duel.refresh_from_db()
    page = queries.duel_page(duel, viewer, NOW)
    last = duel.speeches.order_by("-pk").values_list("pk", flat=True).first()
    return presence.pulse_of(page, last or 0)


def polled(duel: Duel, viewer: Wizard | None) -> presence.Pulse:
    found = presence.pulse(duel.pk, viewer)
    assert found is not None
    return found.pulse


# What it says


def test_a_pulse_tells_who_has_sealed_and_when(duel: Duel, cast: Cast):
    seal(duel, cast.bram, hands("W", "P"), now=LATER)
    value = felt(duel, cast.ada)
    assert value == {
        "status": "running",
        "turn": 1,
        "stage": "orders",
        "asked": 0,
        "seats": [
            ["w0", True, "", True, None, False],
            ["w1", True, "", False, LATER.isoformat(), False],
        ],
        "said": 0,
        "waiting": 1,
        "here": [],
    }
    commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=LATER)
    assert felt(duel, cast.ada)["seats"][1] == ["w1", True, "", True, None, False]


def test_it_counts_the_duels_that_wait_for_me(duel: Duel, cast: Cast):
    other = begin(cast.ada, cast.cleo)
    assert felt(duel, cast.ada)["waiting"] == 2
    seal(other, cast.ada, IDLE)
    assert felt(duel, cast.ada)["waiting"] == 1
    assert client_of(cast.ada).get("/waiting").json() == {"waiting": 1}
    assert client_of(cast.dorn).get("/waiting").json() == {"waiting": 0}
    assert client_of(None).get("/waiting").json() == {"waiting": 0}
    assert felt(duel, None)["waiting"] == 0


def test_whatever_happens_page_and_pulse_say_the_same(cast: Cast):
    """Else a page would show itself anew for ever, or never."""
    duel = begin(cast.ada, cast.bram)
    viewers = (cast.ada, cast.bram, cast.cleo, None)

    def hold() -> None:
        for viewer in viewers:
            assert polled(duel, viewer) == shown(duel, viewer)

    hold()
    seal(duel, cast.bram, IDLE)
    hold()
    seal(duel, cast.bram, hands("W", "-"), form_seal=seal(duel, cast.bram, IDLE).commitment)
    commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=LATER)
    hold()
    commands.say(duel_id=duel.pk, wizard=cast.ada, words="Your move.", now=NOW)
    commands.offer_draw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    hold()
    for letter in "WDW":  # both paralyse each other, and are asked which hand
        form_seal = queries.duel_page(duel, cast.bram, NOW).form_seal
        seal(duel, cast.bram, hands("F", letter), form_seal=form_seal)
        play(duel, {cast.ada: hands("F", letter)})
        hold()
    assert polled(duel, cast.ada).asked == 1
    assert polled(duel, cast.cleo).asked == 0
    (question,) = queries.duel_page(duel, cast.bram, NOW).questions
    commands.answer_questions(
        turn_id=open_turn(duel).pk,
        wizard=cast.bram,
        answers={question.id: "L"},
        form_seal="",
        now=NOW,
    )
    hold()
    commands.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    hold()
    assert polled(duel, None).status == "over"


def test_a_challenge_has_a_pulse_until_it_becomes_a_duel(cast: Cast):
    duel = challenge(cast.ada, cast.bram, visibility="private")
    before = felt(duel, cast.ada)
    assert (before["status"], before["turn"], before["stage"]) == ("gathering", 0, "")
    assert [row[:2] for row in before["seats"]] == [["", True], ["", False]]
    commands.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert felt(duel, cast.ada)["status"] == "running"


# What it does not say


def pulses(duel: Duel, viewer: Wizard | None) -> tuple[bytes, str]:
    answer = client_of(viewer).get(f"/duels/{duel.pk}/pulse", {"away": ""})
    return answer.content, answer.headers["ETag"]


def test_neither_pulse_nor_etag_depend_on_what_is_sealed(duel: Duel, cast: Cast):
    """Promise 1."""
    for viewer in (cast.ada, cast.cleo, None):
        found, previous = set(), queries.duel_page(duel, cast.bram, NOW).form_seal
        for orders in ALTERNATIVES:
            previous = seal(duel, cast.bram, orders, form_seal=previous).commitment
            commands.save_draft(
                turn_id=open_turn(duel).pk, wizard=cast.bram, fields=orders, now=NOW
            )
            found.add(pulses(duel, viewer))
        assert len(found) == 1


def test_no_pulse_tells_that_an_extra_turn_asks(cast: Cast):
    duel = stopped(cast)
    rivals = (cast.bram, cast.cleo, cast.dorn, None)
    before = [pulses(duel, rival) for rival in rivals]
    turn = play(duel, {cast.ada: hands("-", "F", right_subject="w1")})
    assert turn.stage == "answers"
    assert [pulses(duel, rival) for rival in rivals] == before
    assert felt(duel, cast.ada)["asked"] == 1
    for viewer in (cast.ada, *rivals):
        assert polled(duel, viewer) == shown(duel, viewer)


def test_a_private_duel_has_no_pulse_for_others(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    for viewer in (cast.cleo, cast.dorn, None):
        assert client_of(viewer).get(f"/duels/{duel.pk}/pulse").status_code == 404
    assert client_of(cast.bram).get(f"/duels/{duel.pk}/pulse").status_code == 200
    assert client_of(cast.ada).get("/duels/404/pulse").status_code == 404


# What it costs


def test_an_unchanged_answer_is_not_sent_again(duel: Duel, cast: Cast):
    client = client_of(cast.ada)
    first = client.get(f"/duels/{duel.pk}/pulse")
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = client.get(f"/duels/{duel.pk}/pulse", headers={"if-none-match": etag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    zipped = client.get(f"/duels/{duel.pk}/pulse", headers={"if-none-match": f"W/{etag}"})
    assert zipped.status_code == 304
    seal(duel, cast.bram, IDLE)
    changed = client.get(f"/duels/{duel.pk}/pulse", headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag


def cost(client: Client, path: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in captured]


@pytest.mark.parametrize(("who", "most"), [("ada", 3), ("cleo", 3), (None, 1)])
def test_a_poll_is_one_query_beside_session_and_user(
    duel: Duel, cast: Cast, who: str | None, most: int
):
    viewer = getattr(cast, who) if who else None
    client = client_of(viewer)
    for _ in range(3):
        play(duel, {cast.ada: IDLE, cast.bram: IDLE})
        commands.say(duel_id=duel.pk, wizard=cast.ada, words=f"{timezone.now()}", now=NOW)
        asked = cost(client, f"/duels/{duel.pk}/pulse")
        assert len(asked) == most
        assert all(sql.startswith("SELECT") for sql in asked)
        assert '"position"' not in asked[-1]
    if viewer is not None:
        assert len(cost(client, "/waiting")) == 3


def test_a_poll_asks_the_engine_nothing(duel: Duel, ada: Wizard, monkeypatch: pytest.MonkeyPatch):
    def forbidden(*args: object, **more: object) -> None:
        raise AssertionError("a poll asked the engine")

    for name in ("view", "sheet", "load_position", "narrate"):
        monkeypatch.setattr(f"engine.{name}", forbidden)
    assert felt(duel, ada)["turn"] == 1


def test_polls_are_for_reading_only(duel: Duel, ada: Wizard):
    assert client_of(ada).post(f"/duels/{duel.pk}/pulse").status_code == 405
    assert client_of(ada).post("/waiting").status_code == 405


# Who is here


def test_wizards_of_the_duel_see_each_other_here(duel: Duel, cast: Cast):
    assert felt(duel, cast.ada)["here"] == []
    assert felt(duel, cast.bram)["here"] == ["w0"]
    assert felt(duel, cast.ada)["here"] == ["w1"]
    other = begin(cast.ada, cast.cleo)
    assert felt(other, cast.ada)["here"] == []


def test_a_spectator_neither_sees_who_is_here_nor_is(duel: Duel, cast: Cast):
    felt(duel, cast.ada)
    for viewer in (cast.cleo, None):
        assert "here" not in felt(duel, viewer)
    assert felt(duel, cast.bram)["here"] == ["w0"]


def test_a_page_at_which_nobody_looks_is_nobody(duel: Duel, cast: Cast):
    felt(duel, cast.ada, away="")
    assert felt(duel, cast.bram)["here"] == []


def test_who_was_here_half_a_minute_ago_is_gone(duel: Duel, cast: Cast):
    felt(duel, cast.ada)
    later = (timezone.now() + timedelta(seconds=31)).timestamp()
    with mock.patch("time.time", return_value=later):
        assert who_is_here(duel.pk, "w1", ["w0"]) == []


def test_without_the_cache_nobody_is_here_and_the_rest_goes_on(
    duel: Duel, ada: Wizard, caplog: pytest.LogCaptureFixture
):
    with (
        caplog.at_level(logging.WARNING),
        mock.patch("django.core.cache.cache.set", side_effect=NoRedis("gone")),
    ):
        assert felt(duel, ada)["here"] == []
    assert "Who is here is not known" in caplog.text


# The page


def test_the_page_carries_what_its_polls_compare_with(duel: Duel, cast: Cast):
    seal(duel, cast.bram, IDLE)
    for viewer, seat in ((cast.ada, "w0"), (cast.cleo, ""), (None, "")):
        page = client_of(viewer).get(f"/duels/{duel.pk}/")
        assert page.context["presence"]["seat"] == seat
        carried = json.loads(page.context["presence"]["felt"])
        now = felt(duel, viewer, away="")
        assert carried == {key: now[key] for key in carried}
        text = page.content.decode()
        assert f'data-presence="/duels/{duel.pk}/pulse"' in text
        assert 'data-live="seals"' in text


@pytest.mark.parametrize(("who", "polls"), [("ada", True), (None, False)])
def test_every_page_of_a_player_counts_what_waits(cast: Cast, who: str | None, polls: bool):
    text = client_of(getattr(cast, who) if who else None).get("/about/").content.decode()
    assert ('data-waiting="/waiting"' in text) is polls


def test_a_challenges_page_waits_for_its_duel(cast: Cast):
    duel = challenge(cast.ada, size=3)
    page = client_of(cast.ada).get(f"/duels/{duel.pk}/")
    carried = json.loads(page.context["presence"]["felt"])
    assert carried.items() <= felt(duel, cast.ada).items()
    commands.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert felt(duel, cast.ada)["seats"] != carried["seats"]
    assert "presence" not in client_of(None).get(f"/duels/{duel.pk}/").context


def test_a_guests_page_polls_too_and_nobody_elses_does(
    cast: Cast, django_capture_on_commit_callbacks: Committed
):
    """Where a worker plays for the opponent, only a poll shows it."""
    guest, stranger = (Visitor(django_capture_on_commit_callbacks) for _ in range(2))
    address = guest.post("/play").headers["Location"]
    page = guest.get(address)
    assert page.context["presence"]["seat"] == "w0"
    assert not page.context["talk_is_shown"]
    answer = guest.get(f"{address}pulse")
    carried = json.loads(page.context["presence"]["felt"])
    assert carried == {key: answer.json()[key] for key in carried}
    assert stranger.get(f"{address}pulse").status_code == 404
    assert client_of(cast.ada).get(f"{address}pulse").status_code == 404
