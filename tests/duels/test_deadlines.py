"""Reminders, extensions, default orders, forfeits and claims, each of which takes effect once.

The current time is a parameter, so the tests never wait.
"""

from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from duels.clocks.budget import Budget
from duels.commands import (
    deadlines,
    endings,
    locking,
    resolution,
    sealing,
    sweeping,
    time_keeping,
    vacations,
)
from duels.commands.deadlines import DeadlineCounts, due_duels
from duels.errors import Refused
from duels.models import (
    Draft,
    Duel,
    DuelEnding,
    DuelStatus,
    Marker,
    Orders,
    Outcome,
    SealSource,
    Seat,
    Stage,
    Turn,
    Wizard,
)
from duels.post.models import Notice
from duels.proof.records import duel_record
from duels.queries import pages
from duels.sealing import seals
from engine.proof.transcript import transcript
from engine.proof.verify import verify
from tests.cast import NOW, Cast, Fields, begin, hands, open_turn, seal, seat
from tests.copies import make_copies
from tests.duels import plans

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
A_DAY = str(24 * 3600)


def hours_after_start(hours: float) -> datetime:
    """Return the time this many hours after the duel began."""
    return NOW + timedelta(hours=hours)


def process_deadlines_at(duel: Duel, hours: float) -> DeadlineCounts:
    """Handle the deadlines of this duel this many hours after it began."""
    return deadlines.process_deadlines(duel_id=duel.pk, now=hours_after_start(hours))


def resolve_open_turn(duel: Duel, hours: float) -> bool:
    return resolution.resolve_turn(turn_id=open_turn(duel).pk, now=hours_after_start(hours))


def begin_timed_duel(cast: Cast, *others: Wizard, excuses: int = 0, pace: str = A_DAY) -> Duel:
    return begin(cast.ada, cast.bram, *others, pace=pace, excuses=excuses)


def default_orders_of(duel: Duel, wizard: Wizard) -> dict[str, str]:
    """Return the orders that a deadline sealed for the wizard most recently."""
    row = Orders.objects.filter(
        turn__duel=duel, seat__wizard=wizard, source=SealSource.DEFAULT, superseded=False
    ).latest("pk")
    return seals.decrypt_seal(row.body).orders


def email_subjects(wizard: Wizard) -> list[str]:
    address = wizard.user.email if wizard.user else ""
    return [str(each.subject) for each in mail.outbox if each.to == [address]]


# Clocks


