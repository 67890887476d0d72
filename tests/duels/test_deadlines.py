"""What deadlines do, by themselves, once: reminders, excuses, default orders, forfeits and claims.

Time is passed in: nothing here waits.
"""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from duels import commands, queries, seals
from duels.budget import Budget
from duels.commands import Refused, deadlines, endings, locking
from duels.commands.deadlines import Happened, due_duels
from duels.models import (
    Draft,
    Duel,
    DuelStatus,
    Ended,
    Marker,
    Orders,
    Outcome,
    Seat,
    Source,
    Stage,
    Turn,
    Wizard,
)
from duels.post.models import Notice, NoticeKind
from duels.records import record
from engine.telling import transcript
from engine.verify import verify
from tests.cast import NOW, Cast, Fields, begin, hands, open_turn, seal, seat
from tests.copies import copies
from tests.duels import plans

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
A_DAY = str(24 * 3600)


def at(hours: float) -> datetime:
    """So many hours after the duel began."""
    return NOW + timedelta(hours=hours)


def act(duel: Duel, hours: float) -> Happened:
    """What falls due in this duel so many hours after it began."""
    return commands.act_on_deadlines(duel_id=duel.pk, now=at(hours))


def resolve(duel: Duel, hours: float) -> bool:
    return commands.resolve_turn(turn_id=open_turn(duel).pk, now=at(hours))


def timed(cast: Cast, *others: Wizard, excuses: int = 0, pace: str = A_DAY) -> Duel:
    return begin(cast.ada, cast.bram, *others, pace=pace, excuses=excuses)


def played_for(duel: Duel, wizard: Wizard) -> dict[str, str]:
    """The orders that a deadline has sealed for this wizard, in the newest turn that has some."""
    row = Orders.objects.filter(
        turn__duel=duel, seat__wizard=wizard, source=Source.DEFAULT, superseded=False
    ).latest("pk")
    return seals.opened(row.body).orders


def subjects(wizard: Wizard) -> list[str]:
    address = wizard.user.email if wizard.user else ""
    return [str(each.subject) for each in mail.outbox if each.to == [address]]


# The clock


def test_whoever_is_waited_for_has_the_whole_pace(cast: Cast) -> None:
    duel = timed(cast)
    assert {each.due_at for each in Seat.objects.filter(duel=duel)} == {at(24)}


def test_a_duel_without_hurry_has_no_deadline(cast: Cast) -> None:
    duel = timed(cast, pace="none")
    assert seat(duel, cast.ada).due_at is None
    assert act(duel, 100_000) == Happened()


def test_a_seal_taken_back_has_what_was_left_of_its_time(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=at(5))
    assert seat(duel, cast.ada).due_at == at(24)
    assert seat(duel, cast.ada).awaited_since == at(5)


def test_the_next_turn_begins_with_the_whole_time(cast: Cast) -> None:
    duel = timed(cast)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("P", "D"), now=at(7))
    assert resolve(duel, 7)
    assert seat(duel, cast.bram).due_at == at(31)


def test_whoever_has_nothing_to_decide_is_not_waited_for_nor_reminded_nor_excused(
    cast: Cast,
) -> None:
    duel = timed(cast, excuses=1)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    assert act(duel, 20) == Happened(reminders=1)
    assert act(duel, 24) == Happened(excuses=1)
    assert seat(duel, cast.ada).excuses_left == 1


# Reminders


def test_a_reminder_comes_when_a_fifth_is_left_and_never_twice(
    cast: Cast, django_capture_on_commit_callbacks
) -> None:
    duel = timed(cast, excuses=1)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    assert act(duel, 19.1) == Happened()
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert act(duel, 19.2) == Happened(reminders=1)
    assert act(duel, 19.3) == Happened()
    assert [each for each in subjects(cast.bram) if "left for turn 1" in each]
    assert not subjects(cast.ada)
    act(duel, 24)  # an excuse
    assert act(duel, 35) == Happened()


