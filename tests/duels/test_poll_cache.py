"""Polls answered "nothing new" from the cache: for which readers, how long, and at what cost."""

import logging
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis.exceptions import ConnectionError as NoRedis

from duels.caching import poll_cache
from duels.caching.volatile import cache
from duels.commands import challenges, endings, read_marks, sealing, speaking
from duels.models import Duel, Wizard
from duels.queries import pages
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, play, seal
from tests.duels.visitors import Committed

IDLE = hands("-", "-")


class Reader:
    """A reader of a duel's page, who polls in the same way as the page's script."""

    def __init__(self, duel: Duel, wizard: Wizard | None) -> None:
        self.client, self.address, self.etag = Client(), f"/duels/{duel.pk}/poll", ""
        if wizard is not None:
            assert wizard.user is not None
            self.client.force_login(wizard.user)
        self.ask()

    def ask(self, query: str = "") -> Any:
        headers = {"if-none-match": self.etag} if self.etag else {}
        answer = self.client.get(f"{self.address}?{query}", headers=headers)
        self.etag = answer.headers.get("ETag", "")
        return answer

    def queries(self, query: str = "") -> int:
        """Return the number of queries that the next poll runs."""
        with CaptureQueriesContext(connection) as captured:
            self.ask(query)
        return len(captured)


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


@pytest.fixture(autouse=True)
def reset_cache_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poll_cache._CacheBackoff, "until", 0.0)


@pytest.fixture
def advance_cache_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A function that moves the cache's clock forward by a number of seconds."""
    clock = time.time

    def advance(seconds: float) -> None:
        at = clock() + seconds
        monkeypatch.setattr("time.time", lambda: at)

    return advance


# Queries


@pytest.mark.parametrize("who", ["ada", "cleo", None])
def test_poll_without_news_runs_no_query_and_loads_no_session(
    duel: Duel, cast: Cast, who: str | None
):
    reader = Reader(duel, getattr(cast, who) if who else None)
    first = reader.etag
    for _ in range(3):
        assert reader.queries() == 0
    answer = reader.ask()
    assert (answer.status_code, answer.content, reader.etag) == (304, b"", first)
    with mock.patch("django.contrib.sessions.middleware.SessionMiddleware.process_request") as no:
        reader.ask()
    no.assert_not_called()


def test_poll_of_one_spectator_fills_the_cache_for_all_spectators(duel: Duel, cast: Cast):
    """All spectators see the same page, and there may be many of them."""
    one, other = Reader(duel, None), Reader(duel, None)
    cache.delete(poll_cache._key("poll-digest", duel.pk, ""))
    assert [one.queries(), other.queries(), one.queries()] == [1, 0, 0]


# Changes that polls must not miss


def test_next_poll_reports_a_seal(duel: Duel, cast: Cast, committed: Committed):
    readers = [Reader(duel, viewer) for viewer in (cast.ada, cast.cleo, None)]
    with committed():
        seal(duel, cast.bram, IDLE)
    for reader in readers:
        answer = reader.ask()
        assert answer.status_code == 200
        assert answer.json()["seats"][1]["sealed_at"]


def duel_changes(cast: Cast, duel: Duel) -> list[Callable[[], object]]:
    """Return functions that run commands, each of which changes another player's page."""
    at: dict[str, Any] = {"duel_id": duel.pk, "now": NOW}
    return [
        lambda: play(duel, {cast.ada: IDLE, cast.bram: hands("W", "-")}),
        lambda: speaking.send_message(wizard=cast.ada, words="Your move.", **at),
        lambda: seal(duel, cast.bram, IDLE),
        lambda: sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=NOW),
        lambda: endings.offer_draw(wizard=cast.bram, **at, ordinal=None),
        lambda: endings.decline_draw(wizard=cast.ada, **at, ordinal=None),
        lambda: endings.resign(wizard=cast.bram, **at),
    ]


def test_next_poll_reports_every_change_of_a_duel(duel: Duel, cast: Cast, committed: Committed):
    reader = Reader(duel, None)
    for change in duel_changes(cast, duel):
        with committed():
            change()
        assert reader.ask().status_code == 200
        assert reader.ask().status_code == 304


def test_next_poll_reports_every_change_of_a_challenge(cast: Cast, committed: Committed):
    duel = challenge(cast.ada, size=3)
    reader = Reader(duel, cast.ada)
    for change in (
        lambda: challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW),
        lambda: challenges.leave(duel_id=duel.pk, wizard=cast.bram, now=NOW),
        lambda: challenges.withdraw(duel_id=duel.pk, wizard=cast.ada, now=NOW),
    ):
        with committed():
            change()
        assert reader.ask().status_code == 200
        assert reader.ask().status_code == 304


def test_change_that_the_cache_missed_is_reported_after_ten_seconds(
    duel: Duel, cast: Cast, advance_cache_clock: Callable[[float], None]
):
    """A worker may die between the commit and the update of the cache."""
    reader = Reader(duel, cast.ada)
    seal(duel, cast.bram, IDLE)  # without `committed`, on-commit callbacks do not run
    assert reader.ask().status_code == 304
    advance_cache_clock(10.1)
    assert reader.ask().status_code == 200


def test_outdated_response_to_a_poll_is_not_cached(
    duel: Duel, cast: Cast, committed: Committed, monkeypatch: pytest.MonkeyPatch
):
    """The response was computed before a change was committed, and reaches the cache afterwards."""
    reader = Reader(duel, None)
    kept = poll_cache.store_digest

    def cache_after_a_change(*what: str) -> None:
        with committed():
            seal(duel, cast.bram, IDLE)
        kept(*what)  # type: ignore[arg-type]  # passed on unchanged

    cache.clear()
    with mock.patch.object(poll_cache, "store_digest", cache_after_a_change):
        reader.ask()
    assert reader.ask().status_code == 200


