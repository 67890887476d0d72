"""Database constraints, which apply to every writer."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from duels.models import Block, Draft, Duel, Orders, Seat, Turn, User, Wizard
from duels.post.models import Notice
from tests.cast import NOW, Cast

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

COMMITMENT = "ab" * 32


def make_duel(challenger: Wizard, **changes: Any) -> Duel:
    fields = {
        "ruleset": "bartle-1",
        "challenger": challenger,
        "created_at": NOW,
        "expires_at": NOW + timedelta(days=14),
    }
    return Duel.objects.create(**{**fields, **changes})


def make_running(challenger: Wizard) -> Duel:
    return make_duel(challenger, status="running", started_at=NOW)


def make_turn(duel: Duel, **changes: Any) -> Turn:
    fields = {"duel": duel, "ordinal": 1, "number": 1, "position": {}, "opened_at": NOW}
    return Turn.objects.create(**{**fields, **changes})


def make_seat(duel: Duel, wizard: Wizard, **changes: Any) -> Seat:
    fields = {"duel": duel, "wizard": wizard, "invited_at": NOW, "accepted_at": NOW}
    return Seat.objects.create(**{**fields, **changes})


def make_orders(turn: Turn, seat: Seat, **changes: Any) -> Orders:
    fields = {
        "turn": turn,
        "seat": seat,
        "body": "x",
        "commitment": COMMITMENT,
        "sealed_at": NOW,
    }
    return Orders.objects.create(**{**fields, **changes})


def make_notice(duel: Duel, wizard: Wizard, **changes: Any) -> Notice:
    fields = {
        "kind": "over",
        "wizard": wizard,
        "duel": duel,
        "key": "k",
        "created_at": NOW,
        "due_at": NOW,
    }
    return Notice.objects.create(**{**fields, **changes})


def is_rejected(write: Callable[[], object]) -> bool:
    """Return whether the database rejects this write because of a constraint."""
    try:
        with transaction.atomic():
            write()
    except IntegrityError:
        return True
    return False


def test_email_address_is_unique_regardless_of_case(db: None):
    User.objects.create_user("ada@example.org")
    assert is_rejected(lambda: User.objects.create_user("ADA@example.org"))


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "cancelled"},
        {"pace": "brisk"},
        {"visibility": "some"},
        {"ended": "somehow"},
        {"size": 1},
        {"size": 9},
        {"ruleset": ""},
        {"status": "running"},
        {"started_at": NOW},
        {"status": "over", "started_at": NOW},
        {"status": "over", "started_at": NOW, "ended_at": NOW, "ended": "rules"},
        {"status": "lapsed", "ended_at": NOW},
        {"status": "lapsed", "ended": "declined"},
    ],
)
def test_database_rejects_rows_of_impossible_duels(cast: Cast, changes: dict[str, Any]):
    assert is_rejected(lambda: make_duel(cast.ada, **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"status": "lapsed", "ended_at": NOW, "ended": "declined"},
        {"status": "running", "started_at": NOW},
        {"status": "over", "started_at": NOW, "ended_at": NOW, "ended": "rules", "result": "w1"},
        {"status": "annulled", "started_at": NOW, "ended_at": NOW, "ended": "annulled"},
    ],
)
def test_database_accepts_rows_of_possible_duels(cast: Cast, changes: dict[str, Any]):
    assert not is_rejected(lambda: make_duel(cast.ada, **changes))


def test_wizard_has_one_seat_per_duel_and_a_place_has_one_wizard(cast: Cast):
    duel = make_running(cast.ada)
    make_seat(duel, cast.ada, place=0)
    assert is_rejected(lambda: make_seat(duel, cast.ada, place=1))
    assert is_rejected(lambda: make_seat(duel, cast.bram, place=0))
    assert is_rejected(lambda: make_seat(duel, cast.bram, place=8))
    assert is_rejected(lambda: make_seat(duel, cast.bram, place=1, accepted_at=None))
    assert is_rejected(lambda: make_seat(duel, cast.bram, outcome="happy"))
    assert is_rejected(lambda: make_seat(duel, cast.bram, awaited=True))
    assert not is_rejected(
        lambda: make_seat(duel, cast.bram, place=1, awaited=True, awaited_since=NOW)
    )


def test_turns_of_a_duel_have_distinct_ordinals_and_only_one_is_open(cast: Cast):
    duel = make_running(cast.ada)
    closed = {"stage": "resolved", "closed_at": NOW, "events": [], "chain": "c"}
    make_turn(duel, **closed)
    assert is_rejected(lambda: make_turn(duel, **closed))
    make_turn(duel, ordinal=2)
    assert is_rejected(lambda: make_turn(duel, ordinal=3))
    assert is_rejected(lambda: make_turn(duel, ordinal=3, stage="asleep", closed_at=NOW))
    assert is_rejected(lambda: make_turn(duel, ordinal=3, stage="void"))
    assert is_rejected(lambda: make_turn(duel, ordinal=3, **{**closed, "chain": ""}))
    assert is_rejected(lambda: make_turn(duel, ordinal=0, **closed))
    assert is_rejected(lambda: make_turn(duel, ordinal=3, **closed, kind="long"))
    assert not is_rejected(lambda: make_turn(duel, ordinal=3, **closed))


def test_database_allows_only_one_valid_seal_per_stage_and_round(cast: Cast):
    duel = make_running(cast.ada)
    seat, turn = make_seat(duel, cast.ada, place=0), make_turn(duel)
    make_orders(turn, seat)
    assert is_rejected(lambda: make_orders(turn, seat))
    assert not is_rejected(lambda: make_orders(turn, seat, superseded=True))
    assert not is_rejected(lambda: make_orders(turn, seat, stage="answers", batch=1))
    assert is_rejected(lambda: make_orders(turn, seat, stage="answers", batch=1))
    assert is_rejected(lambda: make_orders(turn, seat, stage="orders", batch=1))
    assert is_rejected(lambda: make_orders(turn, seat, stage="answers", batch=0))
    assert is_rejected(lambda: make_orders(turn, seat, stage="resolved", batch=2))
    assert is_rejected(lambda: make_orders(turn, seat, superseded=True, commitment="none"))
    assert is_rejected(lambda: make_orders(turn, seat, superseded=True, source="bot"))


def test_database_allows_only_one_draft_per_seat_and_turn(cast: Cast):
    duel = make_running(cast.ada)
    fields = {"seat": make_seat(duel, cast.ada, place=0), "turn": make_turn(duel)}
    Draft.objects.create(**fields, body="x", saved_at=NOW)
    assert is_rejected(lambda: Draft.objects.create(**fields, body="y", saved_at=NOW))


def test_database_rejects_a_second_notice_with_the_same_key(cast: Cast):
    duel = make_duel(cast.ada)
    make_notice(duel, cast.ada)
    assert is_rejected(lambda: make_notice(duel, cast.bram))
    assert is_rejected(lambda: make_notice(duel, cast.ada, key="l", status="lost"))
    assert is_rejected(lambda: make_notice(duel, cast.ada, key="l", status="sent"))
    assert not is_rejected(lambda: make_notice(duel, cast.ada, key="l"))


def test_database_rejects_duplicate_blocks_and_blocks_of_yourself(cast: Cast):
    Block.objects.create(wizard=cast.ada, blocked=cast.bram, created_at=NOW)
    for blocked in (cast.bram, cast.ada):
        again = partial(Block.objects.create, wizard=cast.ada, blocked=blocked, created_at=NOW)
        assert is_rejected(again)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "ADA", "slug": "x", "skeleton": "x"},
        {"name": "x", "slug": "ada", "skeleton": "x"},
        {"name": "x", "slug": "x", "skeleton": "ada"},
        {"name": "", "slug": "x", "skeleton": "x"},
        {"name": "x", "slug": "x", "skeleton": "x", "pronouns": "we"},
    ],
)
def test_database_rejects_taken_names_and_unknown_pronouns(cast: Cast, changes: dict[str, str]):
    assert is_rejected(lambda: Wizard.objects.create(created_at=NOW, **changes))


def test_wizard_with_a_closed_account_has_no_user(cast: Cast):
    mine = Wizard.objects.filter(pk=cast.ada.pk)
    assert is_rejected(lambda: mine.update(closed_at=NOW))
    assert not is_rejected(lambda: mine.update(closed_at=NOW, user=None))


def test_str_and_repr_of_rows_do_not_contain_sealed_orders(cast: Cast):
    duel = make_running(cast.ada)
    seat, turn = make_seat(duel, cast.ada, place=0), make_turn(duel)
    orders = make_orders(turn, seat, body="secret")
    assert "secret" not in f"{duel} {seat} {turn} {orders} {orders!r}"
