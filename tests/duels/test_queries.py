"""Tests that pages of long and large duels need no more database queries than others."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import engine.play
from duels import errors
from duels.commands import closing, endings, sealing
from duels.loaded import adjudication
from duels.models import Duel, DuelStatus, Orders, Seat, Stage, Turn, Wizard
from duels.queries import lists, pages
from duels.queries.rows import DuelRow
from duels.sealing import seals
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, open_turn, play, seal
from tests.duels import duel_rows

pytestmark = pytest.mark.sqlite

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


def count_queries(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)


def add_turns(duel: Duel, turns: int) -> None:
    """Add turns without gestures until the duel has this many turns."""
    turn = open_turn(duel)
    position = adjudication.position_after_departures(turn)
    while turn.ordinal < turns:
        position, events = engine.play.resolve(position, {}, {}, engine.play.NoDice())
        turn.events, turn.stage = engine.play.dump(events), Stage.RESOLVED
        turn.chain, turn.closed_at = "0" * 64, NOW
        turn.save()
        turn = Turn.objects.create(
            duel=duel,
            ordinal=turn.ordinal + 1,
            number=position.turn,
            position=engine.play.dump(position),
            opened_at=NOW,
        )


def test_duel_page_for_a_wizard_has_their_view_and_draft(duel: Duel, ada: Wizard, bram: Wizard):
    play(duel, {ada: hands("W", "P"), bram: hands("S", "D")})
    sealed = seal(duel, ada, hands("F", "F"))
    page = pages.duel_page(duel, ada)
    assert (page.observer, page.turn and page.turn.ordinal) == ("w0", 2)
    assert page.me
    assert (page.me.name, page.me.you, page.me.sealed_at) == ("Ada", True, NOW)
    assert page.live_orders
    assert page.live_orders.fields["left"] == "F"
    assert page.form_seal == page.live_orders.seal == sealed.commitment
    assert page.waiting_for == ("Bram",)
    assert page.sheet
    assert page.sheet.wizard == "w0"
    assert page.view
    assert page.view.observer == "w0"
    assert [report.ordinal for report in page.reports] == [1]
    assert page.earlier is None


def test_duel_page_for_a_spectator_has_commitments_but_no_orders(duel: Duel, cast: Cast):
    sealed = seal(duel, cast.ada, hands("F", "F"))
    for viewer in (cast.cleo, None):
        page = pages.duel_page(duel, viewer)
        assert (page.observer, page.me, page.sheet, page.draft) == ("spectator", None, None, {})
        assert page.live_orders is None
        assert page.seats[0].commitment == sealed.commitment
        assert (page.seats[0].sealed_at, page.seats[1].sealed_at) == (NOW, None)


def test_duel_page_shows_everything_to_everyone_after_the_end(duel: Duel, cast: Cast):
    play(duel, {cast.ada: hands("W", "P"), cast.bram: IDLE})
    play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE})
    for viewer in (cast.ada, cast.bram, cast.cleo, None):
        page = pages.duel_page(duel, viewer)
        assert (page.observer, page.sheet, page.waiting_for) == ("all", None, ())
        assert page.view
        assert page.view.outcome == "w1"
        assert [report.ordinal for report in page.reports] == [1, 2]


def test_duel_page_shows_twenty_turns_and_links_to_earlier_ones(duel: Duel, ada: Wizard):
    add_turns(duel, 35)
    page = pages.duel_page(duel, ada)
    assert page.view
    assert [turn.ordinal for turn in page.view.turns] == list(range(16, 35))  # plus the open turn
    assert [report.ordinal for report in page.reports] == list(range(16, 35))
    assert page.earlier == 15


def test_duel_page_shows_changed_names_despite_its_cache(duel: Duel, ada: Wizard, bram: Wizard):
    """The cached data of a turn must not contain names."""
    play(duel, {ada: hands("W", "P"), bram: hands("S", "D")})
    assert "Bram" in str(pages.duel_page(duel, ada).view)
    asked_once = count_queries(lambda: pages.duel_page(duel, ada))
    assert asked_once < count_queries(lambda: pages.duel_page(duel, bram))
    assert bram.user
    closing.close_account(user=bram.user, now=NOW)
    page = pages.duel_page(duel, ada)
    assert page.view
    assert "Bram" not in str(page.view)
    assert "Bram" not in str(page.reports)


def test_past_turn_has_a_page_of_its_own(duel: Duel, cast: Cast):
    for left in "WS":
        play(duel, {cast.ada: hands(left, "F"), cast.bram: IDLE})
    page = pages.turn_page(duel, 1, cast.bram)
    assert page
    assert (page.newest, page.observer) == (2, "w1")
    assert [turn.ordinal for turn in page.view.turns] == [1]
    assert page.report
    assert page.report.ordinal == 1
    assert [(row.name, row.fields is None) for row in page.seals] == [
        ("Ada", True),
        ("Bram", False),
    ]
    second = pages.turn_page(duel, 2, cast.cleo)
    assert second
    assert (second.newest, second.observer) == (2, "spectator")
    assert all(row.fields is None for row in second.seals)


@pytest.mark.parametrize("ordinal", [0, 2, 3, 99])
def test_a_turn_that_has_not_been_played_has_no_page(duel: Duel, cast: Cast, ordinal: int):
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    assert pages.turn_page(duel, ordinal, cast.ada) is None


def test_page_of_a_past_turn_shows_twenty_turns_up_to_it(duel: Duel, ada: Wizard):
    add_turns(duel, 60)
    page = pages.turn_page(duel, 50, ada)
    assert page
    assert [turn.ordinal for turn in page.view.turns] == list(range(31, 51))


def test_past_turns_of_a_finished_duel_can_be_shown_in_full_or_as_seen_then(duel: Duel, cast: Cast):
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    now = pages.turn_page(duel, 1, cast.bram)
    then = pages.turn_page(duel, 1, cast.bram, seen_by="w1")
    assert now
    assert then
    assert (now.observer, now.as_then) == ("all", False)
    assert (then.observer, then.as_then) == ("w1", True)
    assert all(row.fields is not None for row in now.seals)


def test_private_duel_is_visible_only_to_its_wizards(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    for wizard in (cast.ada, cast.bram):
        assert lists.visible_duel(duel.pk, wizard) == duel
    for viewer in (cast.cleo, cast.dorn, None):
        assert lists.visible_duel(duel.pk, viewer) is None
    assert duel_rows.public_duels() == ()
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert lists.visible_duel(duel.pk, cast.cleo) is None
    assert duel_rows.public_duels() == ()
    assert duel_rows.finished_duels(cast.ada) == ()
    assert duel_rows.finished_duels(cast.ada, cast.cleo) == ()
    for viewer in (cast.ada, cast.bram):
        assert [row.duel for row in duel_rows.finished_duels(cast.ada, viewer)] == [duel]


def test_public_duel_is_visible_to_everyone(duel: Duel, cast: Cast):
    for viewer in (cast.cleo, None):
        assert lists.visible_duel(duel.pk, viewer) == duel
    assert [row.duel for row in duel_rows.public_duels()] == [duel]
    assert lists.visible_duel(404, cast.ada) is None


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**63, 10**40])
def test_unknown_duel_ids_are_not_found_by_queries_and_rejected_by_commands(
    duel: Duel, ada: Wizard, number: int
):
    assert lists.visible_duel(number, ada) is None
    assert pages.turn_page(duel, number, ada) is None
    with pytest.raises(errors.Refused):
        endings.resign(duel_id=number, wizard=ada, now=NOW)
    with pytest.raises(errors.Refused):
        sealing.save_draft(turn_id=number, wizard=ada, fields={}, now=NOW)


@pytest.mark.parametrize("text", ["", "\0", "a\0b", "x" * 5000, "\N{SNOWMAN}", "../.."])
def test_unknown_tokens_are_not_found(db: None, text: str):
    assert lists.challenge_by_token(text) is None


def test_own_duels_are_listed_as_waiting_running_or_finished(duel: Duel, cast: Cast):
    seal(duel, cast.ada, IDLE, now=LATER)
    assert duel_rows.duels_awaiting(cast.ada, NOW) == ()
    (row,) = duel_rows.duels_running(cast.ada)
    assert (row.duel, row.turn and row.turn.number) == (duel, 1)
    assert not (row.mine and row.mine.awaited)
    assert row.others == (cast.bram,)
    assert duel_rows.duels_running(cast.bram) == ()
    assert [row.duel for row in duel_rows.duels_awaiting(cast.bram, NOW)] == [duel]
    assert duel_rows.duels_running(cast.dorn) == ()
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert duel_rows.duels_awaiting(cast.bram, NOW) == duel_rows.duels_running(cast.ada) == ()
    (over,) = duel_rows.finished_duels(cast.bram)
    assert over.duel.status == DuelStatus.OVER
    assert over.mine
    assert over.mine.outcome == "resigned"


def test_duels_that_have_waited_longest_are_listed_first(cast: Cast):
    first, second = begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)
    play(first, {cast.ada: IDLE, cast.bram: IDLE}, now=LATER)
    assert [row.duel for row in duel_rows.duels_awaiting(cast.ada, LATER)] == [second, first]


# Cost


def test_duel_page_needs_the_same_number_of_queries_at_turns_20_and_200(duel: Duel, cast: Cast):
    viewers = (cast.ada, cast.cleo, None)
    costs = []
    for ordinal in (20, 200):
        add_turns(duel, ordinal)
        costs.append([count_queries(partial(pages.duel_page, duel, who)) for who in viewers])
    assert costs[0] == costs[1]
    assert max(costs[0]) <= 2  # one for earlier turns, and one for everything else


def test_duel_page_needs_two_more_queries_for_unread_news_and_earlier_turns(
    client: Client, duel: Duel, ada: Wizard, bram: Wizard, django_assert_num_queries: Any
):
    play(duel, {ada: hands("W", "P"), bram: hands("S", "D")})
    sealing.save_draft(turn_id=open_turn(duel).pk, wizard=ada, fields=IDLE, now=NOW)
    assert ada.user
    client.force_login(ada.user)
    page = f"/duels/{duel.pk}/"
    with django_assert_num_queries(6):
        client.get(page)
    with django_assert_num_queries(4):  # the news has been read, and earlier turns are cached
        client.get(page)
    with django_assert_num_queries(3):
        client.post(f"{page}sheet", {"turn": "2", "left": "W", "right": "-"})


def test_page_of_a_past_turn_needs_the_same_number_of_queries_for_any_turn(duel: Duel, ada: Wizard):
    add_turns(duel, 200)
    costs = {count_queries(partial(pages.turn_page, duel, n, ada)) for n in (30, 100, 199)}
    assert len(costs) == 1
    assert costs.pop() <= 6


def test_queries_of_the_duel_page_do_not_depend_on_the_number_of_wizards(cast: Cast):
    two = begin(cast.ada, cast.bram)
    four = begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    for duel in (two, four):
        for row in duel.seats.select_related("wizard"):
            seal(duel, row.wizard, IDLE)
    cost = [count_queries(partial(pages.duel_page, d, cast.ada)) for d in (two, four)]
    assert cost[0] == cost[1]


@pytest.mark.parametrize(
    "rows",
    [
        lambda cast: duel_rows.duels_awaiting(cast.ada, NOW),
        lambda cast: duel_rows.duels_running(cast.bram),
        lambda cast: duel_rows.challenges_for(cast.ada),
        lambda cast: duel_rows.open_challenges(cast.dorn, NOW),
        lambda cast: duel_rows.open_challenges(None, NOW),
        lambda cast: duel_rows.finished_duels(cast.ada, cast.dorn),
        lambda cast: duel_rows.public_duels(),
    ],
)
def test_query_count_of_duel_lists_does_not_depend_on_their_length(
    cast: Cast, rows: Callable[[Cast], tuple[DuelRow, ...]]
):
    def add_duels() -> None:
        challenge(cast.ada)
        challenge(cast.cleo, cast.ada)
        seal(begin(cast.ada, cast.bram), cast.bram, IDLE)
        over = begin(cast.ada, cast.bram)
        endings.resign(duel_id=over.pk, wizard=cast.ada, now=NOW)

    def count_list_queries() -> int:
        return sum(
            len(row.wizards) + len(row.others) + row.free_places + len(str(row.duel.challenger))
            for row in rows(cast)
        )

    add_duels()
    assert count_list_queries() > 0
    few = count_queries(count_list_queries)
    add_duels()
    add_duels()
    assert count_queries(count_list_queries) == few <= 7


def test_query_for_waiting_duels_uses_the_index_of_awaited_seats(duel: Duel, ada: Wizard):
    """Without the index, half of the rows read would belong to finished duels."""
    waiting = Seat.objects.filter(wizard=ada, awaited=True)
    if connection.vendor == "sqlite":
        assert "seat_awaited" in waiting.explain()


def test_duel_page_decrypts_only_the_viewers_orders(
    duel: Duel, ada: Wizard, bram: Wizard, monkeypatch: pytest.MonkeyPatch
):
    seal(duel, ada, hands("W", "P"))
    theirs = seal(duel, bram, hands("S", "S"))
    opened: list[str] = []
    unlocked = seals.decrypt_body

    def decrypt_and_record(body: str) -> str:
        opened.append(body)
        return unlocked(body)

    monkeypatch.setattr(seals, "decrypt_body", decrypt_and_record)
    for viewer in (ada, None):
        pages.duel_page(duel, viewer)
    assert opened == [Orders.objects.get(seat__wizard=ada).body]
    assert theirs.body not in opened
