"""Vacations: their effects on clocks, how they end, and notices to opponents.

The current time is a parameter, so the tests never wait.
"""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from duels.clocks.budget import Budget
from duels.commands import (
    challenges,
    closing,
    deadlines,
    endings,
    guests,
    locking,
    profiles,
    resolution,
    sealing,
    sweeping,
    time_keeping,
    vacations,
)
from duels.commands.deadlines import DeadlineCounts
from duels.errors import Refused
from duels.models import Duel, Orders, SealSource, Seat, Turn, Wizard
from duels.post.models import Notice
from tests.cast import NOW, Cast, begin, challenge, deliver, hands, open_turn, seal, seat
from tests.copies import make_copies
from tests.duels import plans
from tests.duels.test_models import is_rejected

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
A_DAY = str(24 * 3600)
HALF_A_DAY = str(12 * 3600)
DAILY_PACE = "daily 21:00 Europe/Dublin"


def hours_after_start(hours: float) -> datetime:
    """Return the time this many hours after the duel began."""
    return NOW + timedelta(hours=hours)


def begin_timed_duel(cast: Cast, *others: Wizard, pace: str = A_DAY, excuses: int = 0) -> Duel:
    return begin(cast.ada, cast.bram, *others, pace=pace, excuses=excuses)


def start_vacation_at(wizard: Wizard, *, days: float = 7, hours: float = 0) -> Wizard:
    """Start a vacation of this many days, this many hours after the duel began."""
    return vacations.start_vacation(
        wizard=wizard,
        until=hours_after_start(hours) + timedelta(days=days),
        now=hours_after_start(hours),
    )


def end_vacation_at(wizard: Wizard, *, hours: float) -> bool:
    return vacations.end_vacation(wizard=wizard, now=hours_after_start(hours))


def process_deadlines_at(duel: Duel, hours: float) -> DeadlineCounts:
    """Handle the deadlines of this duel this many hours after it began."""
    return deadlines.process_deadlines(duel_id=duel.pk, now=hours_after_start(hours))


def saved_vacation(wizard: Wizard, hours: float) -> timedelta:
    wizard.refresh_from_db()
    return wizard.savings.saved_at(hours_after_start(hours))


# Effects


def test_vacation_stops_only_the_wizards_own_clocks(cast: Cast) -> None:
    duel, other = begin_timed_duel(cast), begin(cast.bram, cast.cleo, pace=DAILY_PACE)
    start_vacation_at(cast.bram, hours=6)
    for mine in (seat(duel, cast.bram), seat(other, cast.bram)):
        assert (mine.due_at, mine.remind_at) == (None, None)
        assert mine.awaited
    assert seat(duel, cast.bram).clock_left == timedelta(hours=18)
    assert seat(duel, cast.ada).due_at == hours_after_start(24)
    assert seat(other, cast.cleo).due_at is not None


def test_deadlines_do_not_affect_wizards_on_vacation(cast: Cast) -> None:
    duel = begin_timed_duel(cast, excuses=1)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    start_vacation_at(cast.bram, days=20, hours=2)
    for hours in (20, 24, 48, 400):
        assert process_deadlines_at(duel, hours) == DeadlineCounts()
    assert seat(duel, cast.bram).excuses_left == 1
    assert not Orders.objects.filter(turn__duel=duel, source=SealSource.DEFAULT).exists()


def test_clocks_of_opponents_keep_running_during_a_vacation(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram)
    assert process_deadlines_at(duel, 24) == DeadlineCounts(defaults=1)
    assert seat(duel, cast.bram).awaited


def test_vacation_does_not_affect_quick_duels(cast: Cast) -> None:
    duel = begin_timed_duel(cast, pace=HALF_A_DAY)
    start_vacation_at(cast.bram, hours=1)
    assert seat(duel, cast.bram).due_at == hours_after_start(12)
    assert process_deadlines_at(duel, 12) == DeadlineCounts(defaults=2)
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=hours_after_start(12))
    assert seat(duel, cast.bram).due_at == hours_after_start(24)