def test_a_reminder_says_that_a_draft_lies_there(
    cast: Cast, django_capture_on_commit_callbacks
) -> None:
    duel = timed(cast)
    turn = open_turn(duel)
    commands.save_draft(turn_id=turn.pk, wizard=cast.ada, fields=hands("P", "D"), now=at(2))
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        act(duel, 20)
    words = "You have saved a draft"
    drafted = {each.to[0]: words in " ".join(str(each.body).split()) for each in mail.outbox}
    assert drafted == {"ada@example.org": True, "bram@example.org": False}


# Excuses


def test_an_excuse_gives_half_the_time_more(cast: Cast) -> None:
    duel = timed(cast, excuses=2)
    assert act(duel, 23.9).excuses == 0
    assert act(duel, 24) == Happened(excuses=2)
    assert seat(duel, cast.ada).due_at == at(36)
    assert act(duel, 36) == Happened(excuses=2)
    assert seat(duel, cast.ada).excuses_left == 0
    assert act(duel, 48) == Happened(defaults=2)


def test_a_sweep_that_comes_late_takes_no_time_from_anybody(cast: Cast) -> None:
    duel = timed(cast, excuses=1)
    act(duel, 100)
    assert seat(duel, cast.ada).due_at == at(112)


# Default orders


def test_at_the_deadline_default_orders_are_sealed_and_the_turn_is_played(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    assert act(duel, 24) == Happened(defaults=1)
    assert resolve(duel, 24)
    assert played_for(duel, cast.bram) == {"left": "-", "right": "-"}
    assert open_turn(duel).ordinal == 2


def test_a_deadline_acts_once(cast: Cast) -> None:
    duel = timed(cast)
    assert act(duel, 24) == Happened(defaults=2)
    assert act(duel, 24) == Happened()
    assert Orders.objects.filter(turn__duel=duel).count() == 2


def test_a_draft_is_not_played(cast: Cast) -> None:
    duel = timed(cast)
    turn = open_turn(duel)
    commands.save_draft(turn_id=turn.pk, wizard=cast.ada, fields=hands("P", "D"), now=at(2))
    act(duel, 24)
    assert played_for(duel, cast.ada) == {"left": "-", "right": "-"}
    assert Draft.objects.filter(turn=turn).exists()


def test_the_last_sealed_orders_are_played_if_they_were_taken_back(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.ada, hands("S", "W"), now=at(1))
    commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=at(2))
    act(duel, 24)
    assert played_for(duel, cast.ada) == {"left": "S", "right": "W"}


def test_default_orders_can_be_taken_back_and_sealed_anew_while_the_turn_is_open(
    cast: Cast,
) -> None:
    """Whoever comes back in time for the turn plays it themselves; who only takes back does not."""
    duel = timed(cast)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(due_at=at(48))
    assert act(duel, 24) == Happened(reminders=1, defaults=1)
    turn = open_turn(duel)
    commands.unseal(turn_id=turn.pk, wizard=cast.bram, now=at(25))
    assert act(duel, 26) == Happened(defaults=1)
    assert seat(duel, cast.bram).missed_turns == 1
    (again,) = Orders.objects.filter(turn=turn, seat__wizard=cast.bram, superseded=False)
    seal(duel, cast.bram, hands("S", "D"), form_seal=again.commitment, now=at(27))
    assert seat(duel, cast.bram).missed_turns == 0


def test_the_record_says_what_a_deadline_sealed(cast: Cast) -> None:
    duel = timed(cast)
    seal(duel, cast.ada, hands("P", "D"), now=at(1))
    act(duel, 24)
    resolve(duel, 24)
    commands.resign(duel_id=duel.pk, wizard=cast.ada, now=at(25))
    duel.refresh_from_db()
    sources = {each["wizard"]: each["source"] for each in record(duel)["turns"][0]["seals"]}
    assert sources == {"w0": "player", "w1": "default"}


def test_questions_are_answered_as_usual_after_a_shorter_time(cast: Cast) -> None:
    """A quarter of the pace, at least an hour."""
    duel = asked(cast)
    turn = open_turn(duel)
    assert turn.stage == Stage.ANSWERS
    (question,) = turn.questions
    wizard = {"w0": cast.ada, "w1": cast.bram}[question["wizard"]]
    assert seat(duel, wizard).due_at == at(6)
    assert act(duel, 6) == Happened(defaults=1)
    assert resolve(duel, 6)
    assert played_for(duel, wizard) == {question["id"]: question["default"]}