def test_wizards_have_the_whole_time_of_their_pace_for_a_turn(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    assert {each.due_at for each in Seat.objects.filter(duel=duel)} == {hours_after_start(24)}


def test_unhurried_duel_has_no_deadline(cast: Cast) -> None:
    duel = begin_timed_duel(cast, pace="none")
    assert seat(duel, cast.ada).due_at is None
    assert process_deadlines_at(duel, 100_000) == DeadlineCounts()


def test_taking_a_seal_back_keeps_the_deadline(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=hours_after_start(5))
    assert seat(duel, cast.ada).due_at == hours_after_start(24)
    assert seat(duel, cast.ada).awaited_since == hours_after_start(5)


def test_wizards_have_the_full_time_again_for_the_next_turn(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("P", "D"), now=hours_after_start(7))
    assert resolve_open_turn(duel, 7)
    assert seat(duel, cast.bram).due_at == hours_after_start(31)


def test_wizard_who_has_sealed_does_not_get_a_reminder_or_an_extension(
    cast: Cast,
) -> None:
    duel = begin_timed_duel(cast, excuses=1)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    assert process_deadlines_at(duel, 20) == DeadlineCounts(reminders=1)
    assert process_deadlines_at(duel, 24) == DeadlineCounts(excuses=1)
    assert seat(duel, cast.ada).excuses_left == 1


# Reminders


def test_reminder_is_sent_once_when_a_fifth_of_the_time_is_left(
    cast: Cast, django_capture_on_commit_callbacks
) -> None:
    duel = begin_timed_duel(cast, excuses=1)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    assert process_deadlines_at(duel, 19.1) == DeadlineCounts()
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert process_deadlines_at(duel, 19.2) == DeadlineCounts(reminders=1)
    assert process_deadlines_at(duel, 19.3) == DeadlineCounts()
    assert [each for each in email_subjects(cast.bram) if "left for turn 1" in each]
    assert not email_subjects(cast.ada)
    process_deadlines_at(duel, 24)  # an extension
    assert process_deadlines_at(duel, 35) == DeadlineCounts()


def test_reminder_mentions_a_stored_draft(cast: Cast, django_capture_on_commit_callbacks) -> None:
    duel = begin_timed_duel(cast)
    turn = open_turn(duel)
    sealing.save_draft(
        turn_id=turn.pk, wizard=cast.ada, fields=hands("P", "D"), now=hours_after_start(2)
    )
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        process_deadlines_at(duel, 20)
    words = "You have saved a draft"
    drafted = {each.to[0]: words in " ".join(str(each.body).split()) for each in mail.outbox}
    assert drafted == {"ada@example.org": True, "bram@example.org": False}


# Extensions


def test_extension_adds_half_the_time_for_a_turn(cast: Cast) -> None:
    duel = begin_timed_duel(cast, excuses=2)
    assert process_deadlines_at(duel, 23.9).excuses == 0
    assert process_deadlines_at(duel, 24) == DeadlineCounts(excuses=2)
    assert seat(duel, cast.ada).due_at == hours_after_start(36)
    assert process_deadlines_at(duel, 36) == DeadlineCounts(excuses=2)
    assert seat(duel, cast.ada).excuses_left == 0
    assert process_deadlines_at(duel, 48) == DeadlineCounts(defaults=2)


def test_players_lose_no_time_if_a_sweep_is_late(cast: Cast) -> None:
    duel = begin_timed_duel(cast, excuses=1)
    process_deadlines_at(duel, 100)
    assert seat(duel, cast.ada).due_at == hours_after_start(112)


# Default orders


def test_default_orders_are_sealed_and_the_turn_is_played_at_the_deadline(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    assert process_deadlines_at(duel, 24) == DeadlineCounts(defaults=1)
    assert resolve_open_turn(duel, 24)
    assert default_orders_of(duel, cast.bram) == {"left": "-", "right": "-"}
    assert open_turn(duel).ordinal == 2


def test_deadline_acts_once(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    assert process_deadlines_at(duel, 24) == DeadlineCounts(defaults=2)
    assert process_deadlines_at(duel, 24) == DeadlineCounts()
    assert Orders.objects.filter(turn__duel=duel).count() == 2


def test_draft_is_not_played_at_the_deadline(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    turn = open_turn(duel)
    sealing.save_draft(
        turn_id=turn.pk, wizard=cast.ada, fields=hands("P", "D"), now=hours_after_start(2)
    )
    process_deadlines_at(duel, 24)
    assert default_orders_of(duel, cast.ada) == {"left": "-", "right": "-"}
    assert Draft.objects.filter(turn=turn).exists()


def test_orders_taken_back_are_played_at_the_deadline(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.ada, hands("S", "W"), now=hours_after_start(1))
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.ada, now=hours_after_start(2))
    process_deadlines_at(duel, 24)
    assert default_orders_of(duel, cast.ada) == {"left": "S", "right": "W"}


def test_default_orders_can_be_replaced_while_the_turn_is_open(
    cast: Cast,
) -> None:
    """A turn does not count as missed if the wizard seals other orders before it is played."""
    duel = begin_timed_duel(cast)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(due_at=hours_after_start(48))
    assert process_deadlines_at(duel, 24) == DeadlineCounts(reminders=1, defaults=1)
    turn = open_turn(duel)
    sealing.unseal(turn_id=turn.pk, wizard=cast.bram, now=hours_after_start(25))
    assert process_deadlines_at(duel, 26) == DeadlineCounts(defaults=1)
    assert seat(duel, cast.bram).missed_turns == 1
    (again,) = Orders.objects.filter(turn=turn, seat__wizard=cast.bram, superseded=False)
    seal(duel, cast.bram, hands("S", "D"), form_seal=again.commitment, now=hours_after_start(27))
    assert seat(duel, cast.bram).missed_turns == 0


def test_record_marks_orders_that_were_sealed_by_default(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(1))
    process_deadlines_at(duel, 24)
    resolve_open_turn(duel, 24)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(25))
    duel.refresh_from_db()
    sources = {each["wizard"]: each["source"] for each in duel_record(duel)["turns"][0]["seals"]}
    assert sources == {"w0": "player", "w1": "default"}


def test_questions_are_answered_by_default_after_a_shorter_time(cast: Cast) -> None:
    """The time for answers is a quarter of the pace, at least an hour."""
    duel = duel_with_question(cast)
    turn = open_turn(duel)
    assert turn.stage == Stage.ANSWERS
    (question,) = turn.questions
    wizard = {"w0": cast.ada, "w1": cast.bram}[question["wizard"]]
    assert seat(duel, wizard).due_at == hours_after_start(6)
    assert process_deadlines_at(duel, 6) == DeadlineCounts(defaults=1)
    assert resolve_open_turn(duel, 6)
    assert default_orders_of(duel, wizard) == {question["id"]: question["default"]}


def duel_with_question(cast: Cast) -> Duel:
    """Return a strict duel in which Ada is asked which of Bram's hands to paralyse."""
    duel = begin(cast.ada, cast.bram, pace=A_DAY, strict=True)
    for left in ("F", "F", "F"):
        for wizard, pair in ((cast.ada, (left, "-")), (cast.bram, ("W", "S"))):
            fields: Fields = hands(*pair)
            seal(duel, wizard, fields, now=NOW)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
        if open_turn(duel).stage == Stage.ANSWERS:
            return duel
    raise AssertionError("no question was asked")


# The end


def play_missed_turns(duel: Duel, present: Wizard, turns: int) -> None:
    """Play a number of turns that all wizards except one miss, at a pace of one day."""
    for turn in range(turns):
        seal(duel, present, hands("W", "W"), now=hours_after_start(24 * turn + 1))
        process_deadlines_at(duel, 24 * (turn + 1))
        resolve_open_turn(duel, 24 * (turn + 1))


def test_wizard_who_misses_three_turns_in_a_row_forfeits(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    seal(duel, cast.ada, hands("W", "W"), now=hours_after_start(49))
    assert process_deadlines_at(duel, 72) == DeadlineCounts(ended=1)
    duel.refresh_from_db()
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, DuelEnding.TIME, "w0")
    assert seat(duel, cast.ada).outcome == Outcome.WON
    assert seat(duel, cast.bram).outcome == Outcome.FORFEITED
    told = duel_record(duel)
    assert told["turns"][-1]["forfeited"] == ["w1"]
    assert verify(told) == []
    assert "Bram runs out of time." in transcript(told)


def test_sealing_in_time_resets_the_number_of_missed_turns(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    seal(duel, cast.bram, hands("S", "D"), now=hours_after_start(50))
    assert seat(duel, cast.bram).missed_turns == 0


def test_duel_of_three_continues_after_a_forfeit(cast: Cast) -> None:
    duel = begin_timed_duel(cast, cast.cleo)
    for turn in range(3):
        for wizard in (cast.ada, cast.cleo):
            seal(duel, wizard, hands("W", "W"), now=hours_after_start(24 * turn + 1))
        process_deadlines_at(duel, 24 * (turn + 1))
        resolve_open_turn(duel, 24 * (turn + 1))
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    assert seat(duel, cast.bram).outcome == Outcome.FORFEITED
    assert not seat(duel, cast.bram).awaited


def test_duel_of_two_absent_wizards_is_abandoned(cast: Cast) -> None:
    """The result is a draw that does not move markers."""
    duel = begin_timed_duel(cast)
    for turn in (1, 2):
        assert process_deadlines_at(duel, 24 * turn).defaults == 2
        resolve_open_turn(duel, 24 * turn)
    assert process_deadlines_at(duel, 72) == DeadlineCounts(ended=1)
    duel.refresh_from_db()
    assert (duel.ended, duel.result) == (DuelEnding.ABANDONED, "draw")
    assert Turn.objects.filter(duel=duel, stage=Stage.VOID).count() == 1
    assert not Marker.objects.filter(duel=duel).exists()


def test_wizard_with_time_left_does_not_forfeit(cast: Cast) -> None:
    """Bram misses his third turn in a row. Ada has missed one, and is on vacation."""
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 1)
    process_deadlines_at(duel, 48)
    resolve_open_turn(duel, 48)
    vacations.start_vacation(
        wizard=cast.ada, until=hours_after_start(49 + 72), now=hours_after_start(49)
    )
    process_deadlines_at(duel, 72)
    duel.refresh_from_db()
    assert (duel.ended, duel.result) == (DuelEnding.TIME, "w0")


def test_taking_back_default_orders_does_not_stop_the_clocks(cast: Cast) -> None:
    duel = begin_timed_duel(cast, cast.cleo)
    for turn in (1, 2):
        for wizard in (cast.ada, cast.cleo):
            if turn == 1:
                seal(duel, wizard, hands("W", "W"), now=hours_after_start(1))
            else:
                time_keeping.give_time(
                    duel_id=duel.pk,
                    wizard=cast.bram,
                    opponent_code=seat(duel, wizard).code,
                    seen_stamp=None,
                    now=hours_after_start(25),
                )
        process_deadlines_at(duel, 24 * turn)
        resolve_open_turn(duel, 24 * turn)
    for hours in (49, 50):
        sealing.unseal(turn_id=open_turn(duel).pk, wizard=cast.bram, now=hours_after_start(hours))
        assert process_deadlines_at(duel, hours).defaults == 1
    assert process_deadlines_at(duel, 72).defaults == 2
    assert resolve_open_turn(duel, 72)


def test_wizard_is_reminded_again_if_their_seal_becomes_invalid(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The orders that Ada seals after her reminder become invalid when Cleo leaves."""
    monkeypatch.setattr(endings, "_void_seals", lambda turn, gone: list(turn.seals))
    duel = begin_timed_duel(cast, cast.cleo)
    assert process_deadlines_at(duel, 20).reminders == 3
    seal(duel, cast.ada, hands("P", "D"), now=hours_after_start(21))
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=hours_after_start(22))
    assert seat(duel, cast.ada).due_at == hours_after_start(46)
    assert process_deadlines_at(duel, 42) == DeadlineCounts(reminders=1, defaults=1)
    reminded = Notice.objects.filter(wizard=cast.ada, kind="reminder")
    assert reminded.count() == 2


# Outages


def sweep_at_hours(*hours: float) -> None:
    for each in hours:
        sweeping.sweep(now=hours_after_start(each))


def test_clocks_do_not_lose_the_time_of_an_outage(cast: Cast) -> None:
    duel = begin_timed_duel(cast, excuses=1)
    sweep_at_hours(0, 20)
    sweeping.sweep(now=hours_after_start(20 + 72))
    assert not Orders.objects.filter(turn__duel=duel).exists()
    ada = seat(duel, cast.ada)
    # Only four hours were left, so Ada gets the minimum, a fifth of a day.
    assert (ada.due_at, ada.excuses_left) == (hours_after_start(92 + 4.8), 1)
    assert process_deadlines_at(duel, 96.8) == DeadlineCounts(excuses=2)


def test_reminder_missed_in_an_outage_is_sent_later(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    sweep_at_hours(0, 1)
    result = sweeping.sweep(now=hours_after_start(60))
    assert result.deadlines == DeadlineCounts()
    assert seat(duel, cast.ada).due_at == hours_after_start(60 + 23)
    assert seat(duel, cast.ada).remind_at == hours_after_start(60 + 23 - 4.8)


def test_outage_does_not_make_a_wizard_forfeit(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    seal(duel, cast.ada, hands("W", "W"), now=hours_after_start(49))
    sweep_at_hours(49, 49 + 72)
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_sweep_that_is_a_few_minutes_late_does_not_count_as_an_outage(cast: Cast) -> None:
    duel = begin_timed_duel(cast, pace=str(3 * 3600))
    sweep_at_hours(*(minutes / 60 for minutes in range(0, 3 * 60 + 9, 9)))
    assert Orders.objects.filter(turn__duel=duel).count() == 2


def test_deadlines_take_effect_even_if_sweeps_are_rare(cast: Cast) -> None:
    """Each gap of an hour between sweeps looks like an outage."""
    duel = begin_timed_duel(cast)
    sweep_at_hours(*range(40))
    assert Orders.objects.filter(turn__duel=duel, turn__ordinal=1).count() == 2


def test_clocks_do_not_lose_the_time_of_an_outage_if_the_first_sweep_stops_early(
    cast: Cast,
) -> None:
    duel = begin_timed_duel(cast)
    sweep_at_hours(0)
    sweeping.sweep(now=hours_after_start(72), budget=Budget(0))
    sweeping.sweep(now=hours_after_start(72.1))
    assert seat(duel, cast.ada).due_at == hours_after_start(72.1 + 24)


def test_clocks_do_not_lose_the_time_of_an_outage_if_the_first_sweep_dies(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site goes down again before the outage has had any effect on the clocks."""
    duel = begin_timed_duel(cast)
    sweep_at_hours(0)
    monkeypatch.setattr(sweeping, "update_held_duels", mock.Mock(side_effect=SystemExit))
    with pytest.raises(SystemExit):
        sweep_at_hours(72)
    monkeypatch.undo()
    sweep_at_hours(96)
    assert not Orders.objects.filter(turn__duel=duel).exists()
    assert seat(duel, cast.ada).due_at == hours_after_start(96 + 24)


# Claims


def test_wizard_can_claim_a_win_after_the_opponent_has_missed_two_turns(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 1)
    with pytest.raises(Refused, match="twice in a row"):
        deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(25))
    seal(duel, cast.ada, hands("W", "W"), now=hours_after_start(26))
    process_deadlines_at(duel, 48)
    resolve_open_turn(duel, 48)
    deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(49))
    duel.refresh_from_db()
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, DuelEnding.CLAIMED, "w0")
    assert verify(duel_record(duel)) == []


