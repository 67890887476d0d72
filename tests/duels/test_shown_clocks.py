"""Deadlines on the duel page and in its polls, which must not reveal secrets."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest

from duels.clocks import clock
from duels.commands import deadlines, profiles, sealing
from duels.commands.awaiting import store_clock
from duels.models import Duel, Seat, Wizard
from duels.queries import pages, presence
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal, signed_in
from tests.duels.test_secrecy import duel_in_extra_turn
from tests.duels.visitors import Committed

pytestmark = pytest.mark.django_db

THREE_DAYS = str(clock.THREE_DAYS)
TIMING = clock.Timing(clock.THREE_DAYS)
DEADLINE = NOW + timedelta(days=3)
THREE_HOURS_LATER = NOW + timedelta(hours=3)


@pytest.fixture(autouse=True)
def three_hours_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: THREE_HOURS_LATER)


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram, pace=THREE_DAYS)


def page_of(duel: Duel, viewer: Wizard | None) -> str:
    return signed_in(viewer).get(f"/duels/{duel.pk}/").content.decode()


def visible_text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html.replace("\N{NO-BREAK SPACE}", " ")).split())


def element_text(html: str, id: str) -> str:
    """Return the text of the element with this id, as a reader sees it."""
    found = re.search(rf'<(\w+)[^>]* id="{id}"[^>]*>(.*?)</\1>', html, re.DOTALL)
    assert found is not None
    return visible_text(found[2])


def clocks_in_poll(duel: Duel, viewer: Wizard | None) -> dict[str, Any]:
    found = presence.presence_state(duel.pk, viewer)
    assert found is not None
    page = pages.duel_page(duel, viewer)
    assert presence.page_state(page, found.page.last_speech) == found.page
    return {
        seat.code: (seat.clock.due_at, seat.clock.left) if seat.clock else (None, None)
        for seat in found.page.seats
    }


def stop_clock(duel: Duel, wizard: Wizard, now: datetime = THREE_HOURS_LATER) -> None:
    """Stop the wizard's clock."""
    seat = Seat.objects.get(duel=duel, wizard=wizard)
    store_clock(seat, clock.stopped_clock(seat.clock, now))


def test_duel_page_shows_who_must_act_and_by_when(duel: Duel, cast: Cast):
    seal(duel, cast.bram, hands("W", "P"), now=LATER)
    for viewer in (cast.ada, cast.bram, cast.cleo, None):
        told = element_text(page_of(duel, viewer), "live-seals")
        ada = "You have" if viewer == cast.ada else "Ada has"
        bram = "You have" if viewer == cast.bram else "Bram has"
        assert told.startswith(
            f"{ada} not sealed yet 2 days, 21 hours left (due 4 March, 12:00 UTC )"
        )
        assert f"{bram} sealed, 1 March, 13:00 UTC" in told


def test_order_sheet_shows_the_readers_own_deadline(duel: Duel, cast: Cast):
    assert element_text(page_of(duel, cast.ada), "live-due") == (
        "Deadline: 2 days, 21 hours left (due 4 March, 12:00 UTC )"
    )
    seal(duel, cast.ada, hands("W", "P"))
    assert element_text(page_of(duel, cast.ada), "live-due") == ""
    assert 'id="live-due"' not in page_of(duel, cast.cleo)


def test_page_with_questions_shows_the_deadline_for_answers(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace=THREE_DAYS)
    for letter in "WDW":  # both wizards paralyse each other and are asked which hand
        play(duel, {cast.ada: hands("F", letter), cast.bram: hands("F", letter)})
    assert open_turn(duel).stage == "answers"
    told = "15 hours left (due 2 March, 06:00 UTC )"
    assert told in element_text(page_of(duel, cast.ada), "live-due")
    assert f"Bram has a question to answer {told}" in element_text(
        page_of(duel, None), "live-seals"
    )


def test_deadlines_use_the_readers_time_zone(duel: Duel, cast: Cast):
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    html = page_of(duel, cast.ada)
    assert "(due 4 March, 17:45 UTC+05:45 )" in element_text(html, "live-due")
    assert 'data-due="2026-03-04T12:00:00.000+00:00" data-since="2026-03-01T12:00:00.000' in html


def test_page_shows_the_time_left_on_a_stopped_clock_without_a_countdown(duel: Duel, cast: Cast):
    for wizard in (cast.ada, cast.bram):
        stop_clock(duel, wizard)
    html = page_of(duel, cast.ada)
    assert element_text(html, "live-due") == "2 days, 21 hours left, and the clock is stopped"
    assert "Bram has not sealed yet 2 days, 21 hours left, and the clock" in element_text(
        html, "live-seals"
    )
    assert "data-due=" not in html