def test_turn_that_opens_during_a_vacation_has_a_stopped_clock(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram, hours=1)
    for wizard in (cast.ada, cast.bram):  # a wizard on vacation may still seal
        seal(duel, wizard, hands("P", "D"), now=hours_after_start(2))
    assert resolution.resolve_turn(turn_id=open_turn(duel).pk, now=hours_after_start(2))
    assert seat(duel, cast.ada).due_at == hours_after_start(26)
    assert (seat(duel, cast.bram).due_at, seat(duel, cast.bram).clock_left) == (None, DAY)
    end_vacation_at(cast.bram, hours=50)
    assert seat(duel, cast.bram).due_at == hours_after_start(74)


def test_duel_that_begins_during_a_vacation_has_a_stopped_clock(cast: Cast) -> None:
    start_vacation_at(cast.bram)
    cast.bram.refresh_from_db()
    duel = challenge(cast.ada, cast.bram, pace=A_DAY)
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert seat(duel, cast.bram).clock_left == DAY
    assert seat(duel, cast.ada).due_at == hours_after_start(24)


def test_taking_a_seal_back_on_vacation_keeps_the_clock_stopped(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.bram, hands("P", "D"), now=hours_after_start(1))
    start_vacation_at(cast.bram, hours=4)
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=hours_after_start(6))
    assert seat(duel, cast.bram).awaited
    assert seat(duel, cast.bram).clock_left == timedelta(hours=20)
    assert process_deadlines_at(duel, 23) == DeadlineCounts(reminders=1)  # to Ada


def test_clock_resumes_after_both_pause_and_vacation_end(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram, hours=4)
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=wizard, is_paused=None, now=hours_after_start(5)
        )
    end_vacation_at(cast.bram, hours=30)
    assert seat(duel, cast.bram).due_at is None
    start_vacation_at(cast.ada, hours=31)
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=wizard, is_paused=None, now=hours_after_start(40)
        )
    assert seat(duel, cast.bram).due_at == hours_after_start(60)
    assert (seat(duel, cast.ada).due_at, seat(duel, cast.ada).clock_left) == (None, DAY * 19 / 24)


# Ends


def test_clocks_resume_with_the_remaining_time_after_a_vacation(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram, hours=6)
    assert end_vacation_at(cast.bram, hours=100)
    assert seat(duel, cast.bram).due_at == hours_after_start(118)
    assert process_deadlines_at(duel, 114) == DeadlineCounts(
        reminders=1, defaults=1
    )  # Ada's time had run out