def asked(cast: Cast) -> Duel:
    """A duel whose turn waits for an answer: strict, and Bram is to be paralysed."""
    duel = begin(cast.ada, cast.bram, pace=A_DAY, strict=True)
    for left in ("F", "F", "F"):
        for wizard, pair in ((cast.ada, (left, "-")), (cast.bram, ("W", "S"))):
            fields: Fields = hands(*pair)
            seal(duel, wizard, fields, now=NOW)
        commands.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
        if open_turn(duel).stage == Stage.ANSWERS:
            return duel
    raise AssertionError("nobody was asked")


# The end


def absent_for(duel: Duel, present: Wizard, turns: int) -> None:
    """Everybody but one misses so many turns of a day."""
    for turn in range(turns):
        seal(duel, present, hands("W", "W"), now=at(24 * turn + 1))
        act(duel, 24 * (turn + 1))
        resolve(duel, 24 * (turn + 1))


def test_one_who_is_absent_for_three_turns_is_out(cast: Cast) -> None:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    seal(duel, cast.ada, hands("W", "W"), now=at(49))
    assert act(duel, 72) == Happened(ended=1)
    duel.refresh_from_db()
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, Ended.TIME, "w0")
    assert seat(duel, cast.ada).outcome == Outcome.WON
    assert seat(duel, cast.bram).outcome == Outcome.FORFEITED
    told = record(duel)
    assert told["turns"][-1]["forfeited"] == ["w1"]
    assert verify(told) == []
    assert "Bram runs out of time." in transcript(told)


def test_whoever_seals_in_time_is_not_absent_any_more(cast: Cast) -> None:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    seal(duel, cast.bram, hands("S", "D"), now=at(50))
    assert seat(duel, cast.bram).missed_turns == 0


def test_with_three_the_others_go_on(cast: Cast) -> None:
    duel = timed(cast, cast.cleo)
    for turn in range(3):
        for wizard in (cast.ada, cast.cleo):
            seal(duel, wizard, hands("W", "W"), now=at(24 * turn + 1))
        act(duel, 24 * (turn + 1))
        resolve(duel, 24 * (turn + 1))
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    assert seat(duel, cast.bram).outcome == Outcome.FORFEITED
    assert not seat(duel, cast.bram).awaited


def test_two_absent_wizards_end_as_an_abandoned_duel(cast: Cast) -> None:
    """A draw that counts for nothing: no marker moves."""
    duel = timed(cast)
    for turn in (1, 2):
        assert act(duel, 24 * turn).defaults == 2
        resolve(duel, 24 * turn)
    assert act(duel, 72) == Happened(ended=1)
    duel.refresh_from_db()
    assert (duel.ended, duel.result) == (Ended.ABANDONED, "draw")
    assert Turn.objects.filter(duel=duel, stage=Stage.VOID).count() == 1
    assert not Marker.objects.filter(duel=duel).exists()


def test_whoever_missed_a_turn_and_has_time_left_is_not_away(cast: Cast) -> None:
    """Bram misses the third turn in a row; Ada missed one, and her clock stands."""
    duel = timed(cast)
    absent_for(duel, cast.ada, 1)
    act(duel, 48)
    resolve(duel, 48)
    commands.start_vacation(wizard=cast.ada, until=at(49 + 72), now=at(49))
    act(duel, 72)
    duel.refresh_from_db()
    assert (duel.ended, duel.result) == (Ended.TIME, "w0")


def test_a_default_seal_that_is_taken_back_again_and_again_stops_no_clock(cast: Cast) -> None:
    duel = timed(cast, cast.cleo)
    for turn in (1, 2):
        for wizard in (cast.ada, cast.cleo):
            if turn == 1:
                seal(duel, wizard, hands("W", "W"), now=at(1))
            else:
                commands.give_time(
                    duel_id=duel.pk, wizard=cast.bram, to=seat(duel, wizard).code, now=at(25)
                )
        act(duel, 24 * turn)
        resolve(duel, 24 * turn)
    for hours in (49, 50):
        commands.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=at(hours))
        assert act(duel, hours).defaults == 1
    assert act(duel, 72).defaults == 2
    assert resolve(duel, 72)


