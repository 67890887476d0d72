"""Handling of cases by referees: claiming, handing over, returning, commenting and ruling."""

from datetime import timedelta
from typing import Any

import pytest

from duels.commands import challenges, closing, endings
from duels.errors import Refused
from duels.models import ActKind, Seat
from duels.referees import appointments
from duels.referees.acts import carrying_out
from duels.referees.cases.appeals import open_appeal, withdraw_appeal
from duels.referees.cases.case_state import APPEAL_PERIOD, appeal_deadline
from duels.referees.cases.disputes import end_cases_of, open_dispute, withdraw_own_case
from duels.referees.cases.eligibility import RECENT_DUEL_PERIOD, handling_refusal
from duels.referees.cases.handling import (
    UNATTENDED_AFTER,
    add_note,
    claim_case,
    close_report,
    give_back_case,
    hand_over_case,
)
from duels.referees.cases.objections import object_to_referee
from duels.referees.cases.queries import (
    case_figures,
    cases_held_by,
    notes_of,
    rulings_citing,
    settling_rulings_by_rule,
    unclaimed_cases,
    visible_case,
)
from duels.referees.cases.reports import report_name
from duels.referees.cases.rulings import rule_on_case
from duels.referees.log import act_log
from duels.referees.log.act_log import public_name
from duels.referees.models import Assignment, Case, CaseStatus, Note, Ruling
from tests.cast import LATER, NOW, begin, challenge, make_user, make_wizard
from tests.duels.referees.cases.conftest import referee_of_wizard

RULING_FIELDS: dict[str, Any] = {
    "verdict": "engine_right",
    "words": "The shield was a turn late.",
    "rules": ["R21"],
}


def rejection_code(command, **given) -> str:
    with pytest.raises(Refused) as refused:
        command(**given)
    return refused.value.code


# Eligibility


def test_referee_cannot_rule_on_their_own_duel(case, ada):
    assert (
        rejection_code(claim_case, case_id=case.pk, user=referee_of_wizard(ada), now=NOW)
        == "own_case"
    )


def test_referee_cannot_rule_on_a_current_opponent(case, bram, cleo):
    begin(cleo, bram)
    assert (
        rejection_code(claim_case, case_id=case.pk, user=referee_of_wizard(cleo), now=NOW)
        == "present_opponent"
    )


def test_referee_cannot_rule_on_a_recent_opponent(case, bram, cleo):
    other, user = begin(cleo, bram), referee_of_wizard(cleo)
    endings.resign(duel_id=other.pk, wizard=bram, now=NOW)
    late = NOW + RECENT_DUEL_PERIOD - timedelta(seconds=1)
    assert rejection_code(claim_case, case_id=case.pk, user=user, now=late) == "recent_opponent"
    assert claim_case(case_id=case.pk, user=user, now=NOW + RECENT_DUEL_PERIOD).referee == user


def test_referee_who_declined_a_players_challenge_does_not_count_as_an_opponent(case, bram, cleo):
    asked, user = challenge(cleo, bram), referee_of_wizard(cleo)
    assert rejection_code(claim_case, case_id=case.pk, user=user, now=NOW) == "present_opponent"
    challenges.decline(duel_id=asked.pk, wizard=bram, now=NOW)
    assert not Seat.objects.filter(wizard=cleo, duel_ended_at=None).exists()
    assert claim_case(case_id=case.pk, user=user, now=NOW).referee == user


def test_referee_is_eligible_until_they_accept_a_players_challenge(case, bram, cleo):
    asked, user = challenge(bram, cleo), referee_of_wizard(cleo)
    assert handling_refusal(user, case, NOW) is None
    challenges.accept(duel_id=asked.pk, wizard=cleo, now=NOW)
    refused = handling_refusal(user, case, NOW)
    assert refused is not None
    assert refused.code == "present_opponent"


def test_superuser_cannot_claim_a_case(case):
    operator = make_user("olga@example.org")
    operator.is_staff = operator.is_superuser = True
    operator.save()
    assert rejection_code(claim_case, case_id=case.pk, user=operator, now=NOW) == "not_referee"


def test_public_name_of_a_referee_without_a_wizard_is_a_number(theo, rhea, case):
    assert public_name(rhea) == "Rhea"
    assert public_name(theo) == f"Referee {theo.pk}"
    assert claim_case(case_id=case.pk, user=theo, now=NOW).referee == theo