def test_sweep_ends_a_vacation_whose_time_is_over(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    start_vacation_at(cast.bram, days=2, hours=6)
    assert sweeping.sweep(now=hours_after_start(53.9)).vacations_ended == 0
    assert sweeping.sweep(now=hours_after_start(54)).vacations_ended == 1
    assert seat(duel, cast.bram).due_at == hours_after_start(72)
    assert sweeping.sweep(now=hours_after_start(54)) == sweeping.SweepResult(0, 0, 0)
    assert saved_vacation(cast.bram, 54) == 18 * DAY + timedelta(hours=54) / 8


def test_player_loses_no_time_if_the_sweep_after_a_vacation_is_late(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    start_vacation_at(cast.bram, days=2)
    swept = sweeping.sweep(now=hours_after_start(60))
    assert (swept.vacations_ended, swept.deadlines) == (1, DeadlineCounts())
    assert seat(duel, cast.bram).due_at == hours_after_start(84)


def test_clock_is_restored_after_a_vacation_even_if_the_turn_is_sealed(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram, hours=4)
    seal(duel, cast.bram, hands("P", "D"), now=hours_after_start(5))
    end_vacation_at(cast.bram, hours=30)
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=hours_after_start(31))
    assert seat(duel, cast.bram).due_at == hours_after_start(50)


def test_unused_days_are_given_back_if_a_vacation_ends_early(cast: Cast) -> None:
    start_vacation_at(cast.bram, days=14)
    assert saved_vacation(cast.bram, 0) == 6 * DAY
    assert end_vacation_at(cast.bram, hours=4 * 24)
    assert saved_vacation(cast.bram, 4 * 24) == 16 * DAY + DAY / 2
    assert cast.bram.vacation is None


def test_vacation_ends_only_once(cast: Cast) -> None:
    start_vacation_at(cast.bram)
    assert end_vacation_at(cast.bram, hours=30)
    before = saved_vacation(cast.bram, 30)
    assert not end_vacation_at(cast.bram, hours=30)
    assert not end_vacation_at(cast.ada, hours=30)
    assert saved_vacation(cast.bram, 30) == before


def test_vacation_that_cannot_be_ended_does_not_stop_the_sweep(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = begin(cast.bram, cast.dorn, pace=A_DAY)
    good = begin(cast.ada, cast.dorn, pace=A_DAY)
    start_vacation_at(cast.bram, days=1)
    start_vacation_at(cast.ada, days=1)
    usual = locking.open_turn_of

    def fail_or_update(duel: Duel) -> object:
        if duel.pk == broken.pk:
            raise RuntimeError("broken")
        return usual(duel)

    monkeypatch.setattr(vacations, "open_turn_of", fail_or_update)
    assert vacations.end_vacations(now=hours_after_start(24), budget=Budget(60)) == (1, 1)
    assert f"Failed to end vacation of wizard {cast.bram.pk}" in caplog.text
    assert seat(good, cast.ada).due_at == hours_after_start(48)
    cast.bram.refresh_from_db()
    assert cast.bram.vacation is not None


def test_sweep_corrects_a_clock_that_does_not_match_a_vacation(cast: Cast) -> None:
    """A clock can be wrong if a duel begins just when a vacation starts or ends."""
    astray, quick = begin_timed_duel(cast), begin_timed_duel(cast, pace=HALF_A_DAY)
    start_vacation_at(cast.bram, hours=1)
    Seat.objects.filter(duel=astray, wizard=cast.bram).update(
        due_at=hours_after_start(24), clock_left=None
    )
    assert vacations.correct_vacation_clocks(now=hours_after_start(2), budget=Budget(60)) == (1, 0)
    assert seat(astray, cast.bram).clock_left == timedelta(hours=22)
    assert seat(quick, cast.bram).due_at == hours_after_start(12)
    end_vacation_at(cast.bram, hours=40)
    Seat.objects.filter(duel=astray, wizard=cast.bram).update(due_at=None, clock_left=DAY)
    assert sweeping.sweep(now=hours_after_start(41)).failed == 0
    assert seat(astray, cast.bram).due_at == hours_after_start(65)
    assert vacations.correct_vacation_clocks(now=hours_after_start(42), budget=Budget(60)) == (0, 0)


@pytest.mark.sqlite
def test_queries_of_the_sweep_for_vacations_use_indexes(cast: Cast) -> None:
    """The indexes are used regardless of the number of duels.

    PostgreSQL uses an index only if there are many rows.
    """
    plans.empty_table_files()
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram)
    if connection.vendor == "postgresql":
        make_copies(begin_timed_duel(replace(cast, ada=cast.cleo, bram=cast.dorn)), 300)
        make_copies(duel, 15)
    plans.update_statistics()
    plans.avoid("seqscan", "bitmapscan")
    with CaptureQueriesContext(connection) as captured:
        vacations.end_vacations(now=hours_after_start(1), budget=Budget(60))
        vacations.correct_vacation_clocks(now=hours_after_start(1), budget=Budget(60))
    found = [plans.plan_of(query["sql"]) for query in list(captured)]
    seats_of_wizard = r"seat_awaited|Index Cond: \(wizard_id"
    ways = ("wizard_on_vacation", "wizard_on_vacation", "seat_standing", seats_of_wizard)
    for plan, way in zip(found, ways, strict=True):
        assert re.search(way, plan)


def test_sweep_does_not_load_duels_whose_clocks_are_correct(cast: Cast) -> None:
    """Clocks are correct if stopped by pauses or vacations, or running in quick duels."""
    paused, _, _ = (
        begin_timed_duel(cast),
        begin_timed_duel(cast),
        begin_timed_duel(cast, cast.cleo, pace=HALF_A_DAY),
    )
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(duel_id=paused.pk, wizard=wizard, is_paused=None, now=NOW)
    start_vacation_at(cast.bram)
    assert Seat.objects.filter(clock_left__isnull=False).count() == 3
    with CaptureQueriesContext(connection) as captured:
        settled = vacations.correct_vacation_clocks(now=hours_after_start(1), budget=Budget(60))
    assert settled == (0, 0)
    (stopped_clocks,) = [
        query["sql"] for query in captured if '"clock_left" IS NOT NULL' in query["sql"]
    ]
    with connection.cursor() as cursor:
        cursor.execute(stopped_clocks)
        assert cursor.fetchall() == []


def test_closing_an_account_ends_its_vacation(cast: Cast) -> None:
    begin_timed_duel(cast)
    start_vacation_at(cast.bram)
    assert cast.bram.user is not None
    closing.close_account(user=cast.bram.user, now=hours_after_start(1))
    cast.bram.refresh_from_db()
    assert cast.bram.is_closed
    assert cast.bram.vacation is None


# Conditions and length of vacations


@pytest.mark.parametrize(
    ("days", "why"), [(0.9, "too_short"), (-1, "too_short"), (20.1, "not_saved")]
)
def test_vacation_that_is_too_short_or_too_long_is_rejected_without_costing_days(
    cast: Cast, days: float, why: str
) -> None:
    duel = begin_timed_duel(cast)
    with pytest.raises(Refused) as refusal:
        start_vacation_at(cast.bram, days=days)
    assert (refusal.value.code, refusal.value.field) == (why, "until")
    assert saved_vacation(cast.bram, 0) == 20 * DAY
    assert seat(duel, cast.bram).due_at == hours_after_start(24)


def test_second_vacation_is_rejected_unless_it_is_the_same(cast: Cast) -> None:
    start_vacation_at(cast.bram)
    start_vacation_at(cast.bram)
    assert saved_vacation(cast.bram, 0) == 13 * DAY
    with pytest.raises(Refused, match="already"):
        start_vacation_at(cast.bram, days=8)


def test_guests_and_closed_accounts_cannot_take_vacations(cast: Cast) -> None:
    guest = guests.create_guest(key="k", now=NOW)
    assert cast.bram.user is not None
    closing.close_account(user=cast.bram.user, now=NOW)
    for wizard in (guest, cast.bram):
        with pytest.raises(Refused, match="Only players"):
            start_vacation_at(wizard)


def test_database_rejects_impossible_vacations(cast: Cast) -> None:
    guest = guests.create_guest(key="k", now=NOW)
    good: dict[str, Any] = {
        "vacation_saved": DAY,
        "vacation_counted_at": NOW,
        "vacation_began_at": NOW,
        "vacation_ends_at": NOW + DAY,
    }
    rows = Wizard.objects.filter(pk=cast.ada.pk)
    assert not is_rejected(lambda: rows.update(**good))
    for changes in (
        {"vacation_saved": -DAY},
        {"vacation_saved": 31 * DAY},
        {"vacation_saved": None},
        {"vacation_ends_at": NOW},
        {"vacation_ends_at": None},
        {"closed_at": NOW, "user": None},
    ):
        assert is_rejected(partial(rows.update, **good | changes)), changes
    assert is_rejected(lambda: Wizard.objects.filter(pk=guest.pk).update(**good))


# Notices to opponents


def vacation_notices() -> list[tuple[str, int]]:
    found = Notice.objects.filter(kind="vacation").order_by("pk")
    return list(found.values_list("wizard__name", "duel"))


def test_opponents_are_notified_of_a_vacation_once_per_affected_duel(cast: Cast) -> None:
    three = begin_timed_duel(cast, cast.cleo)
    two = begin(cast.ada, cast.bram, pace=DAILY_PACE)
    begin_timed_duel(cast, pace=HALF_A_DAY)
    begin_timed_duel(cast, pace="none")
    begin(cast.ada, cast.cleo, pace=A_DAY)
    for _ in range(2):
        start_vacation_at(cast.bram, hours=1)
    assert vacation_notices() == [("Ada", three.pk), ("Cleo", three.pk), ("Ada", two.pk)]
    end_vacation_at(cast.bram, hours=30)
    assert len(vacation_notices()) == 3
    start_vacation_at(cast.bram, hours=60)
    assert len(vacation_notices()) == 6


def test_wizards_who_resigned_neither_send_nor_get_notices_of_vacations(cast: Cast) -> None:
    duel = begin_timed_duel(cast, cast.cleo, cast.dorn)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=hours_after_start(1))
    start_vacation_at(cast.bram, hours=2)
    assert vacation_notices() == []
    start_vacation_at(cast.ada, hours=2)
    assert vacation_notices() == [("Cleo", duel.pk), ("Dorn", duel.pk)]