def test_next_poll_reports_that_the_opponent_is_present(
    duel: Duel, cast: Cast, advance_cache_clock: Callable[[float], None]
):
    ada = Reader(duel, cast.ada)
    bram = Reader(duel, cast.bram)
    assert ada.ask().json()["here"] == ["w1"]
    for seconds in (11, 22, 33, 44):  # polls keep Bram present, even if the cache answers them
        advance_cache_clock(seconds)
        bram.ask()
        bram.ask()
        assert ada.ask().status_code == 304
    advance_cache_clock(80)
    assert ada.ask().json()["here"] == []


def test_next_poll_reports_another_spectator(duel: Duel, cast: Cast):
    readers = [Reader(duel, viewer) for viewer in (None, cast.ada)]
    assert readers[0].ask().status_code == 304
    Reader(duel, cast.cleo)
    assert [reader.ask().json()["spectators"] for reader in readers] == [2, 2]
    assert readers[0].queries() == 0


def test_polls_from_hidden_pages_do_not_count_as_presence(duel: Duel, cast: Cast):
    ada = Reader(duel, cast.ada)
    cache.delete(poll_cache._key("here", duel.pk, "w0"))
    assert ada.queries("away") == 0
    assert Reader(duel, cast.bram).client.get(ada.address).json()["here"] == []


def test_complete_poll_reports_the_number_of_waiting_duels(
    duel: Duel, cast: Cast, committed: Committed
):
    ada = Reader(duel, cast.ada)
    with committed():
        begin(cast.ada, cast.cleo)
    assert ada.ask().status_code == 304
    answer = ada.ask("complete")
    assert (answer.status_code, answer.json()["waiting"]) == (200, 2)
    assert ada.ask("complete").status_code == 304


# Visibility


def test_stranger_with_a_forged_etag_gets_404_for_a_private_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    known = Reader(duel, cast.ada).etag
    forged = [
        "*",
        '""',
        f'{known[:-5]}0000"',
        known.replace("w0", "w1"),
        known.replace("w0", f"-{'0' * 16}"),
        f'"w0.1.{"0" * 32}"',
        f'{known}, "x"',
    ]
    for viewer in (cast.cleo, None):
        stranger = Reader(duel, viewer)
        for etag in forged:
            stranger.etag = etag
            assert stranger.ask().status_code == 404


def test_etag_of_one_duel_does_not_match_another_duel(cast: Cast):
    one, other = (begin(cast.ada, cast.bram, visibility="private") for _ in range(2))
    reader = Reader(one, cast.ada)
    Reader(other, cast.ada)
    reader.address = f"/duels/{other.pk}/poll"
    assert reader.ask().status_code == 200


def test_poll_of_a_signed_out_reader_gets_304_but_a_complete_poll_gets_404(duel: Duel, cast: Cast):
    private = begin(cast.ada, cast.bram, visibility="private")
    reader = Reader(private, cast.ada)
    reader.client.logout()
    assert reader.ask().status_code == 304
    assert reader.ask("complete").status_code == 404


def test_cost_of_an_opponents_poll_does_not_depend_on_drafts(
    duel: Duel, cast: Cast, committed: Committed
):
    """Promise 1: not even the response time may depend on drafts."""
    reader = Reader(duel, cast.ada)
    turn = open_turn(duel)
    with committed():
        sealing.save_draft(turn_id=turn.pk, wizard=cast.bram, fields=IDLE, now=NOW)
        sealing.drop_draft(turn_id=turn.pk, wizard=cast.bram)
        read_marks.mark_read(duel_id=duel.pk, wizard=cast.bram, turn=0, speech=0)
    assert reader.queries() == 0


def test_cache_and_database_give_the_same_response_to_a_poll(duel: Duel, cast: Cast):
    reader = Reader(duel, cast.ada)
    from_cache = reader.ask()
    cache.delete(poll_cache._key("poll-digest", duel.pk, "w0"))
    from_database = reader.ask()
    assert from_cache.items() == from_database.items()
    assert from_cache.status_code == from_database.status_code == 304


def test_post_request_to_the_address_of_polls_is_rejected(duel: Duel, cast: Cast):
    reader = Reader(duel, cast.ada)
    answer = reader.client.post(reader.address, headers={"if-none-match": reader.etag})
    assert answer.status_code == 405


# Polls without a cache


@pytest.mark.parametrize("call", ["get_many", "set"])
def test_polls_query_the_database_if_there_is_no_cache(
    duel: Duel, cast: Cast, caplog: pytest.LogCaptureFixture, call: str, committed: Committed
):
    with (
        caplog.at_level(logging.WARNING),
        mock.patch(f"duels.caching.volatile.cache.{call}", side_effect=NoRedis("gone")) as failing,
    ):
        reader = Reader(duel, cast.ada)
        for _ in range(5):
            assert reader.ask().status_code == 304
        with committed():
            seal(duel, cast.bram, IDLE)
        answer = reader.ask()
        assert (answer.status_code, answer.json()["here"]) == (200, [])
    assert failing.call_count == 1, "a failed cache is not retried at once"
    assert "The polling cache does not respond" in caplog.text
    assert pages.duel_page(duel, cast.ada).seats[1].sealed_at