def test_referee_who_becomes_an_opponent_loses_the_case(held, rhea, bram):
    begin(rhea.wizard, bram)
    assert (
        rejection_code(rule_on_case, case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS)
        == "present_opponent"
    )
    give_back_case(case_id=held.pk, user=rhea, reason="I play Bram now.", now=NOW)
    assert list(unclaimed_cases()) == [Case.objects.get(pk=held.pk)]


def test_replaced_player_keeps_their_rights_in_the_dispute(held, duel, rhea, silas, ada, cleo):
    """Ada, whose seat is given to Cleo, can still comment, appeal and withdraw, but not rule."""
    carrying_out.carry_out_act(
        ActKind.REPLACE,
        duel_id=duel.pk,
        by=act_log.referee_ref(rhea),
        reason="She asked for it.",
        fields={"seat": "w0", "wizard": "Cleo"},
        case=held.pk,
        now=NOW,
    )
    given: dict[str, Any] = {"case_id": held.pk, "now": NOW}
    rule_on_case(user=rhea, **given, **RULING_FIELDS)
    assert visible_case(held.pk, ada) == held
    refused = handling_refusal(referee_of_wizard(ada), held, NOW)
    assert refused is not None
    assert refused.code == "own_case"
    assert open_appeal(**given, wizard=ada, words="I never asked.")
    assert withdraw_appeal(**given, wizard=ada).status == CaseStatus.RULED
    assert visible_case(held.pk, cleo) == held


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(ActKind.REMOVE, {"seat": "w1"}), (ActKind.REPLACE, {"seat": "w1", "wizard": "Cleo"})],
)
def test_removed_player_can_appeal_only_earlier_rulings(rhea, silas, ada, bram, cleo, kind, fields):
    """Bram is removed from the duel in the second of three cases, all of which Ada opens."""
    duel = begin(ada, bram, make_wizard("Dora"), pace="259200")
    given = {"wizard": ada, "duel_id": duel.pk, "ordinal": 1, "category": "rule", "words": "Hm."}
    cases = []
    for day in range(3):
        now = NOW + timedelta(days=day)
        case = open_dispute(**given, now=now)
        claim_case(case_id=case.pk, user=rhea, now=now)
        if day == 1:
            by = act_log.referee_ref(rhea)
            carrying_out.carry_out_act(
                kind, duel_id=duel.pk, by=by, reason="Abuse.", fields=fields, case=case.pk, now=now
            )
        rule_on_case(case_id=case.pk, user=rhea, now=now, **RULING_FIELDS)
        cases.append(case)
    now = NOW + timedelta(days=4)
    attempts = [
        rejection_code(open_appeal, case_id=case.pk, wizard=bram, words="No.", now=now)
        for case in cases[2:]
    ]
    assert attempts == ["out_of_the_duel"]
    for case in cases[:2]:
        assert open_appeal(case_id=case.pk, wizard=bram, words="I was in it.", now=now)
        withdraw_appeal(case_id=case.pk, wizard=bram, now=now)
    assert open_appeal(case_id=cases[2].pk, wizard=ada, words="I am in it.", now=now)


# Claimed cases


def test_only_one_referee_can_claim_a_case(held, rhea, silas):
    assert (held.status, held.referee, held.claimed_at) == (CaseStatus.CLAIMED, rhea, NOW)
    assert claim_case(case_id=held.pk, user=rhea, now=LATER).claimed_at == NOW
    with pytest.raises(Refused, match="is already held by Rhea") as refused:
        claim_case(case_id=held.pk, user=silas, now=LATER)
    assert refused.value.code == "claimed_already"
    assert Assignment.objects.count() == 1


def test_case_that_its_referee_neglects_can_be_claimed_by_another(held, rhea, silas):
    """A case can also be claimed if its referee has lost the role or become an opponent."""
    late = NOW + UNATTENDED_AFTER
    add_note(case_id=held.pk, user=rhea, words="I look at it.", now=LATER)
    assert rejection_code(claim_case, case_id=held.pk, user=silas, now=late) == "claimed_already"
    assert claim_case(case_id=held.pk, user=silas, now=late + timedelta(hours=1)).referee == silas
    assert rejection_code(claim_case, case_id=held.pk, user=rhea, now=late) == "claimed_already"
    appointments.dismiss_referee(email=silas.email)
    assert claim_case(case_id=held.pk, user=rhea, now=late).referee == rhea


