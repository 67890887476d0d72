"""Tests that polls are cheap, contain only what pages show, and change nothing except presence."""

import html
import json
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.caching import poll_cache
from duels.commands import challenges, endings, sealing, speaking
from duels.models import Duel, Wizard
from duels.queries import pages, presence
from duels.screens.presence.context import json_attribute
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, open_turn, play, seal, signed_in
from tests.duels.test_secrecy import ALTERNATIVE_ORDERS, duel_in_extra_turn
from tests.duels.visitors import Committed, Visitor

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def poll_json(duel: Duel, wizard: Wizard | None, **query: str) -> dict[str, Any]:
    answer = signed_in(wizard).get(f"/duels/{duel.pk}/poll", query)
    assert answer.status_code == 200
    value: dict[str, Any] = answer.json()
    return value


def seat_json(code: str, **more: object) -> dict[str, object]:
    """Return the JSON of a seat in a poll, with defaults for all other values."""
    usual = {"accepted": True, "outcome": "", "awaited": False, "sealed_at": None}
    clock = {"due_at": None, "clock_left": None}
    asked = {"offers_draw": False, "asks_pause": False}
    return {"code": code, **usual, **clock, **asked, "vacation_until": None} | more


def state_in_page(duel: Duel, viewer: Wizard | None) -> presence.PageState:
    """Return the state that the page contains."""
    duel.refresh_from_db()
    page = pages.duel_page(duel, viewer)
    last = duel.speeches.order_by("-pk").values_list("pk", flat=True).first()
    return presence.page_state(page, last or 0)


def poll_state(duel: Duel, viewer: Wizard | None) -> presence.PageState:
    found = presence.presence_state(duel.pk, viewer)
    assert found is not None
    return found.page


# Contents


def test_poll_shows_who_has_sealed_and_when(duel: Duel, cast: Cast):
    seal(duel, cast.bram, hands("W", "P"), now=LATER)
    value = poll_json(duel, cast.ada)
    assert value == {
        "status": "running",
        "turn": 1,
        "stage": "orders",
        "asked": 0,
        "seats": [
            seat_json("w0", awaited=True),
            seat_json("w1", sealed_at=LATER.isoformat()),
        ],
        "last_speech": 0,
        "is_paused": False,
        "is_halted": False,
        "last_act": 0,
        "rematch": "",
        "waiting": 1,
        "here": [],
        "spectators": 0,
    }
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=LATER)
    assert poll_json(duel, cast.ada)["seats"][1] == seat_json("w1", awaited=True)


def test_poll_contains_the_number_of_duels_that_wait_for_its_reader(duel: Duel, cast: Cast):
    other = begin(cast.ada, cast.cleo)
    assert poll_json(duel, cast.ada)["waiting"] == 2
    seal(other, cast.ada, IDLE)
    assert poll_json(duel, cast.ada)["waiting"] == 1
    assert signed_in(cast.ada).get("/waiting").json()["waiting"] == 1
    assert signed_in(cast.dorn).get("/waiting").json()["waiting"] == 0
    assert signed_in(None).get("/waiting").json() == {"waiting": 0, "clocks": ""}
    assert poll_json(duel, None)["waiting"] == 0


def test_state_in_the_page_always_equals_the_state_in_the_poll(cast: Cast):
    """If they differed, the page would reload endlessly or never."""
    duel = begin(cast.ada, cast.bram)
    viewers = (cast.ada, cast.bram, cast.cleo, None)

    def check_states() -> None:
        for viewer in viewers:
            assert poll_state(duel, viewer) == state_in_page(duel, viewer)

    check_states()
    seal(duel, cast.bram, IDLE)
    check_states()
    seal(duel, cast.bram, hands("W", "-"), form_seal=seal(duel, cast.bram, IDLE).commitment)
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=LATER)
    check_states()
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Your move.", now=NOW)
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
    check_states()
    for letter in "WDW":  # both wizards paralyse each other and are asked which hand
        form_seal = pages.duel_page(duel, cast.bram).form_seal
        seal(duel, cast.bram, hands("F", letter), form_seal=form_seal)
        play(duel, {cast.ada: hands("F", letter)})
        check_states()
    assert poll_state(duel, cast.ada).asked == 1
    assert poll_state(duel, cast.cleo).asked == 0
    (question,) = pages.duel_page(duel, cast.bram).questions
    sealing.answer_questions(
        turn_id=open_turn(duel).pk,
        wizard=cast.bram,
        answers={question.id: "L"},
        form_seal="",
        batch=1,
        now=NOW,
    )
    check_states()
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    check_states()
    assert poll_state(duel, None).status == "over"