def test_a_wizard_is_reminded_again_where_the_turn_waits_anew(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Ada sealed after a reminder is void without Cleo."""
    monkeypatch.setattr(endings, "_void_seals", lambda turn, gone: list(turn.seals))
    duel = timed(cast, cast.cleo)
    assert act(duel, 20).reminders == 3
    seal(duel, cast.ada, hands("P", "D"), now=at(21))
    commands.resign(duel_id=duel.pk, wizard=cast.cleo, now=at(22))
    assert seat(duel, cast.ada).due_at == at(46)
    assert act(duel, 42) == Happened(reminders=1, defaults=1)
    reminded = Notice.objects.filter(wizard=cast.ada, kind=NoticeKind.REMINDER)
    assert reminded.count() == 2


# Outages


def swept(*hours: float) -> None:
    for each in hours:
        commands.sweep(now=at(each))


def test_what_fell_due_while_the_site_stood_still_has_its_time_given_back(cast: Cast) -> None:
    duel = timed(cast, excuses=1)
    swept(0, 20)
    commands.sweep(now=at(20 + 72))
    assert not Orders.objects.filter(turn__duel=duel).exists()
    ada = seat(duel, cast.ada)
    # A fifth of a day at least; four hours were left.
    assert (ada.due_at, ada.excuses_left) == (at(92 + 4.8), 1)
    assert act(duel, 96.8) == Happened(excuses=2)


def test_whoever_was_not_reminded_before_an_outage_is_reminded_after_it(cast: Cast) -> None:
    duel = timed(cast)
    swept(0, 1)
    result = commands.sweep(now=at(60))
    assert result.happened == Happened()
    assert seat(duel, cast.ada).due_at == at(60 + 23)
    assert seat(duel, cast.ada).remind_at == at(60 + 23 - 4.8)


def test_an_outage_ends_no_duel(cast: Cast) -> None:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    seal(duel, cast.ada, hands("W", "W"), now=at(49))
    swept(49, 49 + 72)
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_a_sweep_that_is_minutes_late_is_no_outage(cast: Cast) -> None:
    duel = timed(cast)
    swept(0)
    for minutes in range(9, 24 * 60 + 9, 9):
        commands.sweep(now=at(minutes / 60))
    assert Orders.objects.filter(turn__duel=duel).count() == 2


def test_deadlines_act_though_sweeps_come_seldom(cast: Cast) -> None:
    """Each gap of an hour looks like an outage."""
    duel = timed(cast)
    swept(*range(40))
    assert Orders.objects.filter(turn__duel=duel, turn__ordinal=1).count() == 2


def test_duels_that_the_first_sweep_after_an_outage_does_not_reach_have_their_time_too(
    cast: Cast,
) -> None:
    duel = timed(cast)
    swept(0)
    commands.sweep(now=at(72), budget=Budget(0))
    commands.sweep(now=at(72.1))
    assert seat(duel, cast.ada).due_at == at(72.1 + 24)


# Claims


def test_the_opponent_may_claim_after_the_second_missed_turn(cast: Cast) -> None:
    duel = timed(cast)
    absent_for(duel, cast.ada, 1)
    with pytest.raises(Refused, match="twice in a row"):
        commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(25))
    seal(duel, cast.ada, hands("W", "W"), now=at(26))
    act(duel, 48)
    resolve(duel, 48)
    commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(49))
    duel.refresh_from_db()
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, Ended.CLAIMED, "w0")
    assert verify(record(duel)) == []


def test_nobody_learns_from_a_claim_what_was_sealed_in_an_open_turn(cast: Cast) -> None:
    """Ada has time left; whether Bram sealed nothing, or the deadline did, is alike. Promise 1"""
    seen = set()
    for is_default in (False, True):
        duel = timed(cast)
        absent_for(duel, cast.ada, 1)
        commands.give_time(duel_id=duel.pk, wizard=cast.bram, to="w0", now=at(25))
        if is_default:
            act(duel, 48)
        else:
            seal(duel, cast.bram, hands("-", "-"), now=at(48))
        with pytest.raises(Refused, match="twice in a row"):
            commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(49))
        told = Notice.objects.filter(duel=duel, kind=NoticeKind.CLAIMABLE).count()
        page = queries.duel_page(duel, cast.ada, now=at(49))
        seen.add((told, len(page.claimable)))
    assert seen == {(0, 0)}


def test_nothing_is_claimed_in_a_pause_and_whoever_agreed_to_it_is_not_absent(cast: Cast) -> None:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    for wizard in (cast.ada, cast.bram):
        commands.ask_pause(duel_id=duel.pk, wizard=wizard, now=at(49))
    with pytest.raises(Refused):
        commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(50))
    for wizard in (cast.ada, cast.bram):
        commands.ask_pause(duel_id=duel.pk, wizard=wizard, now=at(51))
    with pytest.raises(Refused):
        commands.claim(duel_id=duel.pk, wizard=cast.ada, now=at(52))


def test_the_absent_wizard_and_strangers_cannot_claim(cast: Cast) -> None:
    duel = timed(cast)
    absent_for(duel, cast.ada, 2)
    for wizard in (cast.bram, cast.dorn):
        with pytest.raises(Refused):
            commands.claim(duel_id=duel.pk, wizard=wizard, now=at(49))
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_a_claim_in_a_duel_of_three_puts_only_the_absent_out(cast: Cast) -> None:
    duel = timed(cast, cast.cleo)
    for turn in range(2):
        for wizard in (cast.ada, cast.cleo):
            seal(duel, wizard, hands("W", "W"), now=at(24 * turn + 1))
        act(duel, 24 * (turn + 1))
        resolve(duel, 24 * (turn + 1))
    commands.claim(duel_id=duel.pk, wizard=cast.cleo, now=at(49))
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    assert seat(duel, cast.bram).outcome == Outcome.FORFEITED


# Finding what is due


@pytest.mark.sqlite
def test_only_duels_in_which_something_is_due_are_found(cast: Cast) -> None:
    first, second = timed(cast), timed(cast, pace=str(2 * 24 * 3600))
    assert due_duels(at(10), 10) == []
    assert due_duels(at(24), 10) == [first.pk]
    assert due_duels(at(48), 10) == [first.pk, second.pk]
    assert due_duels(at(48), 1) == [first.pk]


@pytest.mark.sqlite
@pytest.mark.parametrize("index", ["seat_due", "seat_to_remind"])
def test_what_is_due_is_found_by_an_index_of_what_is_waited_for(cast: Cast, index: str) -> None:
    """PostgreSQL chooses by what it knows of its rows: it has many."""
    if connection.vendor == "postgresql":
        plans.empty_files()
        copies(timed(cast), 300)
    plans.count_rows()
    plans.avoid("seqscan", "bitmapscan", "sort")
    with CaptureQueriesContext(connection) as captured:
        due_duels(at(1), 10)
    plan = plans.plan_of(captured[{"seat_due": 0, "seat_to_remind": 1}[index]]["sql"])
    assert index in plan
    assert "TEMP B-TREE" not in plan


def test_one_duel_whose_deadline_fails_holds_up_no_other(cast: Cast, monkeypatch, caplog) -> None:
    broken, good = timed(cast), timed(cast)
    usual = locking.open_turn_of

    def failing(duel: Duel) -> object:
        if duel.pk == broken.pk:
            raise RuntimeError("broken")
        return usual(duel)

    monkeypatch.setattr(deadlines, "open_turn_of", failing)
    happened, failed = commands.act_on_due(now=at(24), budget=Budget(60))
    assert (happened, failed) == (Happened(defaults=2), 1)
    assert f"Deadlines of duel {broken.pk} failed" in caplog.text
    assert open_turn(good).ordinal == 1