def test_handing_over_a_case_needs_a_reason_and_an_eligible_referee(held, rhea, silas, ada, duel):
    given: dict[str, Any] = {"case_id": held.pk, "user": rhea, "now": LATER}
    assert rejection_code(hand_over_case, **given, to=silas, reason=" ") == "no_words"
    assert rejection_code(hand_over_case, **given, to=rhea, reason="x") == "own_case_already"
    assert rejection_code(hand_over_case, **given, to=make_user("x@y.org"), reason="x") == (
        "no_such_referee_here"
    )
    with pytest.raises(Refused) as refused:
        hand_over_case(**given, to=referee_of_wizard(ada), reason="x")
    assert (refused.value.code, refused.value.field) == ("own_case", "to")
    hand_over_case(**given, to=silas, reason="I am away.")
    assert list(cases_held_by(silas)) == [Case.objects.get(pk=held.pk)]
    last = Assignment.objects.latest("pk")
    assert (last.kind, last.referee_name, last.reason) == ("handed_over", "Silas", "I am away.")
    assert rejection_code(rule_on_case, **given, **RULING_FIELDS) == "not_held"


def test_note_can_be_for_referees_only_or_also_for_players(held, rhea, silas, duel, ada, cleo):
    given: dict[str, Any] = {"case_id": held.pk, "now": NOW}
    add_note(**given, user=silas, words="Had one like it.")
    add_note(**given, user=rhea, words="Which hand was it?", for_players=True)
    assert (
        rejection_code(add_note, **given, user=silas, words="And?", for_players=True) == "not_held"
    )
    assert [each.words for each in notes_of(held, for_players=True)] == ["Which hand was it?"]
    assert len(notes_of(held, for_players=False)) == 2
    assert visible_case(held.pk, ada) == held
    assert visible_case(held.pk, cleo) is None
    assert visible_case(held.pk, None) is None


def test_report_can_be_closed_without_a_ruling_but_a_dispute_cannot(held, rhea, ada, bram):
    given: dict[str, Any] = {"user": rhea, "words": "It is a usual name.", "now": NOW}
    assert rejection_code(close_report, case_id=held.pk, **given) == "needs_ruling"
    report = report_name(about=bram, wizard=ada, words="Me, backwards.", now=NOW)
    assert rejection_code(close_report, case_id=report.pk, **given) == "not_held"
    claim_case(case_id=report.pk, user=rhea, now=NOW)
    assert close_report(case_id=report.pk, **given).status == CaseStatus.CLOSED
    assert Note.objects.get(case=report).audience == "players"
    assert visible_case(report.pk, bram) is None  # Bram must not find out who reported him


# Rulings


def test_ruling_ends_the_case_and_is_published(held, rhea):
    ruling = rule_on_case(
        case_id=held.pk, user=rhea, now=LATER, settles="spell:shield", **RULING_FIELDS
    )
    assert ruling.title == f"Ruling {ruling.pk}"
    held.refresh_from_db()
    assert (held.status, held.ended_at) == (CaseStatus.RULED, LATER)
    assert [each.rule for each in ruling.cited_rules.all()] == ["R21", "spell:shield"]
    assert list(rulings_citing("R21")) == [ruling]
    assert list(rulings_citing("R22")) == []
    assert settling_rulings_by_rule() == {"spell:shield": [ruling.pk]}
    assert (
        rejection_code(rule_on_case, case_id=held.pk, user=rhea, now=LATER, **RULING_FIELDS)
        == "case_over"
    )
    measured = case_figures(LATER)
    assert (measured.waiting, measured.held, measured.ruled) == (0, 0, 1)
    assert measured.median_days == pytest.approx(1 / 24)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"verdict": "who_knows"}, "unknown_verdict", "verdict"),
        ({"words": ""}, "no_words", "words"),
        ({"words": "Ada was late."}, "names_somebody", "words"),
        ({"rules": ["R9999"]}, "unknown_rule", "rules"),
        ({"settles": "R9999"}, "unknown_rule", "settles"),
        ({"rules": [" "]}, "no_rule", "rules"),
        ({"rules": [f"R{number}" for number in range(1, 14)]}, "too_many_rules", "rules"),
        ({"private_words": "x" * 5000}, "too_long", "private_words"),
    ],
)
def test_invalid_ruling_is_rejected_with_the_name_of_the_wrong_field(
    held, rhea, changes, code, field
):
    with pytest.raises(Refused) as refused:
        rule_on_case(case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS | changes)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not Ruling.objects.exists()