def test_poll_of_a_challenge_reports_that_the_duel_has_begun(cast: Cast):
    duel = challenge(cast.ada, cast.bram, visibility="private")
    before = poll_json(duel, cast.ada)
    assert (before["status"], before["turn"], before["stage"]) == ("gathering", 0, "")
    assert [(row["code"], row["accepted"]) for row in before["seats"]] == [("", True), ("", False)]
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert poll_json(duel, cast.ada)["status"] == "running"


# Hidden facts


def poll_answer(duel: Duel, viewer: Wizard | None) -> tuple[bytes, str]:
    answer = signed_in(viewer).get(f"/duels/{duel.pk}/poll", {"away": ""})
    return answer.content, answer.headers["ETag"]


def test_poll_and_its_etag_do_not_depend_on_sealed_orders(duel: Duel, cast: Cast):
    """Promise 1."""
    for viewer in (cast.ada, cast.cleo, None):
        found, previous = set(), pages.duel_page(duel, cast.bram).form_seal
        for orders in ALTERNATIVE_ORDERS:
            previous = seal(duel, cast.bram, orders, form_seal=previous).commitment
            sealing.save_draft(turn_id=open_turn(duel).pk, wizard=cast.bram, fields=orders, now=NOW)
            found.add(poll_answer(duel, viewer))
        assert len(found) == 1


def test_polls_hide_questions_in_extra_turns_from_other_readers(cast: Cast):
    duel = duel_in_extra_turn(cast)
    rivals = (cast.bram, cast.cleo, cast.dorn, None)
    before = [poll_answer(duel, rival) for rival in rivals]
    turn = play(duel, {cast.ada: hands("-", "F", right_subject="w1")})
    assert turn.stage == "answers"
    assert [poll_answer(duel, rival) for rival in rivals] == before
    assert poll_json(duel, cast.ada)["asked"] == 1
    for viewer in (cast.ada, *rivals):
        assert poll_state(duel, viewer) == state_in_page(duel, viewer)


def test_only_players_can_poll_a_private_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    for viewer in (cast.cleo, cast.dorn, None):
        assert signed_in(viewer).get(f"/duels/{duel.pk}/poll").status_code == 404
    assert signed_in(cast.bram).get(f"/duels/{duel.pk}/poll").status_code == 200
    assert signed_in(cast.ada).get("/duels/404/poll").status_code == 404


# Queries