def test_passed_deadline_is_shown_until_it_is_handled(
    duel: Duel, cast: Cast, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("django.utils.timezone.now", lambda: DEADLINE + timedelta(seconds=20))
    assert "the time is up (due 4 March, 12:00 UTC )" in element_text(
        page_of(duel, cast.ada), "live-due"
    )


def test_unhurried_duel_shows_no_deadline(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    html = page_of(duel, cast.ada)
    assert element_text(html, "live-due") == ""
    assert "Bram has not sealed yet" in element_text(html, "live-seals")
    assert "left" not in element_text(html, "live-seals")


# Polls


def test_polls_report_changed_clocks(duel: Duel, cast: Cast):
    for viewer in (cast.ada, cast.cleo, None):
        assert clocks_in_poll(duel, viewer) == {"w0": (DEADLINE, None), "w1": (DEADLINE, None)}
    seal(duel, cast.bram, hands("W", "P"))
    assert clocks_in_poll(duel, cast.ada) == {"w0": (DEADLINE, None), "w1": (None, None)}
    seat = Seat.objects.get(duel=duel, wizard=cast.ada)
    more = clock.extended_clock(seat.clock, TIMING, timedelta(days=1), THREE_HOURS_LATER)
    store_clock(seat, more)
    assert clocks_in_poll(duel, None)["w0"] == (DEADLINE + timedelta(days=1), None)
    stop_clock(duel, cast.ada)
    assert clocks_in_poll(duel, None)["w0"] == (None, timedelta(days=3, hours=21))
    told = signed_in(None).get(f"/duels/{duel.pk}/poll").json()["seats"][0]
    assert (told["due_at"], told["clock_left"]) == (None, (3 * 24 + 21) * 3600)


def test_cached_poll_reports_an_extension(cast: Cast, committed: Committed):
    duel = begin(cast.ada, cast.bram, pace=THREE_DAYS, excuses=1)
    client = signed_in(cast.bram)
    address = f"/duels/{duel.pk}/poll"
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304
    with committed():
        deadlines.process_deadlines(duel_id=duel.pk, now=DEADLINE)
    answer = client.get(address, headers={"if-none-match": etag})
    assert answer.status_code == 200
    assert answer.json()["seats"][0]["due_at"] == (DEADLINE + timedelta(hours=36)).isoformat()


def waiting_poll(wizard: Wizard) -> dict[str, Any]:
    found: dict[str, Any] = signed_in(wizard).get("/waiting").json()
    return found


def test_poll_for_waiting_duels_reports_changes_of_all_clocks(duel: Duel, cast: Cast):
    told = [waiting_poll(cast.ada)]
    others = waiting_poll(cast.dorn)
    seal(duel, cast.ada, hands("W", "P"))
    told.append(waiting_poll(cast.ada))
    deadlines.process_deadlines(
        duel_id=duel.pk, now=THREE_HOURS_LATER
    )  # no deadline has passed yet
    assert waiting_poll(cast.ada) == told[-1]
    stop_clock(duel, cast.bram)
    told.append(waiting_poll(cast.ada))
    seat = Seat.objects.get(duel=duel, wizard=cast.bram)
    store_clock(
        seat, clock.resumed_clock(seat.clock, TIMING, THREE_HOURS_LATER + timedelta(days=1))
    )
    told.append(waiting_poll(cast.ada))
    assert [state["waiting"] for state in told] == [1, 0, 0, 0]
    assert len({state["clocks"] for state in told}) == 4
    assert waiting_poll(cast.dorn) == others


# Secrets


def with_clocks(duel: Duel) -> Duel:
    """Set the duel's pace and the clocks of the wizards who must act."""
    duel.pace = THREE_DAYS
    duel.save(update_fields=["pace"])
    Seat.objects.filter(duel=duel, awaited=True).update(due_at=DEADLINE, remind_at=DEADLINE)
    return duel


def pages_with_clocks(viewer: Wizard | None, duel: Duel) -> list[str]:
    """Return all pages with clocks that a reader can fetch, with the number of readers removed."""
    client = signed_in(viewer)
    addresses = [f"/duels/{duel.pk}/", f"/duels/{duel.pk}/poll?away", "/waiting", "/"]
    lists = ["/duels/?show=running", "/duels/?show=watch"]
    answers = [client.get(address) for address in (*addresses, *lists)]
    tokens = r'value="\w{64}"|name="form_key" value="[^"]+"'
    readers = r"[\w ]+ here right now"
    return [re.sub(f"{tokens}|{readers}", "", answer.content.decode()) for answer in answers]


def test_clocks_do_not_reveal_questions_in_extra_turns(cast: Cast):
    """rules: R121, R162.

    The time for answers is shorter than that for orders, which opponents must not notice.
    """
    duel = with_clocks(duel_in_extra_turn(cast))
    rivals = (cast.bram, cast.cleo, cast.dorn, None)
    before = [pages_with_clocks(rival, duel) for rival in rivals]
    turn = play(duel, {cast.ada: hands("-", "F", right_subject="w1")}, now=THREE_HOURS_LATER)
    assert turn.stage == "answers"
    seat = Seat.objects.get(duel=duel, wizard=cast.ada)
    assert seat.due_at == THREE_HOURS_LATER + timedelta(hours=18)
    assert [pages_with_clocks(rival, duel) for rival in rivals] == before
    assert "18 hours left" in element_text(page_of(duel, cast.ada), "live-due")
    assert waiting_poll(cast.ada)["clocks"] != waiting_poll(cast.bram)["clocks"]


def test_clocks_do_not_depend_on_drafts(duel: Duel, cast: Cast):
    """Promise 1."""
    before = [pages_with_clocks(viewer, duel) for viewer in (cast.bram, cast.cleo, None)]
    sealing.save_draft(
        turn_id=open_turn(duel).pk, wizard=cast.ada, fields=hands("W", "P"), now=THREE_HOURS_LATER
    )
    assert [pages_with_clocks(viewer, duel) for viewer in (cast.bram, cast.cleo, None)] == before