def test_published_ruling_cannot_contain_names(held, rhea):
    with pytest.raises(Refused, match="Write “the second wizard” instead"):
        rule_on_case(
            case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS | {"words": "Bram is right."}
        )
    words = "The second wizard is right, as a Bramble is no name."
    assert (
        rule_on_case(case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS | {"words": words}).words
        == words
    )


# Appeals


def test_only_one_appeal_is_possible_and_another_referee_decides_it(held, rhea, silas, bram, cleo):
    given: dict[str, Any] = {"case_id": held.pk, "now": LATER}
    assert rejection_code(open_appeal, **given, wizard=bram, words="No.") == "no_ruling_yet"
    rule_on_case(user=rhea, **given, settles="R21", **RULING_FIELDS)
    assert rejection_code(open_appeal, **given, wizard=cleo, words="No.") == "not_your_duel"
    assert rejection_code(open_appeal, **given, wizard=bram, words=" ") == "no_words"
    open_appeal(**given, wizard=bram, words="It was in time.")
    held.refresh_from_db()
    assert (held.status, held.round, held.referee) == (CaseStatus.APPEALED, 2, None)
    assert rejection_code(claim_case, **given, user=rhea) == "second_referee"
    claim_case(**given, user=silas)
    assert (
        rejection_code(hand_over_case, **given, user=silas, to=rhea, reason="x") == "second_referee"
    )
    wrong: dict[str, Any] = {
        "verdict": "engine_wrong",
        "words": "It was in time.",
        "rules": ["R21"],
    }
    second = rule_on_case(**given, user=silas, **wrong)
    assert rejection_code(open_appeal, **given, wizard=bram, words="Again.") == "appealed_already"
    assert settling_rulings_by_rule() == {}  # the second ruling has replaced the first
    assert Ruling.objects.filter(case=held).count() == 2
    assert second.round == 2


def test_appeal_is_possible_for_fourteen_days(held, rhea, ada):
    rule_on_case(case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS)
    late: dict[str, Any] = {
        "case_id": held.pk,
        "wizard": ada,
        "words": "No.",
        "now": NOW + APPEAL_PERIOD,
    }
    assert rejection_code(open_appeal, **late) == "appeal_too_late"
    assert open_appeal(**late | {"now": NOW + APPEAL_PERIOD - timedelta(seconds=1)})


def test_first_ruling_stays_in_force_after_an_appeal_is_withdrawn(held, rhea, ada, bram):
    rule_on_case(case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS)
    open_appeal(case_id=held.pk, wizard=bram, words="No.", now=NOW)
    assert (
        rejection_code(withdraw_own_case, case_id=held.pk, wizard=ada, now=NOW) == "ruled_already"
    )
    assert rejection_code(withdraw_appeal, case_id=held.pk, wizard=ada, now=NOW) == "not_your_case"
    case = withdraw_appeal(case_id=held.pk, wizard=bram, now=LATER)
    assert (case.status, case.referee, case.ended_at) == (CaseStatus.RULED, rhea, LATER)
    assert rejection_code(withdraw_appeal, case_id=held.pk, wizard=bram, now=NOW) == "case_over"
    assert rejection_code(open_appeal, case_id=held.pk, wizard=bram, words="No.", now=NOW) == (
        "appealed_already"
    )


def test_other_players_can_still_appeal_after_an_appeal_is_withdrawn(held, rhea, silas, ada, bram):
    """A player who likes the ruling could otherwise appeal to use up the time of the opponents."""
    given: dict[str, Any] = {"case_id": held.pk, "words": "It was in time."}
    rule_on_case(case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS)
    open_appeal(**given, wizard=bram, now=NOW)
    after = NOW + 2 * APPEAL_PERIOD
    case = withdraw_appeal(case_id=held.pk, wizard=bram, now=after)
    assert (case.round, appeal_deadline(case)) == (1, after + APPEAL_PERIOD)
    assert rejection_code(open_appeal, **given, wizard=bram, now=after) == "appealed_already"
    open_appeal(**given, wizard=ada, now=after)
    assert (
        rejection_code(withdraw_appeal, case_id=held.pk, wizard=bram, now=after) == "not_your_case"
    )
    assert rejection_code(claim_case, case_id=held.pk, user=rhea, now=after) == "second_referee"
    claim_case(case_id=held.pk, user=silas, now=after)
    assert rule_on_case(case_id=held.pk, user=silas, now=after, **RULING_FIELDS).round == 2
    assert rejection_code(open_appeal, **given, wizard=ada, now=after) == "appealed_already"


