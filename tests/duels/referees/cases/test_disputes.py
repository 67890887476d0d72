"""Tests of opening, commenting on and withdrawing disputes. Reports do not stop clocks."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from duels.commands import endings, guests, practising, speaking
from duels.errors import Refused
from duels.models import Duel
from duels.referees.cases.disputes import (
    MAX_DISPUTES_PER_DUEL,
    MAX_DISPUTES_PER_MONTH,
    MAX_STATEMENTS,
    MONTH,
    add_statement,
    open_dispute,
    withdraw_own_case,
)
from duels.referees.cases.reports import MAX_REPORTS_PER_DAY, report_message, report_name
from duels.referees.models import MAX_CASE_WORDS_LENGTH, Case, CaseStatus
from tests.cast import LATER, NOW, begin, challenge, make_wizard


def dispute(duel, wizard, now=NOW, **changes):
    given: dict[str, Any] = {
        "ordinal": 1,
        "category": "rule",
        "rule": "",
        "words": "That was wrong.",
    }
    return open_dispute(duel_id=duel.pk, wizard=wizard, now=now, **given | changes)


def test_dispute_names_a_turn_and_a_rule(case, duel, ada):
    assert case.title == f"Dispute {case.pk}"
    assert (case.duel, case.ordinal, case.opened_by) == (duel, 1, ada)
    assert case.rule == "R21"  # the number of this rule on the rules page
    assert case.status == CaseStatus.OPEN
    assert case.is_unclaimed


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"ordinal": 9}, "no_such_turn", ""),
        ({"category": "name"}, "unknown_category", "category"),
        ({"category": ""}, "unknown_category", "category"),
        ({"rule": "R9999"}, "unknown_rule", "rule"),
        ({"words": " \n\u200b "}, "no_words", "words"),
        ({"words": "x" * (MAX_CASE_WORDS_LENGTH + 1)}, "too_long", "words"),
    ],
)
def test_invalid_dispute_is_rejected_with_the_name_of_the_wrong_field(
    duel, ada, changes, code, field
):
    with pytest.raises(Refused) as refused:
        dispute(duel, ada, **changes)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not Case.objects.exists()


def test_only_players_of_a_duel_that_has_started_can_open_a_dispute(duel, ada, cleo):
    with pytest.raises(Refused, match="not in this duel"):
        dispute(duel, cleo)
    with pytest.raises(Refused) as refused:
        dispute(challenge(ada, cleo), ada)
    assert refused.value.code == "not_begun"


def test_practice_duels_and_duels_with_guests_cannot_be_disputed(db, ada):
    guest = guests.create_guest(key="k" * 64, now=NOW)
    for wizard in (ada, guest):
        practice = practising.start_practice(wizard=wizard, ruleset="bartle-1", now=NOW)
        with pytest.raises(Refused, match="Practice duels have no referees"):
            dispute(practice, wizard)


@pytest.mark.sqlite
def test_player_can_have_only_one_open_dispute_per_duel(case, duel, ada, bram):
    with pytest.raises(Refused) as refused:
        dispute(duel, ada)
    assert refused.value.code == "one_at_a_time"
    assert case.title in refused.value.text
    assert dispute(duel, bram).pk != case.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.create(
            kind="dispute", duel=duel, ordinal=1, opened_by=ada, category="rule", words="x",
            opened_at=NOW,
        )  # fmt: skip


def test_number_of_disputes_per_duel_and_per_month_is_limited(duel, ada):
    for _ in range(MAX_DISPUTES_PER_DUEL):
        withdraw_own_case(case_id=dispute(duel, ada).pk, wizard=ada, now=NOW)
    with pytest.raises(Refused) as refused:
        dispute(duel, ada)
    assert refused.value.code == "too_many_disputes"
    other = begin(ada, make_wizard("Esme"))
    Case.objects.bulk_create(
        Case(
            kind="dispute", duel=other, ordinal=1, opened_by=ada, category="rule", words="x",
            opened_at=NOW, status="withdrawn", ended_at=NOW,
        )
        for _ in range(MAX_DISPUTES_PER_DUEL - 1)
    )  # fmt: skip
    third = begin(ada, make_wizard("Finn"))
    for _ in range(MAX_DISPUTES_PER_MONTH - 2 * MAX_DISPUTES_PER_DUEL + 1):
        Case.objects.create(
            kind="dispute", duel=third, ordinal=1, opened_by=ada, category="rule", words="x",
            opened_at=NOW, status="withdrawn", ended_at=NOW,
        )  # fmt: skip
    with pytest.raises(Refused) as refused:
        dispute(other, ada)
    assert refused.value.code == "too_many_disputes"
    assert dispute(other, ada, now=NOW + MONTH).is_open


def test_duel_can_be_disputed_for_a_month_after_its_end(duel, ada, bram):
    endings.resign(duel_id=duel.pk, wizard=bram, now=NOW)
    with pytest.raises(Refused) as refused:
        dispute(duel, ada, now=NOW + MONTH)
    assert refused.value.code == "over_long_ago"
    assert dispute(duel, ada, now=NOW + MONTH - timedelta(seconds=1)).is_open


def test_only_the_opener_can_withdraw_a_dispute(case, ada, bram):
    with pytest.raises(Refused) as refused:
        withdraw_own_case(case_id=case.pk, wizard=bram, now=LATER)
    assert refused.value.code == "not_your_case"
    withdrawn = withdraw_own_case(case_id=case.pk, wizard=ada, now=LATER)
    assert (withdrawn.status, withdrawn.ended_at) == (CaseStatus.WITHDRAWN, LATER)
    with pytest.raises(Refused) as refused:
        withdraw_own_case(case_id=case.pk, wizard=ada, now=LATER)
    assert refused.value.code == "case_over"
    with pytest.raises(Refused) as refused:
        withdraw_own_case(case_id=case.pk + 1, wizard=ada, now=LATER)
    assert refused.value.code == "no_such_case"


def test_only_wizards_of_the_duel_can_comment_on_a_dispute(case, ada, bram, cleo):
    for number in range(MAX_STATEMENTS):
        said = add_statement(case_id=case.pk, wizard=bram, words=f"It was not, {number}.", now=NOW)
    assert said.audience == "players"
    with pytest.raises(Refused) as refused:
        add_statement(case_id=case.pk, wizard=bram, words="And again.", now=NOW)
    assert (refused.value.code, refused.value.field) == ("too_many_notes", "words")
    with pytest.raises(Refused) as refused:
        add_statement(case_id=case.pk, wizard=cleo, words="I saw it.", now=NOW)
    assert refused.value.code == "not_your_duel"
    withdraw_own_case(case_id=case.pk, wizard=ada, now=NOW)
    with pytest.raises(Refused) as refused:
        add_statement(case_id=case.pk, wizard=ada, words="One more thing.", now=NOW)
    assert refused.value.code == "case_over"


# Reports


def test_each_reader_can_report_a_message_once(duel, ada, bram, cleo):
    speech = speaking.send_message(duel_id=duel.pk, wizard=bram, words="You cheat.", now=NOW)
    report = report_message(speech_id=speech.pk, wizard=cleo, words="Rude.", now=NOW)
    assert (report.quoted, report.about, report.duel) == ("You cheat.", bram, duel)
    assert not report.is_dispute
    with pytest.raises(Refused) as refused:
        report_message(speech_id=speech.pk, wizard=cleo, words="Rude.", now=NOW)
    assert refused.value.code == "reported_already"
    with pytest.raises(Refused) as refused:
        report_message(speech_id=speech.pk, wizard=bram, words="Rude.", now=NOW)
    assert refused.value.code == "own_report"
    Duel.objects.filter(pk=duel.pk).update(visibility="private")
    dorn = make_wizard("Gwen")
    for unknown in (speech.pk, speech.pk + 1):
        with pytest.raises(Refused) as refused:
            report_message(speech_id=unknown, wizard=dorn, words="Rude.", now=NOW)
        assert refused.value.code == "no_such_words"
    assert report_message(speech_id=speech.pk, wizard=ada, words="Rude.", now=NOW)


def test_number_of_reported_names_is_limited(ada, bram):
    report = report_name(about=bram, wizard=ada, words="That is me in French.", now=NOW)
    assert (report.quoted, report.category, report.duel) == ("Bram", "name", None)
    with pytest.raises(Refused) as refused:
        report_name(about=bram, wizard=ada, words="Still.", now=NOW)
    assert refused.value.code == "reported_already"
    with pytest.raises(Refused) as refused:
        report_name(about=ada, wizard=ada, words="Mine.", now=NOW)
    assert refused.value.code == "own_report"
    withdraw_own_case(case_id=report.pk, wizard=ada, now=NOW)
    for _ in range(MAX_REPORTS_PER_DAY - 1):
        again = report_name(about=bram, wizard=ada, words="Still.", now=NOW)
        withdraw_own_case(case_id=again.pk, wizard=ada, now=NOW)
    with pytest.raises(Refused) as refused:
        report_name(about=bram, wizard=ada, words="Still.", now=NOW)
    assert refused.value.code == "too_many_reports"


def test_guest_can_report_and_keeps_the_report_after_sign_up(db, ada, bram):
    guest = guests.create_guest(key="k" * 64, now=NOW)
    report = report_name(about=bram, wizard=guest, words="Hm.", now=NOW)
    guests.claim_guest(guest=guest, wizard=ada)
    report.refresh_from_db()
    assert report.opened_by == ada
