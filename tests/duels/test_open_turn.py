"""The open turn and its awaited wizards, loaded by one query into one value and decoded once."""

from dataclasses import replace
from unittest import mock

import pytest
from django.db import connection
from django.db.models import BigIntegerField
from django.test.utils import CaptureQueriesContext

import engine.play
from duels.commands import sealing
from duels.commands.awaiting import await_wizards
from duels.loaded.loading import load_duel, load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, Orders, Seat, Stage, TurnKind
from duels.sealing import seals
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, open_turn, play, seal, seat

pytestmark = pytest.mark.sqlite


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, cast.cleo)


def load_current_turn(duel: Duel) -> OpenTurn:
    turn = load_turn(open_turn(duel).pk)
    assert turn
    return turn


def test_open_turn_with_all_fields_is_loaded_by_one_query(duel: Duel, cast: Cast):
    play(duel, {each: hands("W", "P") for each in (cast.ada, cast.bram, cast.cleo)})
    seal(duel, cast.ada, hands("F", "F"))
    turn_id = open_turn(duel).pk
    kept = sealing.save_draft(turn_id=turn_id, wizard=cast.bram, fields=hands("S", "D"), now=NOW)
    with CaptureQueriesContext(connection) as sent:
        found = load_duel(duel.pk, with_draft_of=cast.bram)
        assert found
        turn = found.newest
        assert turn
        assert [each.wizard for each in turn.seats] == [cast.ada, cast.bram, cast.cleo]
        (sealed,) = turn.seals
        assert (sealed.seat.wizard, turn.duel, sealed.turn) == (cast.ada, duel, turn.row)
    assert len(sent) == 1
    for row in (turn.row, turn.duel, *turn.seats, sealed, turn.draft, turn.seats[0].wizard):
        assert row
        same = type(row).objects.get(pk=row.pk)
        names = [field.attname for field in row._meta.concrete_fields]
        assert [getattr(row, name) for name in names] == [getattr(same, name) for name in names]
    assert turn.draft == kept
    assert load_current_turn(duel).chain_before == duel.turns.get(ordinal=1).chain != ""


def test_open_turn_for_a_page_loads_only_the_readers_own_draft(duel: Duel, cast: Cast):
    turn_id = open_turn(duel).pk
    sealing.save_draft(turn_id=turn_id, wizard=cast.bram, fields=hands("S", "D"), now=NOW)
    for reader in (cast.ada, cast.dorn, None):
        found = load_duel(duel.pk, with_draft_of=reader)
        assert found
        assert found.newest
        assert found.newest.draft is None


def test_challenge_has_seats_but_no_open_turn(cast: Cast):
    found = load_duel(challenge(cast.ada, cast.bram).pk)
    assert found
    assert (found.newest, {seat.wizard for seat in found.seats}) == (None, {cast.ada, cast.bram})
    assert load_turn(404) is None
    for number in (404, BigIntegerField.MAX_BIGINT + 1):
        assert load_duel(number) is None


def test_seal_is_decrypted_once_and_a_replaced_seal_never(duel: Duel, cast: Cast):
    first = seal(duel, cast.ada, hands("W", "P"))
    seal(duel, cast.ada, hands("F", "F"), form_seal=first.commitment)
    turn = load_current_turn(duel)
    with mock.patch.object(seals, "decrypt_seal", wraps=seals.decrypt_seal) as opened:
        for _ in range(3):
            assert turn.orders["w0"].sets[0].left == "F"
            assert turn.open_questions() == ()
    assert opened.call_count == 1
    assert set(turn.orders) == {"w0"}
    assert turn.unsealed_wizards == ("w1", "w2")


def test_open_turn_for_a_page_does_not_contain_opponents_seals(duel: Duel, cast: Cast):
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("W", "P"))
    turn = load_current_turn(duel)
    assert turn.orders  # opened already
    for reader in (cast.ada, cast.bram, cast.cleo, None):
        own = turn.with_own_seals_only(turn.seat_of(reader))
        assert {each.seat.wizard for each in own.seals} <= {reader}
        assert own._opened == {}


def test_questions_in_an_extra_turn_are_hidden_from_other_wizards(duel: Duel):
    """rules: R121, R162"""
    turn = load_current_turn(duel)
    ada, bram, cleo = turn.seats
    turn.row.stage, turn.row.batch = Stage.ANSWERS, 1
    turn.row.questions = [{"wizard": ada.code}]
    for kind in TurnKind.NORMAL, TurnKind.HASTE:
        turn.row.kind = kind
        assert turn.as_known_to(cleo) is turn.as_known_to(None) is turn
    turn.row.kind = TurnKind.EXTRA
    answered = replace(turn, answered=frozenset({bram.code}))
    assert turn.as_known_to(ada) is turn
    assert answered.as_known_to(bram) is answered
    for known in (turn.as_known_to(bram), answered.as_known_to(cleo), turn.as_known_to(None)):
        assert (known.row.stage, known.row.batch, known.row.questions) == (Stage.ORDERS, 0, [])
    assert turn.row.stage == Stage.ANSWERS


def awaited_values(duel: Duel) -> list[tuple[bool, object]]:
    return [(each.awaited, each.awaited_since) for each in Seat.objects.filter(duel=duel)]


def test_start_of_a_wait_does_not_change_while_a_wizard_is_awaited(duel: Duel):
    turn = load_current_turn(duel)
    await_wizards(turn.row, turn.seats, {"w1"}, LATER)
    assert awaited_values(duel) == [(False, None), (True, NOW), (False, None)]
    await_wizards(turn.row, turn.seats, {"w1", "w2"}, LATER)
    assert awaited_values(duel) == [(False, None), (True, NOW), (True, LATER)]
    await_wizards(turn.row, turn.seats, (), LATER)
    assert awaited_values(duel) == [(False, None)] * 3
    assert [each.awaited for each in turn.seats] == [False] * 3


def test_nothing_is_written_if_the_awaited_wizards_are_unchanged(duel: Duel):
    turn = load_current_turn(duel)
    with CaptureQueriesContext(connection) as sent:
        await_wizards(turn.row, turn.seats, turn.awaited, LATER)
    assert len(sent) == 0


def test_sealing_marks_earlier_turns_as_read(duel: Duel, cast: Cast):
    for _ in range(2):
        play(duel, {each: hands("-", "-") for each in (cast.ada, cast.bram, cast.cleo)})
    sealed = seal(duel, cast.ada, hands("W", "P"))
    assert (seat(duel, cast.ada).read_turn, seat(duel, cast.bram).read_turn) == (2, 1)
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=LATER)
    assert awaited_values(duel)[0] == (True, LATER)
    assert Orders.objects.get(pk=sealed.pk).taken_back_at == LATER
    assert engine.play.deciding_wizards(load_current_turn(duel).position) == ("w0", "w1", "w2")