def test_rejected_claim_does_not_reveal_who_has_sealed_the_open_turn(cast: Cast) -> None:
    """If Ada has time left, missing seals must look the same as default seals. Promise 1"""
    seen = set()
    for is_default in (False, True):
        duel = begin_timed_duel(cast)
        play_missed_turns(duel, cast.ada, 1)
        time_keeping.give_time(
            duel_id=duel.pk,
            wizard=cast.bram,
            opponent_code="w0",
            seen_stamp=None,
            now=hours_after_start(25),
        )
        if is_default:
            process_deadlines_at(duel, 48)
        else:
            seal(duel, cast.bram, hands("-", "-"), now=hours_after_start(48))
        with pytest.raises(Refused, match="twice in a row"):
            deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(49))
        told = Notice.objects.filter(duel=duel, kind="claimable").count()
        page = pages.duel_page(duel, cast.ada)
        seen.add((told, len(page.claimable)))
    assert seen == {(0, 0)}


def test_claims_are_rejected_during_and_directly_after_a_pause(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=wizard, is_paused=None, now=hours_after_start(49)
        )
    with pytest.raises(Refused):
        deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(50))
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(
            duel_id=duel.pk, wizard=wizard, is_paused=None, now=hours_after_start(51)
        )
    with pytest.raises(Refused):
        deadlines.claim_duel(duel_id=duel.pk, wizard=cast.ada, now=hours_after_start(52))