def test_email_about_a_vacation_uses_the_readers_time_zone(cast: Cast) -> None:
    begin_timed_duel(cast)
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    start_vacation_at(cast.bram, days=7)
    deliver(now=hours_after_start(0))
    (told,) = [each for each in mail.outbox if "vacation" in each.subject]
    assert told.to == ["ada@example.org"]
    assert told.subject == "Bram is on vacation until 8 March 2026"
    html = str(told.alternatives[0][0])  # type: ignore[attr-defined]  # every email has it
    for text in (str(told.body), html):
        assert "Bram is on vacation until 8 March 2026, 17:45 UTC+05:45" in " ".join(text.split())


@pytest.mark.parametrize("ended", ["vacation", "duel"])
def test_outdated_email_about_a_vacation_is_not_sent(cast: Cast, ended: str) -> None:
    duel = begin_timed_duel(cast)
    start_vacation_at(cast.bram, days=7)
    if ended == "vacation":
        end_vacation_at(cast.bram, hours=1)
    else:
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=hours_after_start(1))
    deliver(now=hours_after_start(1))
    assert not [each for each in mail.outbox if "vacation" in each.subject]


def return_notices() -> list[tuple[str, int]]:
    found = Notice.objects.filter(kind="returned").order_by("pk")
    return list(found.values_list("wizard__name", "duel"))