def test_poll_without_news_returns_304(duel: Duel, cast: Cast, committed: Committed):
    client = signed_in(cast.ada)
    first = client.get(f"/duels/{duel.pk}/poll")
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, no-store"
    again = client.get(f"/duels/{duel.pk}/poll", headers={"if-none-match": etag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    zipped = client.get(f"/duels/{duel.pk}/poll", headers={"if-none-match": f"W/{etag}"})
    assert zipped.status_code == 304
    with committed():
        seal(duel, cast.bram, IDLE)
    changed = client.get(f"/duels/{duel.pk}/poll", headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag


def query_texts(client: Client, path: str) -> list[str]:
    assert connection.features.supports_json_field  # cache this check, which may run a query
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in captured]


@pytest.mark.parametrize(("who", "most"), [("ada", 3), ("cleo", 3), (None, 1)])
def test_poll_needs_one_query_in_addition_to_session_and_user(
    duel: Duel, cast: Cast, who: str | None, most: int
):
    viewer = getattr(cast, who) if who else None
    client = signed_in(viewer)
    for _ in range(3):
        play(duel, {cast.ada: IDLE, cast.bram: IDLE})
        speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words=f"{timezone.now()}", now=NOW)
        asked = query_texts(client, f"/duels/{duel.pk}/poll")
        assert len(asked) == most
        assert all(sql.startswith("SELECT") for sql in asked)
        assert '"position"' not in asked[-1]
    if viewer is not None:
        assert len(query_texts(client, "/waiting")) == 3


def test_polls_do_not_call_the_engine(duel: Duel, ada: Wizard, monkeypatch: pytest.MonkeyPatch):
    def fail_if_called(*args: object, **more: object) -> None:
        raise AssertionError("a poll called the engine")

    for name in ("play.view", "play.sheet", "play.load_position", "words.narrate"):
        monkeypatch.setattr(f"engine.{name}", fail_if_called)
    assert poll_json(duel, ada)["turn"] == 1


def test_polls_reject_post(duel: Duel, ada: Wizard):
    assert signed_in(ada).post(f"/duels/{duel.pk}/poll").status_code == 405
    assert signed_in(ada).post("/waiting").status_code == 405


# Presence


def test_wizards_of_a_duel_see_who_is_present(duel: Duel, cast: Cast):
    assert poll_json(duel, cast.ada)["here"] == []
    assert poll_json(duel, cast.bram)["here"] == ["w0"]
    assert poll_json(duel, cast.ada)["here"] == ["w1"]
    other = begin(cast.ada, cast.cleo)
    assert poll_json(other, cast.ada)["here"] == []


def test_spectator_does_not_see_who_is_present_and_is_not_shown(duel: Duel, cast: Cast):
    poll_json(duel, cast.ada)
    for viewer in (cast.cleo, None):
        assert "here" not in poll_json(duel, viewer)
    assert poll_json(duel, cast.bram)["here"] == ["w0"]


def test_hidden_page_does_not_count_as_presence(duel: Duel, cast: Cast):
    poll_json(duel, cast.ada, away="")
    assert poll_json(duel, cast.bram)["here"] == []


def test_presence_ends_after_half_a_minute(duel: Duel, cast: Cast):
    poll_json(duel, cast.ada)
    later = (timezone.now() + timedelta(seconds=31)).timestamp()
    with mock.patch("time.time", return_value=later):
        assert poll_cache.read_cached_poll(duel.pk, "w1").other_viewers("w1") == []


# Spectators


def poll_from_address(address: str, duel: Duel, wizard: Wizard | None = None, **query: str) -> int:
    """Poll from this network address. Return the number of spectators in the response."""
    answer = signed_in(wizard).get(f"/duels/{duel.pk}/poll", query, REMOTE_ADDR=address)
    spectators: int = answer.json()["spectators"]
    return spectators


def test_spectators_are_counted_once_each_and_everyone_sees_the_number(duel: Duel, cast: Cast):
    assert [poll_from_address("192.0.2.1", duel) for _ in range(2)] == [1, 1]
    assert poll_from_address("192.0.2.2", duel) == 2
    assert [poll_from_address("192.0.2.2", duel, cast.cleo) for _ in range(2)] == [3, 3]
    assert poll_from_address("192.0.2.9", duel, away="") == 3, "a hidden page does not count"
    assert [poll_json(duel, wizard)["spectators"] for wizard in (cast.ada, cast.bram)] == [3, 3]
    page = Client().get(f"/duels/{duel.pk}/").content.decode()
    assert "· 3 watching" in page
    assert poll_cache.watched_duels() == {duel.pk: 3}


def test_readers_of_a_challenge_do_not_count_as_spectators_of_the_duel(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    poll_from_address("192.0.2.1", duel, cast.ada)
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert poll_from_address("192.0.2.1", duel, cast.ada) == 0


def test_spectators_who_leave_are_counted_for_at_most_two_minutes(duel: Duel):
    other = begin(*(seat.wizard for seat in duel.seats.order_by("place")))
    poll_from_address("192.0.2.1", duel)
    later = (timezone.now() + timedelta(minutes=2)).timestamp()
    with mock.patch("time.time", return_value=later):
        assert poll_from_address("192.0.2.1", other) == 1
        assert poll_cache.watched_duels() == {other.pk: 1}
        assert poll_cache.largest_audience(duel.pk) == 1


# Pages


def test_duel_page_contains_the_state_that_polls_are_compared_with(duel: Duel, cast: Cast):
    seal(duel, cast.bram, IDLE)
    for viewer, seat in ((cast.ada, "w0"), (cast.cleo, ""), (None, "")):
        page = signed_in(viewer).get(f"/duels/{duel.pk}/")
        assert page.context["presence"].seat == seat
        carried = json.loads(page.context["presence"].state)
        now = poll_json(duel, viewer, away="")
        assert carried == {key: now[key] for key in carried}
        text = page.content.decode()
        assert f'data-presence="/duels/{duel.pk}/poll"' in text
        assert 'id="live-seals"' in text


@pytest.mark.parametrize(("who", "polls"), [("ada", True), (None, False)])
def test_only_pages_of_signed_in_players_poll_for_waiting_duels(
    cast: Cast, who: str | None, polls: bool
):
    text = signed_in(getattr(cast, who) if who else None).get("/about/").content.decode()
    assert ('data-waiting="/waiting"' in text) is polls


def test_page_of_a_challenge_polls_for_acceptances(cast: Cast):
    duel = challenge(cast.ada, size=3)
    page = signed_in(cast.ada).get(f"/duels/{duel.pk}/")
    carried = json.loads(page.context["presence"].state)
    assert carried.items() <= poll_json(duel, cast.ada).items()
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert poll_json(duel, cast.ada)["seats"] != carried["seats"]
    assert "presence" not in signed_in(None).get(f"/duels/{duel.pk}/").context


def test_only_the_guest_can_poll_their_practice_duel(
    cast: Cast, django_capture_on_commit_callbacks: Committed
):
    """If a worker plays the opponent's orders, the page finds out only by polling."""
    guest, stranger = (Visitor(django_capture_on_commit_callbacks) for _ in range(2))
    address = guest.post("/play").headers["Location"]
    page = guest.get(address)
    assert page.context["presence"].seat == "w0"
    assert not page.context["talk"].is_shown
    answer = guest.get(f"{address}poll")
    carried = json.loads(page.context["presence"].state)
    assert carried == {key: answer.json()[key] for key in carried}
    assert stranger.get(f"{address}poll").status_code == 404
    assert signed_in(cast.ada).get(f"{address}poll").status_code == 404


def test_bar_of_a_duel_page_shows_who_has_sealed_and_is_awaited(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)

    def bar_text(viewer: Wizard) -> str:
        page = signed_in(viewer).get(f"/duels/{duel.pk}/")
        words: str = page.context["sealed_words"]
        return words

    assert bar_text(cast.ada) == ""
    seal(duel, cast.bram, IDLE)
    assert bar_text(cast.ada) == f"{cast.bram.name} has sealed."
    assert bar_text(cast.bram) == ""
    seal(duel, cast.cleo, IDLE)
    names = f"{cast.bram.name} and {cast.cleo.name}"
    assert bar_text(cast.ada) == f"{names} have sealed and are waiting for you."


def test_json_in_an_html_attribute_is_escaped() -> None:
    """In single quotes, only single quotes and markup characters must be escaped."""
    text = str(json_attribute({"w0": 'O\'Ada <b> & "co"'}))
    assert not set("'<>") & set(text)
    assert json.loads(html.unescape(text)) == {"w0": 'O\'Ada <b> & "co"'}