def test_absent_wizard_and_strangers_cannot_claim_a_win(cast: Cast) -> None:
    duel = begin_timed_duel(cast)
    play_missed_turns(duel, cast.ada, 2)
    for wizard in (cast.bram, cast.dorn):
        with pytest.raises(Refused):
            deadlines.claim_duel(duel_id=duel.pk, wizard=wizard, now=hours_after_start(49))
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_claim_in_a_duel_of_three_removes_only_the_absent_wizard(cast: Cast) -> None:
    duel = begin_timed_duel(cast, cast.cleo)
    for turn in range(2):
        for wizard in (cast.ada, cast.cleo):
            seal(duel, wizard, hands("W", "W"), now=hours_after_start(24 * turn + 1))
        process_deadlines_at(duel, 24 * (turn + 1))
        resolve_open_turn(duel, 24 * (turn + 1))
    deadlines.claim_duel(duel_id=duel.pk, wizard=cast.cleo, now=hours_after_start(49))
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    assert seat(duel, cast.bram).outcome == Outcome.FORFEITED


# Database queries for duels with a passed deadline


@pytest.mark.sqlite
def test_query_finds_only_duels_with_a_passed_deadline(cast: Cast) -> None:
    first, second = begin_timed_duel(cast), begin_timed_duel(cast, pace=str(2 * 24 * 3600))
    assert due_duels(hours_after_start(10), 10) == []
    assert due_duels(hours_after_start(24), 10) == [first.pk]
    assert due_duels(hours_after_start(48), 10) == [first.pk, second.pk]
    assert due_duels(hours_after_start(48), 1) == [first.pk]