def vacation_emails(hours: float) -> dict[str, str]:
    """Run a round of deliveries. Return the texts of vacation emails by reader and subject."""
    mail.outbox.clear()
    deliver(now=hours_after_start(hours))
    found = [each for each in mail.outbox if "vacation" in each.subject]
    return {f"{each.to[0]}: {each.subject}": " ".join(str(each.body).split()) for each in found}


def test_early_return_is_emailed_to_opponents_notified_of_the_vacation(cast: Cast) -> None:
    duel = begin_timed_duel(cast, cast.cleo)
    quick = begin_timed_duel(cast, pace=HALF_A_DAY)
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    start_vacation_at(cast.bram, days=7)
    assert len(vacation_emails(0)) == 2
    assert end_vacation_at(cast.bram, hours=30)
    assert not end_vacation_at(cast.bram, hours=31)
    assert return_notices() == [("Ada", duel.pk), ("Cleo", duel.pk)]
    assert not Notice.objects.filter(kind="returned", duel=quick).exists()
    told = vacation_emails(30)
    assert sorted(told) == [
        "ada@example.org: Bram is back from vacation",
        "cleo@example.org: Bram is back from vacation",
    ]
    words = told["ada@example.org: Bram is back from vacation"]
    assert "early, on 2 March 2026, 23:45 UTC+05:45." in words
    assert "would have lasted until 8 March 2026, 17:45" in words


def test_opponents_are_not_notified_of_a_return_on_time(cast: Cast) -> None:
    begin_timed_duel(cast)
    start_vacation_at(cast.bram, days=2)
    vacation_emails(0)
    assert sweeping.sweep(now=hours_after_start(48)).vacations_ended == 1
    start_vacation_at(cast.bram, days=2, hours=50)
    end_vacation_at(cast.bram, hours=98)  # ended by hand, at exactly the planned time
    assert return_notices() == []


