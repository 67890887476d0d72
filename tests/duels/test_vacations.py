"""Vacations: what they stop, what goes on, how they end, and what opponents are told.

Time is passed in: nothing here waits.
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

from duels import commands
from duels.budget import Budget
from duels.commands import Refused, locking, vacations
from duels.commands.deadlines import Happened
from duels.models import Duel, Orders, Seat, Source, Turn, Wizard
from duels.post.models import Notice, NoticeKind
from tests.cast import NOW, Cast, begin, challenge, deliver, hands, open_turn, seal, seat
from tests.copies import copies
from tests.duels import plans
from tests.duels.test_models import refused

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
A_DAY = str(24 * 3600)
HALF_A_DAY = str(12 * 3600)
DAILY = "daily 21:00 Europe/Dublin"


def at(hours: float) -> datetime:
    """So many hours after the duel began."""
    return NOW + timedelta(hours=hours)


def timed(cast: Cast, *others: Wizard, pace: str = A_DAY, excuses: int = 0) -> Duel:
    return begin(cast.ada, cast.bram, *others, pace=pace, excuses=excuses)


def leave(wizard: Wizard, *, days: float = 7, hours: float = 0) -> Wizard:
    """A vacation of so many days that begins after so many hours."""
    return commands.start_vacation(
        wizard=wizard, until=at(hours) + timedelta(days=days), now=at(hours)
    )


def come_back(wizard: Wizard, *, hours: float) -> bool:
    return commands.end_vacation(wizard=wizard, now=at(hours))


def act(duel: Duel, hours: float) -> Happened:
    """What falls due in this duel so many hours after it began."""
    return commands.act_on_deadlines(duel_id=duel.pk, now=at(hours))


def saved(wizard: Wizard, hours: float) -> timedelta:
    wizard.refresh_from_db()
    return wizard.savings.at(at(hours))


# What stops


def test_a_vacation_stops_this_wizards_clocks_and_nobody_elses(cast: Cast) -> None:
    duel, other = timed(cast), begin(cast.bram, cast.cleo, pace=DAILY)
    leave(cast.bram, hours=6)
    for mine in (seat(duel, cast.bram), seat(other, cast.bram)):
        assert (mine.due_at, mine.remind_at) == (None, None)
        assert mine.awaited
    assert seat(duel, cast.bram).clock_left == timedelta(hours=18)
    assert seat(duel, cast.ada).due_at == at(24)
    assert seat(other, cast.cleo).due_at is not None


def test_nobody_on_vacation_is_reminded_excused_or_played_for(cast: Cast) -> None:
    duel = timed(cast, excuses=1)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    leave(cast.bram, days=20, hours=2)
    for hours in (20, 24, 48, 400):
        assert act(duel, hours) == Happened()
    assert seat(duel, cast.bram).excuses_left == 1
    assert not Orders.objects.filter(turn__duel=duel, source=Source.DEFAULT).exists()


def test_the_clocks_of_others_act_meanwhile(cast: Cast) -> None:
    duel = timed(cast)
    leave(cast.bram)
    assert act(duel, 24) == Happened(defaults=1)
    assert seat(duel, cast.bram).awaited


def test_a_duel_paced_below_a_day_goes_on_as_before(cast: Cast) -> None:
    duel = timed(cast, pace=HALF_A_DAY)
    leave(cast.bram, hours=1)
    assert seat(duel, cast.bram).due_at == at(12)
    assert act(duel, 12) == Happened(defaults=2)
    commands.resolve_turn(turn_id=open_turn(duel).pk, now=at(12))
    assert seat(duel, cast.bram).due_at == at(24)


def test_a_turn_that_opens_meanwhile_has_a_clock_that_stands(cast: Cast) -> None:
    duel = timed(cast)
    leave(cast.bram, hours=1)
    for wizard in (cast.ada, cast.bram):  # who is on vacation may seal
        seal(duel, wizard, hands("P", "D"), now=at(2))
    assert commands.resolve_turn(turn_id=open_turn(duel).pk, now=at(2))
    assert seat(duel, cast.ada).due_at == at(26)
    assert (seat(duel, cast.bram).due_at, seat(duel, cast.bram).clock_left) == (None, DAY)
    come_back(cast.bram, hours=50)
    assert seat(duel, cast.bram).due_at == at(74)


def test_a_duel_that_begins_meanwhile_has_a_clock_that_stands(cast: Cast) -> None:
    leave(cast.bram)
    cast.bram.refresh_from_db()
    duel = challenge(cast.ada, cast.bram, pace=A_DAY)
    commands.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert seat(duel, cast.bram).clock_left == DAY
    assert seat(duel, cast.ada).due_at == at(24)


def test_a_seal_taken_back_on_vacation_leaves_the_clock_standing(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.bram, hands("P", "D"), now=at(1))
    leave(cast.bram, hours=4)
    commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=at(6))
    assert seat(duel, cast.bram).awaited
    assert seat(duel, cast.bram).clock_left == timedelta(hours=20)
    assert act(duel, 23) == Happened(reminders=1)  # of Ada


def test_a_pause_and_a_vacation_both_must_end(cast: Cast) -> None:
    duel = timed(cast)
    leave(cast.bram, hours=4)
    for wizard in (cast.ada, cast.bram):
        commands.ask_pause(duel_id=duel.pk, wizard=wizard, now=at(5))
    come_back(cast.bram, hours=30)
    assert seat(duel, cast.bram).due_at is None
    leave(cast.ada, hours=31)
    for wizard in (cast.ada, cast.bram):
        commands.ask_pause(duel_id=duel.pk, wizard=wizard, now=at(40))
    assert seat(duel, cast.bram).due_at == at(60)
    assert (seat(duel, cast.ada).due_at, seat(duel, cast.ada).clock_left) == (None, DAY * 19 / 24)


# How it ends


def test_at_the_end_the_clocks_go_on_with_what_was_left(cast: Cast) -> None:
    duel = timed(cast)
    leave(cast.bram, hours=6)
    assert come_back(cast.bram, hours=100)
    assert seat(duel, cast.bram).due_at == at(118)
    assert act(duel, 114) == Happened(reminders=1, defaults=1)  # Ada's time was over long ago


def test_the_sweep_ends_a_vacation_whose_end_has_come(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    leave(cast.bram, days=2, hours=6)
    assert commands.sweep(now=at(53.9)).vacations_ended == 0
    assert commands.sweep(now=at(54)).vacations_ended == 1
    assert seat(duel, cast.bram).due_at == at(72)
    assert commands.sweep(now=at(54)) == commands.SweepResult(0, 0, 0)
    assert saved(cast.bram, 54) == 18 * DAY + timedelta(hours=54) / 8


def test_a_sweep_that_comes_late_takes_no_time_from_anybody(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    leave(cast.bram, days=2)
    swept = commands.sweep(now=at(60))
    assert (swept.vacations_ended, swept.happened) == (1, Happened())
    assert seat(duel, cast.bram).due_at == at(84)


def test_a_seal_that_lies_there_has_its_clock_again_at_the_end(cast: Cast) -> None:
    duel = timed(cast)
    leave(cast.bram, hours=4)
    seal(duel, cast.bram, hands("P", "D"), now=at(5))
    come_back(cast.bram, hours=30)
    commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=at(31))
    assert seat(duel, cast.bram).due_at == at(50)


def test_ended_early_it_gives_back_what_was_not_spent(cast: Cast) -> None:
    leave(cast.bram, days=14)
    assert saved(cast.bram, 0) == 6 * DAY
    assert come_back(cast.bram, hours=4 * 24)
    assert saved(cast.bram, 4 * 24) == 16 * DAY + DAY / 2
    assert cast.bram.vacation is None


def test_a_vacation_ends_once(cast: Cast) -> None:
    leave(cast.bram)
    assert come_back(cast.bram, hours=30)
    before = saved(cast.bram, 30)
    assert not come_back(cast.bram, hours=30)
    assert not come_back(cast.ada, hours=30)
    assert saved(cast.bram, 30) == before


def test_one_vacation_that_does_not_end_holds_up_no_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = begin(cast.bram, cast.dorn, pace=A_DAY)
    good = begin(cast.ada, cast.dorn, pace=A_DAY)
    leave(cast.bram, days=1)
    leave(cast.ada, days=1)
    usual = locking.open_turn_of

    def failing(duel: Duel) -> object:
        if duel.pk == broken.pk:
            raise RuntimeError("broken")
        return usual(duel)

    monkeypatch.setattr(vacations, "open_turn_of", failing)
    assert commands.end_vacations(now=at(24), budget=Budget(60)) == (1, 1)
    assert f"Failed to end vacation of wizard {cast.bram.pk}" in caplog.text
    assert seat(good, cast.ada).due_at == at(48)
    cast.bram.refresh_from_db()
    assert cast.bram.vacation is not None


def test_a_clock_that_went_astray_is_settled_by_the_sweep(cast: Cast) -> None:
    """As if the duel had begun at the instant in which they left, or came back."""
    astray, quick = timed(cast), timed(cast, pace=HALF_A_DAY)
    leave(cast.bram, hours=1)
    Seat.objects.filter(duel=astray, wizard=cast.bram).update(due_at=at(24), clock_left=None)
    assert commands.settle_stray_clocks(now=at(2), budget=Budget(60)) == (1, 0)
    assert seat(astray, cast.bram).clock_left == timedelta(hours=22)
    assert seat(quick, cast.bram).due_at == at(12)
    come_back(cast.bram, hours=40)
    Seat.objects.filter(duel=astray, wizard=cast.bram).update(due_at=None, clock_left=DAY)
    assert commands.sweep(now=at(41)).failed == 0
    assert seat(astray, cast.bram).due_at == at(65)
    assert commands.settle_stray_clocks(now=at(42), budget=Budget(60)) == (0, 0)


@pytest.mark.sqlite
def test_sweeps_look_only_at_who_is_on_vacation_and_whose_clock_stands(cast: Cast) -> None:
    """By index, however many duels wait. PostgreSQL chooses by what it knows of its rows: many."""
    plans.empty_files()
    duel = timed(cast)
    leave(cast.bram)
    if connection.vendor == "postgresql":
        copies(timed(replace(cast, ada=cast.cleo, bram=cast.dorn)), 300)
        copies(duel, 15)
    plans.count_rows()
    plans.avoid("seqscan", "bitmapscan")
    with CaptureQueriesContext(connection) as captured:
        commands.end_vacations(now=at(1), budget=Budget(60))
        commands.settle_stray_clocks(now=at(1), budget=Budget(60))
    found = [plans.plan_of(query["sql"]) for query in list(captured)]
    seats_of_wizard = r"seat_awaited|Index Cond: \(wizard_id"
    ways = ("wizard_on_vacation", "wizard_on_vacation", "seat_standing", seats_of_wizard)
    for plan, way in zip(found, ways, strict=True):
        assert re.search(way, plan)


def test_sweeps_read_no_clock_that_stands_or_runs_as_it_should(cast: Cast) -> None:
    """Paused, on vacation, and in quick duels, where vacations do not count."""
    paused, _, _ = timed(cast), timed(cast), timed(cast, cast.cleo, pace=HALF_A_DAY)
    for wizard in (cast.ada, cast.bram):
        commands.ask_pause(duel_id=paused.pk, wizard=wizard, now=NOW)
    leave(cast.bram)
    assert Seat.objects.filter(clock_left__isnull=False).count() == 3
    with CaptureQueriesContext(connection) as captured:
        settled = commands.settle_stray_clocks(now=at(1), budget=Budget(60))
    assert settled == (0, 0)
    (standing,) = [query["sql"] for query in captured if '"clock_left" IS NOT NULL' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(standing)
        assert cursor.fetchall() == []


def test_whoever_closes_the_account_is_not_on_vacation(cast: Cast) -> None:
    timed(cast)
    leave(cast.bram)
    assert cast.bram.user is not None
    commands.close_account(user=cast.bram.user, now=at(1))
    cast.bram.refresh_from_db()
    assert cast.bram.is_closed
    assert cast.bram.vacation is None


# Who may, and how long


@pytest.mark.parametrize(
    ("days", "why"), [(0.9, "too_short"), (-1, "too_short"), (20.1, "not_saved")]
)
def test_an_impossible_end_is_refused_and_takes_nothing(cast: Cast, days: float, why: str) -> None:
    duel = timed(cast)
    with pytest.raises(Refused) as refusal:
        leave(cast.bram, days=days)
    assert (refusal.value.code, refusal.value.field) == (why, "until")
    assert saved(cast.bram, 0) == 20 * DAY
    assert seat(duel, cast.bram).due_at == at(24)


def test_the_same_vacation_twice_is_one_and_another_one_is_refused(cast: Cast) -> None:
    leave(cast.bram)
    leave(cast.bram)
    assert saved(cast.bram, 0) == 13 * DAY
    with pytest.raises(Refused, match="already"):
        leave(cast.bram, days=8)


def test_guests_and_those_who_have_left_have_none(cast: Cast) -> None:
    guest = commands.create_guest(key="k", now=NOW)
    assert cast.bram.user is not None
    commands.close_account(user=cast.bram.user, now=NOW)
    for wizard in (guest, cast.bram):
        with pytest.raises(Refused, match="Only players"):
            leave(wizard)


def test_the_database_refuses_impossible_vacations(cast: Cast) -> None:
    guest = commands.create_guest(key="k", now=NOW)
    good: dict[str, Any] = {
        "vacation_saved": DAY,
        "vacation_counted_at": NOW,
        "vacation_began_at": NOW,
        "vacation_ends_at": NOW + DAY,
    }
    rows = Wizard.objects.filter(pk=cast.ada.pk)
    assert not refused(lambda: rows.update(**good))
    for changes in (
        {"vacation_saved": -DAY},
        {"vacation_saved": 31 * DAY},
        {"vacation_saved": None},
        {"vacation_ends_at": NOW},
        {"vacation_ends_at": None},
        {"closed_at": NOW, "user": None},
    ):
        assert refused(partial(rows.update, **good | changes)), changes
    assert refused(lambda: Wizard.objects.filter(pk=guest.pk).update(**good))


# What opponents are told


def notices() -> list[tuple[str, int]]:
    found = Notice.objects.filter(kind=NoticeKind.VACATION).order_by("pk")
    return list(found.values_list("wizard__name", "duel"))


def test_opponents_are_told_once_in_each_duel_in_which_it_counts(cast: Cast) -> None:
    three = timed(cast, cast.cleo)
    two = begin(cast.ada, cast.bram, pace=DAILY)
    timed(cast, pace=HALF_A_DAY)
    timed(cast, pace="none")
    begin(cast.ada, cast.cleo, pace=A_DAY)
    for _ in range(2):
        leave(cast.bram, hours=1)
    assert notices() == [("Ada", three.pk), ("Cleo", three.pk), ("Ada", two.pk)]
    come_back(cast.bram, hours=30)
    assert len(notices()) == 3
    leave(cast.bram, hours=60)
    assert len(notices()) == 6


def test_whoever_is_out_of_a_duel_tells_nobody_there_and_is_not_told(cast: Cast) -> None:
    duel = timed(cast, cast.cleo, cast.dorn)
    commands.resign(duel_id=duel.pk, wizard=cast.bram, now=at(1))
    leave(cast.bram, hours=2)
    assert notices() == []
    leave(cast.ada, hours=2)
    assert notices() == [("Cleo", duel.pk), ("Dorn", duel.pk)]


def test_the_mail_says_until_when_in_its_readers_time_zone(cast: Cast) -> None:
    timed(cast)
    commands.change_reading(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    leave(cast.bram, days=7)
    deliver(now=at(0))
    (told,) = [each for each in mail.outbox if "vacation" in each.subject]
    assert told.to == ["ada@example.org"]
    assert told.subject == "Bram is on vacation until 8 March 2026"
    html = str(told.alternatives[0][0])  # type: ignore[attr-defined]  # of each mail we send
    for text in (str(told.body), html):
        assert "Bram is on vacation until 8 March 2026, 17:45 UTC+05:45" in " ".join(text.split())


@pytest.mark.parametrize("ended", ["vacation", "duel"])
def test_a_mail_that_comes_too_late_is_not_sent(cast: Cast, ended: str) -> None:
    duel = timed(cast)
    leave(cast.bram, days=7)
    if ended == "vacation":
        come_back(cast.bram, hours=1)
    else:
        commands.resign(duel_id=duel.pk, wizard=cast.bram, now=at(1))
    deliver(now=at(1))
    assert not [each for each in mail.outbox if "vacation" in each.subject]


def returned() -> list[tuple[str, int]]:
    found = Notice.objects.filter(kind=NoticeKind.RETURNED).order_by("pk")
    return list(found.values_list("wizard__name", "duel"))


def mails(hours: float) -> dict[str, str]:
    """What a round of the post sends of vacations: text by subject and reader."""
    mail.outbox.clear()
    deliver(now=at(hours))
    found = [each for each in mail.outbox if "vacation" in each.subject]
    return {f"{each.to[0]}: {each.subject}": " ".join(str(each.body).split()) for each in found}


def test_whoever_was_told_of_a_vacation_is_told_that_it_ended_early(cast: Cast) -> None:
    duel = timed(cast, cast.cleo)
    quick = timed(cast, pace=HALF_A_DAY)
    commands.change_reading(wizard=cast.ada, typed={"zone": "Asia/Kathmandu"})
    leave(cast.bram, days=7)
    assert len(mails(0)) == 2
    assert come_back(cast.bram, hours=30)
    assert not come_back(cast.bram, hours=31)
    assert returned() == [("Ada", duel.pk), ("Cleo", duel.pk)]
    assert not Notice.objects.filter(kind=NoticeKind.RETURNED, duel=quick).exists()
    told = mails(30)
    assert sorted(told) == [
        "ada@example.org: Bram is back from vacation",
        "cleo@example.org: Bram is back from vacation",
    ]
    words = told["ada@example.org: Bram is back from vacation"]
    assert "early, on 2 March 2026, 23:45 UTC+05:45." in words
    assert "was to last until 8 March 2026, 17:45" in words


def test_a_vacation_that_ends_when_it_was_said_is_no_news(cast: Cast) -> None:
    timed(cast)
    leave(cast.bram, days=2)
    mails(0)
    assert commands.sweep(now=at(48)).vacations_ended == 1
    leave(cast.bram, days=2, hours=50)
    come_back(cast.bram, hours=98)  # at the very moment, by themselves
    assert returned() == []


@pytest.mark.parametrize("why", ["never told", "away again", "over", "out of it"])
def test_a_return_is_not_mailed_where_it_says_nothing_new(cast: Cast, why: str) -> None:
    duel = timed(cast, cast.cleo)
    leave(cast.bram, days=7)
    if why != "never told":
        mails(0)
    if why == "out of it":
        commands.resign(duel_id=duel.pk, wizard=cast.bram, now=at(1))
    come_back(cast.bram, hours=30)
    if why == "away again":
        leave(cast.bram, days=1, hours=31)
    elif why == "over":
        for wizard in (cast.bram, cast.cleo):
            commands.resign(duel_id=duel.pk, wizard=wizard, now=at(31))
    assert not [subject for subject in mails(31) if "back" in subject]


def test_who_has_read_of_the_vacation_on_the_site_is_told_of_the_return(cast: Cast) -> None:
    timed(cast)
    leave(cast.bram, days=7)
    Notice.objects.filter(kind=NoticeKind.VACATION).update(status="dropped", dropped_for="read")
    come_back(cast.bram, hours=30)
    assert list(mails(30)) == ["ada@example.org: Bram is back from vacation"]


# Claims


def missed_twice(cast: Cast) -> Duel:
    """Ada has sealed in time for two turns, and Bram has not."""
    duel = timed(cast)
    for turn in (1, 2):
        seal(duel, cast.ada, hands("W", "W"), now=at(24 * turn - 1))
        act(duel, 24 * turn)
        commands.resolve_turn(turn_id=open_turn(duel).pk, now=at(24 * turn))
    assert seat(duel, cast.bram).is_absent_in(3)
    return duel


def test_nobody_on_vacation_loses_a_duel_by_a_claim(cast: Cast) -> None:
    """Promise 9: the vacation has stopped their clock, so the time they have is not over."""
    duel = missed_twice(cast)
    leave(cast.bram, days=3, hours=49)
    with pytest.raises(Refused, match="Bram is on vacation") as refusal:
        commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(50))
    assert refusal.value.code == "on_vacation"
    assert act(duel, 72).defaults == 1  # Ada, whose clock has not stood
    duel.refresh_from_db()
    assert not duel.is_over
    come_back(cast.bram, hours=73)
    commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(74))
    duel.refresh_from_db()
    assert duel.ended == "claimed"


def test_in_a_quick_duel_a_vacation_keeps_nobody_from_claiming(cast: Cast) -> None:
    duel = timed(cast, pace=HALF_A_DAY)
    for turn in (1, 2):
        seal(duel, cast.ada, hands("W", "W"), now=at(12 * turn - 1))
        act(duel, 12 * turn)
        commands.resolve_turn(turn_id=open_turn(duel).pk, now=at(12 * turn))
    leave(cast.bram, days=3, hours=25)
    commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(25))
    duel.refresh_from_db()
    assert duel.ended == "claimed"


def test_a_mail_of_a_claim_is_not_sent_while_it_is_not_possible(cast: Cast) -> None:
    missed_twice(cast)
    leave(cast.bram, days=3, hours=48)
    mail.outbox.clear()
    deliver(now=at(49))
    assert not [each for each in mail.outbox if "claim" in each.subject]


# Secrecy


def test_what_lies_sealed_is_the_same_with_a_vacation(cast: Cast) -> None:
    """Neither going nor coming back opens, replaces or takes back a seal."""
    duel = timed(cast)
    seal(duel, cast.bram, hands("P", "D"), now=at(1))
    before = list(Orders.objects.values())
    leave(cast.bram, hours=2)
    come_back(cast.bram, hours=3)
    assert list(Orders.objects.values()) == before
    assert Turn.objects.filter(duel=duel).count() == 1
