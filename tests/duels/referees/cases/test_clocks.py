"""Disputed duels are paused: clocks stop, turns are not resolved, and deadlines have no effect."""

from dataclasses import astuple
from datetime import timedelta
from typing import Any

from duels.commands import deadlines, endings, resolution, time_keeping
from duels.models import Act, ActKind, Duel, Seat, Turn
from duels.referees.cases.appeals import open_appeal, withdraw_appeal
from duels.referees.cases.disputes import add_statement, open_dispute, withdraw_own_case
from duels.referees.cases.handling import claim_case
from duels.referees.cases.rulings import rule_on_case
from tests.cast import LATER, NOW, begin, hands, open_turn, seal

MUCH_LATER = NOW + timedelta(days=40)
RULING_FIELDS: dict[str, Any] = {
    "verdict": "engine_right",
    "words": "The shield was late.",
    "rules": ["R21"],
}


def clocks_by_name(duel: Duel) -> dict[str, Any]:
    seats = Seat.objects.filter(duel=duel).select_related("wizard")
    return {seat.wizard.name: (seat.due_at, seat.clock_left) for seat in seats}


def is_paused(duel: Duel) -> bool:
    duel.refresh_from_db()
    return duel.is_halted


def test_deadlines_and_resolution_of_turns_stop_during_a_dispute(case, duel, ada, bram):
    left = timedelta(days=3)
    assert clocks_by_name(duel) == {"Ada": (None, left), "Bram": (None, left)}
    assert not any(astuple(deadlines.process_deadlines(duel_id=duel.pk, now=MUCH_LATER)))
    for wizard in (ada, bram):
        seal(duel, wizard, hands("W", "P"))
    assert not resolution.resolve_turn(turn_id=open_turn(duel).pk, now=MUCH_LATER)
    assert Turn.objects.filter(duel=duel).count() == 1
    withdraw_own_case(case_id=case.pk, wizard=ada, now=MUCH_LATER)
    assert resolution.resolve_turn(turn_id=Turn.objects.get(duel=duel).pk, now=MUCH_LATER)


def test_clocks_resume_when_the_last_dispute_ends(case, duel, ada, bram, rhea):
    later = NOW + timedelta(days=2)
    his = open_dispute(
        duel_id=duel.pk, wizard=bram, ordinal=1, category="deadline", words="Mine too.", now=LATER
    )
    withdraw_own_case(case_id=case.pk, wizard=ada, now=later)
    assert is_paused(duel)
    claim_case(case_id=his.pk, user=rhea, now=later)
    assert is_paused(duel)
    rule_on_case(
        case_id=his.pk, user=rhea, verdict="deadline_stands", words="It stands.", now=later
    )
    assert not is_paused(duel)
    due = later + timedelta(days=3)
    assert clocks_by_name(duel) == {"Ada": (due, None), "Bram": (due, None)}


def test_appeal_stops_the_clocks_until_the_second_ruling(held, duel, rhea, silas, bram):
    rule_on_case(case_id=held.pk, user=rhea, now=LATER, **RULING_FIELDS)
    assert not is_paused(duel)
    open_appeal(case_id=held.pk, wizard=bram, words="No.", now=LATER)
    assert is_paused(duel)
    add_statement(case_id=held.pk, wizard=bram, words="It was in time.", now=LATER)
    withdraw_appeal(case_id=held.pk, wizard=bram, now=LATER)
    assert not is_paused(duel)


def test_dispute_after_the_end_does_not_reopen_the_duel(duel, ada, bram):
    """If a referee then rolls the duel back, it stays paused until the dispute ends."""
    endings.resign(duel_id=duel.pk, wizard=bram, now=NOW)
    case = open_dispute(
        duel_id=duel.pk, wizard=bram, ordinal=1, category="other", words="A slip.", now=LATER
    )
    assert (is_paused(duel), duel.is_over) == (True, True)
    withdraw_own_case(case_id=case.pk, wizard=bram, now=LATER)
    assert not is_paused(duel)


def test_duel_paused_by_its_players_stays_paused_after_a_dispute(duel, ada, bram):
    for wizard in (ada, bram):
        time_keeping.request_pause(duel_id=duel.pk, wizard=wizard, is_paused=None, now=NOW)
    case = open_dispute(
        duel_id=duel.pk, wizard=ada, ordinal=1, category="other", words="Hm.", now=NOW
    )
    withdraw_own_case(case_id=case.pk, wizard=ada, now=LATER)
    assert all(due is None for due, _ in clocks_by_name(duel).values())
    duel.refresh_from_db()
    assert duel.paused_at is not None


def test_log_lists_disputes_and_rulings_without_private_text(held, duel, rhea, bram):
    ruling = rule_on_case(case_id=held.pk, user=rhea, now=LATER, settles="R21", **RULING_FIELDS)
    open_appeal(case_id=held.pk, wizard=bram, words="It was in time.", now=LATER)
    opened, ruled, appealed = Act.objects.filter(duel=duel).order_by("ordinal")
    assert (opened.kind, opened.seat, opened.case) == (ActKind.OPEN_DISPUTE, "w0", held.pk)
    assert (ruled.kind, ruled.referee_name, ruled.turn) == (ActKind.RULING, "Rhea", 1)
    assert ruled.facts == {
        "ruling": ruling.pk,
        "verdict": "engine_right",
        "rules": ["R21"],
        "settles": "R21",
    }
    assert (appealed.kind, appealed.seat) == (ActKind.OPEN_DISPUTE, "w1")
    for act in (opened, appealed):
        stated = str(act.entry)
        for private in ("Ada", "Bram", "shield", "in time"):
            assert private not in stated


def test_dispute_does_not_stop_other_duels(case, ada, cleo):
    other = begin(ada, cleo, pace="259200")
    assert not is_paused(other)