def test_closed_report_cannot_be_appealed(rhea, ada, bram):
    report = report_name(about=bram, wizard=ada, words="Me, backwards.", now=NOW)
    given: dict[str, Any] = {"case_id": report.pk, "now": NOW}
    claim_case(**given, user=rhea)
    rule_on_case(**given, user=rhea, verdict="no_conduct", words="A usual name.")
    assert rejection_code(open_appeal, **given, wizard=ada, words="No.") == "no_appeal"


def test_player_with_an_open_dispute_cannot_appeal(held, rhea, duel, ada):
    rule_on_case(case_id=held.pk, user=rhea, now=NOW, **RULING_FIELDS)
    open_dispute(
        duel_id=duel.pk, wizard=ada, ordinal=1, category="other", words="And this.", now=NOW
    )
    assert (
        rejection_code(open_appeal, case_id=held.pk, wizard=ada, words="No.", now=NOW)
        == "one_at_a_time"
    )


# Closed accounts


def test_closed_account_withdraws_its_disputes_and_returns_its_claimed_cases(
    case, duel, ada, bram, rhea, silas
):
    held = report_name(about=bram, wizard=ada, words="Me, backwards.", now=NOW)
    claim_case(case_id=held.pk, user=rhea, now=NOW)
    assert end_cases_of(user=ada.user, now=LATER) == 1
    assert Case.objects.get(pk=case.pk).status == CaseStatus.WITHDRAWN
    assert end_cases_of(user=rhea, now=LATER) == 1
    rhea.delete()
    assert claim_case(case_id=held.pk, user=silas, now=LATER).referee == silas
    assert [each.referee_name for each in Assignment.objects.filter(case=held)] == ["Rhea", "Silas"]


def test_closing_an_account_ends_its_disputes_and_duels(case, duel, ada, bram, rhea):
    report = report_name(about=bram, wizard=ada, words="Me, backwards.", now=NOW)
    claim_case(case_id=report.pk, user=rhea, now=NOW)
    closing.close_account(user=rhea, now=LATER)
    report.refresh_from_db()
    assert (report.status, report.referee) == (CaseStatus.OPEN, None)
    closing.close_account(user=ada.user, now=LATER)
    case.refresh_from_db()
    duel.refresh_from_db()
    assert case.status == CaseStatus.WITHDRAWN
    assert (duel.halted_at, duel.result) == (None, "w1")
    assert visible_case(case.pk, bram) == case


def test_ending_cases_of_a_user_without_cases_does_nothing(theo):
    assert end_cases_of(user=theo, now=NOW) == 0
    assert make_wizard("Hugo").cases.count() == 0


# Objections


def test_player_can_object_to_the_referee_of_a_case_once(held, ada, bram, cleo, rhea, silas, theo):
    words = "She is a friend of Bram’s."
    given = {"case_id": held.pk, "words": words, "now": NOW}
    assert rejection_code(object_to_referee, wizard=cleo, **given) == "not_your_duel"
    assert rejection_code(object_to_referee, wizard=ada, **given | {"words": " "}) == "no_words"
    made = object_to_referee(wizard=ada, **given)
    held.refresh_from_db()
    assert (held.status, held.referee, made.referee_name) == (CaseStatus.OPEN, None, "Rhea")
    refusal = handling_refusal(rhea, held, LATER)
    assert refusal is not None
    assert refusal.code == "objected_to"
    assert rejection_code(claim_case, case_id=held.pk, user=rhea, now=LATER) == "objected_to"
    assert words in Assignment.objects.filter(case=held).latest("pk").reason
    assert rejection_code(object_to_referee, wizard=bram, **given) == "no_referee_yet"
    claim_case(case_id=held.pk, user=silas, now=LATER)
    assert rejection_code(object_to_referee, wizard=ada, **given) == "objected_already"
    object_to_referee(wizard=bram, **given)
    claim_case(case_id=held.pk, user=theo, now=LATER)
    rule_on_case(case_id=held.pk, user=theo, now=LATER, **RULING_FIELDS)
    assert rejection_code(object_to_referee, wizard=bram, **given) == "case_over"


def test_objection_is_rejected_if_no_other_referee_is_eligible(held, ada, rhea):
    given = {"case_id": held.pk, "wizard": ada, "words": "No.", "now": NOW}
    assert rejection_code(object_to_referee, **given) == "no_other_referee"
    held.refresh_from_db()
    assert held.referee == rhea
