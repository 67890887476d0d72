"""Races between the start or end of a vacation and other events.

The tests use real threads, on SQLite in a file and on PostgreSQL.
"""

from functools import partial

import pytest

from duels.clocks.clock import DAY
from duels.commands import challenges, resolution, sweeping, vacations
from duels.models import Seat
from duels.post.models import Notice
from tests.cast import NOW, Cast, begin, challenge, seat
from tests.duels.test_races import complete_turn, run_simultaneously

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

ROUNDS = 4
A_DAY = str(24 * 3600)


def test_simultaneous_requests_start_and_end_a_vacation_once(cast: Cast) -> None:
    begin(cast.ada, cast.bram, pace=A_DAY)
    leave = partial(vacations.start_vacation, wizard=cast.bram, until=NOW + 7 * DAY, now=NOW)
    run_simultaneously(*[leave] * 3)
    cast.bram.refresh_from_db()
    assert cast.bram.savings.saved == 13 * DAY
    assert Notice.objects.filter(kind="vacation").count() == 1
    come_back = partial(vacations.end_vacation, wizard=cast.bram, now=NOW + 2 * DAY)
    assert sorted(run_simultaneously(*[come_back] * 3)) == [False, False, True]
    cast.bram.refresh_from_db()
    assert cast.bram.savings.saved == 18 * DAY + DAY / 4


def test_simultaneous_sweeps_end_a_vacation_once(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace=A_DAY)
    vacations.start_vacation(wizard=cast.bram, until=NOW + DAY, now=NOW)
    swept = run_simultaneously(*[partial(sweeping.sweep, now=NOW + DAY)] * 3)
    assert sum(each.vacations_ended for each in swept) == 1
    assert seat(duel, cast.bram).due_at == NOW + 2 * DAY


def test_clock_is_stopped_if_a_turn_opens_just_as_a_vacation_starts(cast: Cast) -> None:
    """In either order, the turn's clock is stopped, or does not start at all."""
    for number in range(ROUNDS):
        turn = complete_turn(cast, pace=A_DAY)
        at = NOW + number * 2 * DAY
        run_simultaneously(
            partial(resolution.resolve_turn, turn_id=turn.pk, now=at),
            partial(vacations.start_vacation, wizard=cast.bram, until=at + DAY, now=at),
        )
        mine = seat(turn.duel, cast.bram)
        assert (mine.awaited, mine.due_at, mine.clock_left) == (True, None, DAY)
        assert seat(turn.duel, cast.ada).due_at == at + DAY
        vacations.end_vacation(wizard=cast.bram, now=at + DAY)


def test_simultaneous_starts_of_vacations_do_not_deadlock(cast: Cast) -> None:
    for _ in range(ROUNDS):
        begin(cast.ada, cast.bram, pace=A_DAY)
        begin(cast.bram, cast.ada, cast.cleo, pace=A_DAY)
    run_simultaneously(
        *[
            partial(vacations.start_vacation, wizard=wizard, until=NOW + DAY, now=NOW)
            for wizard in (cast.ada, cast.bram, cast.cleo)
        ]
    )
    assert not Seat.objects.filter(due_at__isnull=False).exists()
    assert Seat.objects.filter(clock_left=DAY).count() == 5 * ROUNDS


@pytest.mark.parametrize("leaves", [True, False])
def test_sweep_corrects_the_clock_of_a_duel_that_begins_just_as_a_vacation_starts_or_ends(
    cast: Cast, leaves: bool
) -> None:
    for number in range(ROUNDS):
        at = NOW + number * 2 * DAY
        duel = challenge(cast.ada, cast.bram, pace=A_DAY, now=at)
        leave = partial(vacations.start_vacation, wizard=cast.bram, until=at + 2 * DAY, now=at)
        if not leaves:
            leave()
        cast.bram.refresh_from_db()
        changes = leave if leaves else partial(vacations.end_vacation, wizard=cast.bram, now=at)
        accept = partial(challenges.accept, duel_id=duel.pk, wizard=cast.bram, now=at)
        run_simultaneously(accept, changes)
        sweeping.sweep(now=at)
        mine = seat(duel, cast.bram)
        assert (mine.due_at, mine.clock_left) == ((None, DAY) if leaves else (at + DAY, None))
        vacations.end_vacation(wizard=cast.bram, now=at)