@pytest.mark.parametrize("why", ["never told", "away again", "over", "out of it"])
def test_outdated_email_about_an_early_return_is_not_sent(cast: Cast, why: str) -> None:
    duel = begin_timed_duel(cast, cast.cleo)
    start_vacation_at(cast.bram, days=7)
    if why != "never told":
        vacation_emails(0)
    if why == "out of it":
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=hours_after_start(1))
    end_vacation_at(cast.bram, hours=30)
    if why == "away again":
        start_vacation_at(cast.bram, days=1, hours=31)
    elif why == "over":
        for wizard in (cast.bram, cast.cleo):
            endings.resign(duel_id=duel.pk, wizard=wizard, now=hours_after_start(31))
    assert not [subject for subject in vacation_emails(31) if "back" in subject]


def test_early_return_is_emailed_to_opponents_who_saw_the_vacation_on_the_site(
    cast: Cast,
) -> None:
    begin_timed_duel(cast)
    start_vacation_at(cast.bram, days=7)
    Notice.objects.filter(kind="vacation").update(status="dropped", dropped_for="read")
    end_vacation_at(cast.bram, hours=30)
    assert list(vacation_emails(30)) == ["ada@example.org: Bram is back from vacation"]


# Claims


def duel_with_absent_opponent(cast: Cast) -> Duel:
    """Return a duel in which Ada has sealed two turns in time and Bram has missed both."""
    duel = begin_timed_duel(cast)
    for turn in (1, 2):
        seal(duel, cast.ada, hands("W", "W"), now=hours_after_start(24 * turn - 1))
        process_deadlines_at(duel, 24 * turn)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=hours_after_start(24 * turn))
    assert seat(duel, cast.bram).is_absent_in(3)
    return duel


def test_opponent_cannot_claim_a_win_against_a_wizard_on_vacation(cast: Cast) -> None:
    """Promise 9: the vacation stopped the wizard's clock, so they still have time."""
    duel = duel_with_absent_opponent(cast)
    start_vacation_at(cast.bram, days=3, hours=49)
    with pytest.raises(Refused, match="Bram is on vacation") as refusal:
        deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(50))
    assert refusal.value.code == "on_vacation"
    assert (
        process_deadlines_at(duel, 72).defaults == 1
    )  # default orders for Ada, whose clock was running
    duel.refresh_from_db()
    assert not duel.is_over
    end_vacation_at(cast.bram, hours=73)
    deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(74))
    duel.refresh_from_db()
    assert duel.ended == "claimed"


def test_vacation_does_not_prevent_claims_of_a_win_in_quick_duels(cast: Cast) -> None:
    duel = begin_timed_duel(cast, pace=HALF_A_DAY)
    for turn in (1, 2):
        seal(duel, cast.ada, hands("W", "W"), now=hours_after_start(12 * turn - 1))
        process_deadlines_at(duel, 12 * turn)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=hours_after_start(12 * turn))
    start_vacation_at(cast.bram, days=3, hours=25)
    deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(25))
    duel.refresh_from_db()
    assert duel.ended == "claimed"


def test_email_about_claiming_a_win_is_not_sent_during_a_vacation(cast: Cast) -> None:
    duel_with_absent_opponent(cast)
    start_vacation_at(cast.bram, days=3, hours=48)
    mail.outbox.clear()
    deliver(now=hours_after_start(49))
    assert not [each for each in mail.outbox if "claim" in each.subject]


# Secrecy


def test_vacation_does_not_change_sealed_orders(cast: Cast) -> None:
    """Starting or ending a vacation does not reveal, replace or take back a seal."""
    duel = begin_timed_duel(cast)
    seal(duel, cast.bram, hands("P", "D"), now=hours_after_start(1))
    before = list(Orders.objects.values())
    start_vacation_at(cast.bram, hours=2)
    end_vacation_at(cast.bram, hours=3)
    assert list(Orders.objects.values()) == before
    assert Turn.objects.filter(duel=duel).count() == 1