@pytest.mark.sqlite
@pytest.mark.parametrize("index", ["seat_due", "seat_to_remind"])
def test_query_for_duels_with_a_passed_deadline_uses_an_index(cast: Cast, index: str) -> None:
    """PostgreSQL chooses plans by statistics, so the test needs many rows."""
    if connection.vendor == "postgresql":
        plans.empty_table_files()
        make_copies(begin_timed_duel(cast), 300)
    plans.update_statistics()
    plans.avoid("seqscan", "bitmapscan", "sort")
    with CaptureQueriesContext(connection) as captured:
        due_duels(hours_after_start(1), 10)
    plan = plans.plan_of(captured[{"seat_due": 0, "seat_to_remind": 1}[index]]["sql"])
    assert index in plan
    assert "TEMP B-TREE" not in plan


def test_error_at_one_deadline_does_not_stop_other_duels(cast: Cast, monkeypatch, caplog) -> None:
    broken, good = begin_timed_duel(cast), begin_timed_duel(cast)
    usual = locking.open_turn_of

    def failing(duel: Duel) -> object:
        if duel.pk == broken.pk:
            raise RuntimeError("broken")
        return usual(duel)

    monkeypatch.setattr(deadlines, "open_turn_of", failing)
    counts, failed = deadlines.process_due_deadlines(now=hours_after_start(24), budget=Budget(60))
    assert (counts, failed) == (DeadlineCounts(defaults=2), 1)
    assert f"Failed to process deadlines of duel {broken.pk}" in caplog.text
    assert open_turn(good).ordinal == 1
