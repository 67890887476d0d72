"""Referees' acts on clocks: pausing, resuming and extending."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from duels.clocks.budget import Budget
from duels.commands import deadlines, halting, resolution, sweeping, time_keeping, vacations
from duels.errors import Refused
from duels.models import Act, ActKind, Duel, Turn, User
from duels.referees.acts import carrying_out, registry
from duels.referees.log import act_log
from tests.cast import LATER, NOW, Cast, begin, hands, make_user, open_turn, seal, seat
from tests.duels.referees.acts.refereeing import (
    REASON,
    changed_columns,
    make_referee,
    perform_act,
    rows_of,
)

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, pace="86400")


def test_paused_duel_is_not_played_until_resumed(duel: Duel, cast: Cast):
    by, neighbour = make_referee(), begin(cast.ada, cast.cleo, pace="86400")
    neighbours, before = rows_of(neighbour), rows_of(duel)
    act = perform_act(ActKind.PAUSE, by, duel)
    assert (act.kind, act.referee, act.facts) == ("pause", by.user_id, {})
    moved = changed_columns(before, rows_of(duel))
    moved.pop("Notice", None)
    assert moved == {
        "Duel": {"stopped_at", "last_act"},
        "Seat": {"due_at", "remind_at", "clock_left"},
        "Act": {"rows"},
    }
    assert rows_of(neighbour) == neighbours
    assert {seat(duel, each).clock_left for each in (cast.ada, cast.bram)} == {DAY - HOUR}
    with pytest.raises(Refused, match="already paused this duel"):
        perform_act(ActKind.PAUSE, by, duel)

    turn = open_turn(duel)
    seal(duel, cast.ada, hands("W", "P"), now=LATER)
    seal(duel, cast.bram, hands("P", "W"), now=LATER)
    assert not resolution.resolve_turn(turn_id=turn.pk, now=LATER + 9 * DAY)
    sweeping.sweep(now=LATER + 9 * DAY, budget=Budget(50))
    turn.refresh_from_db()
    assert turn.is_open
    for refused in (deadlines.claim_duel, partial(time_keeping.request_pause, is_paused=None)):
        with pytest.raises(Refused):
            refused(duel_id=duel.pk, wizard=cast.ada, now=LATER)

    perform_act(ActKind.GO_ON, by, duel, now=LATER + 9 * DAY)
    assert resolution.resolve_turn(turn_id=turn.pk, now=LATER + 9 * DAY)
    with pytest.raises(Refused, match="No referee has paused"):
        perform_act(ActKind.GO_ON, by, duel)


def test_resumed_clock_has_at_least_a_fifth_of_the_time_for_a_turn(duel: Duel, cast: Cast):
    by = make_referee()
    perform_act(ActKind.PAUSE, by, duel, now=NOW + DAY - HOUR)
    perform_act(ActKind.GO_ON, by, duel, now=NOW + 3 * DAY)
    assert seat(duel, cast.ada).due_at == NOW + 3 * DAY + DAY / 5


def test_duel_paused_by_both_a_referee_and_a_dispute_resumes_after_both_end(duel: Duel, cast: Cast):
    by = make_referee()
    assert halting.halt_for_dispute(duel.pk, NOW)
    assert not halting.halt_for_dispute(duel.pk, LATER)
    perform_act(ActKind.PAUSE, by, duel)
    assert halting.resume_after_dispute(duel.pk, LATER)
    assert not halting.resume_after_dispute(duel.pk, LATER)
    assert seat(duel, cast.ada).clock_left == DAY
    assert halting.halt_for_dispute(duel.pk, LATER)
    perform_act(ActKind.GO_ON, by, duel)
    assert seat(duel, cast.ada).clock_left == DAY
    assert halting.resume_after_dispute(duel.pk, LATER)
    assert seat(duel, cast.ada).due_at == LATER + DAY
    assert Act.objects.count() == 2


def test_duels_paused_by_a_dispute_do_not_count_as_having_inconsistent_clocks(
    duel: Duel, cast: Cast
):
    halting.halt_for_dispute(duel.pk, NOW)
    vacations.correct_vacation_clocks(now=LATER, budget=Budget(50))
    assert seat(duel, cast.ada).clock_left == DAY


def test_referee_can_extend_the_time_of_one_or_all_wizards(duel: Duel, cast: Cast):
    by = make_referee()
    act = perform_act(ActKind.EXTEND, by, duel, time="36 hours", seat="w1")
    assert (act.seat, act.turn, act.facts) == ("w1", 1, {"seconds": 36 * 3600})
    assert seat(duel, cast.ada).due_at == NOW + DAY
    assert seat(duel, cast.bram).due_at == NOW + DAY + 36 * HOUR
    perform_act(ActKind.EXTEND, by, duel, time="60")
    assert seat(duel, cast.ada).due_at == NOW + DAY + HOUR
    perform_act(ActKind.RESTART_CLOCK, by, duel)
    assert {seat(duel, each).due_at for each in (cast.ada, cast.bram)} == {LATER + DAY}


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({}, "missing", "time"),
        ({"time": "soon"}, "unreadable_time", "time"),
        ({"time": "0"}, "wrong_time", "time"),
        ({"time": "31 days"}, "wrong_time", "time"),
        ({"time": "1 day", "seat": "w7"}, "unknown_seat", "seat"),
        ({"time": "1 day", "seat": "\0"}, "unreadable", "seat"),
    ],
)
def test_act_with_an_invalid_field_is_rejected_with_the_name_of_the_field(
    duel: Duel, fields: dict[str, str], code: str, field: str
):
    with pytest.raises(Refused) as refused:
        perform_act(ActKind.EXTEND, make_referee(), duel, **fields)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_acts_on_your_own_duels_or_from_an_outdated_plan_are_rejected(duel: Duel, cast: Cast):
    assert cast.ada.user is not None
    with pytest.raises(Refused, match="your own duel"):
        perform_act(ActKind.PAUSE, make_referee(cast.ada.user.email), duel)
    by = make_referee()
    plan = carrying_out.plan_act(ActKind.PAUSE, duel_id=duel.pk, by=by, now=NOW)
    assert [change.after for change in plan.changes] == ["is paused until a referee resumes it"]
    with pytest.raises(Refused) as refused:
        carrying_out.carry_out_act(
            ActKind.PAUSE, duel_id=duel.pk, by=by, reason="x", now=NOW, seen_stamp="another stamp"
        )
    assert refused.value.code == "plan_has_changed"
    assert not Act.objects.exists()
    assert Turn.objects.filter(duel=duel, stage="orders").exists()


@pytest.mark.parametrize("kind", registry.SPEC_BY_ACT)
def test_only_referees_can_carry_out_acts(duel: Duel, cast: Cast, kind: ActKind):
    operator = make_user("operator@example.org")
    User.objects.filter(pk=operator.pk).update(is_staff=True, is_superuser=True)
    gone = make_referee("gone@example.org")
    User.objects.filter(pk=gone.user_id).update(is_active=False)
    assert cast.dorn.user is not None
    spec = registry.SPEC_BY_ACT[kind]
    on: dict[str, Any] = (
        {"duel_id": duel.pk} if "duel" in spec.subjects else {"wizard_id": cast.ada.pk}
    )
    before = rows_of(duel)
    for by in (act_log.referee_ref(operator), act_log.referee_ref(cast.dorn.user), gone):
        for do in (carrying_out.plan_act, partial(carrying_out.carry_out_act, reason=REASON)):
            with pytest.raises(Refused) as refused:
                do(kind, by=by, now=LATER, **on)
            assert refused.value.code == "not_a_referee"
    assert rows_of(duel) == before
    assert not Act.objects.exists()
