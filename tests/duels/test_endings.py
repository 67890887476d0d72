"""Early ends of a duel by resignations and agreed draws."""

import re
from functools import partial

import pytest
from django.utils import timezone

from duels import errors
from duels.commands import challenges, endings, resolution, sealing
from duels.loaded import adjudication
from duels.models import Draft, Duel, DuelStatus, Orders, Outcome, Stage, Turn, Wizard
from duels.post.models import Notice
from duels.post.timing import is_outdated
from duels.queries import pages
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    count_missing_wizards,
    hands,
    open_turn,
    play,
    seal,
    seat,
    signed_in,
)
from tests.duels import duel_rows

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


@pytest.fixture
def duel_of_three(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, cast.cleo)


def test_resigning_ends_a_duel_of_two_at_once(duel: Duel, ada: Wizard, bram: Wizard):
    turn = open_turn(duel)
    seal(duel, bram, hands("W", "P"))
    sealing.save_draft(turn_id=turn.pk, wizard=ada, fields=hands("S", "S"), now=NOW)
    for _ in range(2):
        duel = endings.resign(duel_id=duel.pk, wizard=ada, now=LATER)
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, "resigned", "w1")
    assert (duel.ended_at, duel.is_over) == (LATER, True)
    assert (seat(duel, ada).outcome, seat(duel, bram).outcome) == (
        Outcome.RESIGNED,
        Outcome.WON,
    )
    turn.refresh_from_db()
    assert (turn.stage, turn.resigned) == (Stage.RESOLVED, ["w0"])
    codes = [event.code for event in adjudication.load_stored_events(turn.events)]
    assert "resigned" in codes
    assert "gestured" not in codes
    assert Notice.objects.filter(kind="over").count() == 2
    assert not Draft.objects.exists()
    assert not duel_rows.duels_awaiting(bram, NOW)


def test_only_players_of_a_duel_can_resign_or_offer_a_draw(duel: Duel, cast: Cast):
    for command in (
        endings.resign,
        partial(endings.offer_draw, ordinal=None),
        partial(endings.decline_draw, ordinal=None),
        partial(endings.withdraw_draw, ordinal=None),
    ):
        with pytest.raises(errors.Refused) as refused:
            command(duel_id=duel.pk, wizard=cast.dorn, now=NOW)
        assert refused.value.code == "not_your_duel"
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_finished_duel_cannot_be_resigned_or_drawn(duel: Duel, ada: Wizard, bram: Wizard):
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    for command in (
        endings.resign,
        partial(endings.offer_draw, ordinal=None),
        partial(endings.decline_draw, ordinal=None),
        partial(endings.withdraw_draw, ordinal=None),
    ):
        with pytest.raises(errors.Refused) as refused:
            command(duel_id=duel.pk, wizard=bram, now=NOW)
        assert refused.value.code == "duel_not_running"


def test_duel_of_three_continues_after_one_wizard_resigns(duel_of_three: Duel, cast: Cast):
    seal(duel_of_three, cast.ada, hands("F", "F"))
    seal(duel_of_three, cast.bram, hands("W", "P", right_subject="w0"))
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.ada, now=LATER)
    duel_of_three.refresh_from_db()
    assert duel_of_three.status == DuelStatus.RUNNING
    turn = open_turn(duel_of_three)
    assert (turn.ordinal, count_missing_wizards(turn), turn.resigned) == (1, 1, ["w0"])
    assert not Orders.objects.get(seat__wizard=cast.bram).superseded
    turn = play(duel_of_three, {cast.cleo: IDLE})
    assert turn.stage == Stage.RESOLVED
    gestures = [e for e in adjudication.load_stored_events(turn.events) if e.code == "gestured"]
    assert len(gestures) == 2
    assert seat(duel_of_three, cast.ada).outcome == Outcome.RESIGNED
    with pytest.raises(errors.Refused):
        seal(duel_of_three, cast.ada, IDLE)


def test_turn_is_resolved_when_the_last_awaited_wizard_resigns(
    duel_of_three: Duel, cast: Cast, django_capture_on_commit_callbacks
):
    turn = open_turn(duel_of_three)
    for wizard in (cast.ada, cast.bram):
        seal(duel_of_three, wizard, IDLE)
    with django_capture_on_commit_callbacks(execute=True):
        endings.resign(duel_id=duel_of_three.pk, wizard=cast.cleo, now=NOW)
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    assert count_missing_wizards(open_turn(duel_of_three)) == 2


def test_resignation_is_shown_on_the_page_at_once(duel_of_three: Duel, cast: Cast):
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.ada, now=LATER)
    reports = pages.duel_page(duel_of_three, cast.bram).reports
    assert any("Ada" in line.text for report in reports for line in report.lines)


def test_last_wizard_wins_if_everyone_else_resigns(duel_of_three: Duel, cast: Cast):
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.ada, now=NOW)
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.cleo, now=NOW)
    duel_of_three.refresh_from_db()
    assert (duel_of_three.ended, duel_of_three.result) == ("resigned", "w1")
    turn = Turn.objects.get(duel=duel_of_three)
    assert turn.resigned == ["w0", "w2"]


def test_turn_is_resolved_when_the_wizard_with_a_question_resigns(duel_of_three: Duel, cast: Cast):
    for letter in "WDW":
        turn = play(duel_of_three, {cast.ada: hands("F", letter), cast.bram: IDLE, cast.cleo: IDLE})
    assert turn.stage == Stage.ANSWERS
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.ada, now=NOW)
    assert resolution.resolve_turn(turn_id=turn.pk)
    position = adjudication.position_after_departures(open_turn(duel_of_three))
    assert "paralysis" not in position.wizard("w1").effects


def test_question_about_a_wizard_who_resigns_is_withdrawn(duel_of_three: Duel, cast: Cast):
    for letter in "WDW":
        turn = play(duel_of_three, {cast.ada: hands("F", letter), cast.bram: IDLE, cast.cleo: IDLE})
    assert pages.duel_page(duel_of_three, cast.cleo).waiting_for == ("Ada",)
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.bram, now=NOW)
    page = pages.duel_page(duel_of_three, cast.ada)
    assert (page.questions, page.waiting_for) == ((), ())
    # Ada did not name a subject, so the spell targets her next opponent, and she is asked again.
    resolution.resolve_turn(turn_id=turn.pk)
    (question,) = pages.duel_page(duel_of_three, cast.ada).questions
    assert (question.about, "Cleo" in question.text) == ("w2", True)


def test_duel_is_drawn_when_everyone_has_offered_a_draw(duel: Duel, ada: Wizard, bram: Wizard):
    seal(duel, ada, hands("W", "P"))
    for _ in range(2):
        duel = endings.offer_draw(duel_id=duel.pk, wizard=ada, ordinal=None, now=NOW)
        assert duel.status == DuelStatus.RUNNING
    assert pages.duel_page(duel, bram).draw_offered_by == ("Ada",)
    assert list(
        Notice.objects.filter(kind="draw_offered").values_list("wizard__name", "about__name")
    ) == [("Bram", "Ada")]
    duel = endings.offer_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=LATER)
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, "agreed", "draw")
    assert Turn.objects.get().stage == Stage.VOID
    assert {seat(duel, ada).outcome, seat(duel, bram).outcome} == {Outcome.DREW}
    # sealed orders of the turn that was not played become public like all others
    assert Orders.objects.get().body.startswith("{")


def test_draw_needs_the_agreement_of_all_remaining_wizards(duel_of_three: Duel, cast: Cast):
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.ada, now=NOW)
    assert (
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.bram, ordinal=None, now=NOW).result
        == ""
    )
    with pytest.raises(errors.Refused) as refused:
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.ada, ordinal=None, now=NOW)
    assert refused.value.code == "out_of_it"
    assert (
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.cleo, ordinal=None, now=NOW).result
        == "draw"
    )
    assert seat(duel_of_three, cast.ada).outcome == Outcome.RESIGNED


def test_offering_and_declining_a_draw_notifies_each_wizard_once_per_turn(
    duel: Duel, ada: Wizard, bram: Wizard
):
    for _ in range(2):
        endings.offer_draw(duel_id=duel.pk, wizard=ada, ordinal=None, now=NOW)
        endings.decline_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=NOW)
        endings.decline_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=NOW)
        assert pages.duel_page(duel, bram).draw_offered_by == ()
    declined = Notice.objects.get(kind="draw_declined")
    assert (declined.wizard, declined.about) == (ada, bram)
    assert Notice.objects.filter(kind="draw_offered").count() == 1
    assert endings.offer_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=NOW).result == ""


def test_everyone_who_offered_a_draw_is_notified_that_it_was_declined(
    duel_of_three: Duel, cast: Cast
):
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=wizard, ordinal=None, now=NOW)
    endings.decline_draw(duel_id=duel_of_three.pk, wizard=cast.cleo, ordinal=None, now=NOW)
    declined = Notice.objects.filter(kind="draw_declined", about=cast.cleo)
    assert set(declined.values_list("wizard__name", flat=True)) == {"Ada", "Bram"}
    notice = declined[0]
    assert not is_outdated(notice, seat(duel_of_three, notice.wizard))
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.cleo, now=NOW)
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.bram, now=NOW)
    assert is_outdated(Notice.objects.get(pk=notice.pk), seat(duel_of_three, notice.wizard))


def test_draw_offer_can_be_withdrawn(duel_of_three: Duel, cast: Cast):
    """Other offers are kept, no notice is sent, and a queued email about this offer is dropped."""
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=wizard, ordinal=None, now=NOW)
    for _ in range(2):
        endings.withdraw_draw(duel_id=duel_of_three.pk, wizard=cast.ada, ordinal=None, now=NOW)
        assert pages.duel_page(duel_of_three, cast.cleo).draw_offered_by == ("Bram",)
    assert Notice.objects.filter(kind="draw_offered").count() == 4
    of_ada, of_bram = (
        Notice.objects.get(kind="draw_offered", wizard=cast.cleo, about=about)
        for about in (cast.ada, cast.bram)
    )
    assert is_outdated(of_ada, seat(duel_of_three, cast.cleo))
    assert not is_outdated(of_bram, seat(duel_of_three, cast.cleo))
    assert (
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.cleo, ordinal=None, now=NOW).result
        == ""
    )
    assert (
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.ada, ordinal=None, now=NOW).result
        == "draw"
    )


def test_draw_offers_end_when_one_of_three_wizards_resigns(duel_of_three: Duel, cast: Cast):
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=wizard, ordinal=None, now=NOW)
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.cleo, now=NOW)
    assert pages.duel_page(duel_of_three, cast.ada).draw_offered_by == ()
    assert (
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.ada, ordinal=None, now=NOW).result
        == ""
    )
    assert (
        endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.bram, ordinal=None, now=NOW).result
        == "draw"
    )


def test_wizard_who_has_resigned_cannot_decline_a_draw(duel_of_three: Duel, cast: Cast):
    endings.resign(duel_id=duel_of_three.pk, wizard=cast.ada, now=NOW)
    endings.offer_draw(duel_id=duel_of_three.pk, wizard=cast.bram, ordinal=None, now=NOW)
    with pytest.raises(errors.Refused) as refused:
        endings.decline_draw(duel_id=duel_of_three.pk, wizard=cast.ada, ordinal=None, now=NOW)
    assert refused.value.code == "out_of_it"
    assert pages.duel_page(duel_of_three, cast.cleo).draw_offered_by == ("Bram",)


def test_draw_offer_expires_after_the_next_turn_is_played(duel: Duel, ada: Wizard, bram: Wizard):
    endings.offer_draw(duel_id=duel.pk, wizard=ada, ordinal=None, now=NOW)
    play(duel, {ada: IDLE, bram: IDLE})
    assert pages.duel_page(duel, bram).draw_offered_by == ("Ada",)
    play(duel, {ada: IDLE, bram: IDLE})
    assert pages.duel_page(duel, bram).draw_offered_by == ()
    assert endings.offer_draw(duel_id=duel.pk, wizard=bram, ordinal=None, now=NOW).result == ""


# Rematches, which the page of a finished duel shows


def test_page_and_polls_of_a_finished_duel_report_the_rematch(
    cast: Cast,
) -> None:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    ada, bram, dorn = signed_in(cast.ada), signed_in(cast.bram), signed_in(cast.dorn)
    at, poll = f"/duels/{duel.pk}/", f"/duels/{duel.pk}/poll"
    assert '<button class="prime">Ask for a rematch</button>' in bram.get(at).content.decode()
    assert bram.get(poll).json()["rematch"] == ""
    asked = challenges.request_rematch(duel_id=duel.pk, wizard=cast.ada, now=timezone.now())
    page = bram.get(at).content.decode()
    assert "Ada wants a rematch." in page
    assert "Accept rematch" in page
    assert bram.get(poll).json()["rematch"] == "gathering"
    assert "You have asked for a rematch." in ada.get(at).content.decode()
    link = f'value="http://testserver/duels/{asked.pk}/"'
    assert link in ada.get(f"/duels/{asked.pk}/").content.decode()
    assert dorn.get(poll).json()["rematch"] == ""
    assert "rematch" not in re.sub("data-state='[^']*'", "", dorn.get(at).content.decode()).lower()
    bram.post(f"{at}rematch")
    assert f'href="/duels/{asked.pk}/">Go to the rematch' in ada.get(at).content.decode()
    assert ada.get(poll).json()["rematch"] == "running"


def test_declined_rematch_can_be_requested_again(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    asked = challenges.request_rematch(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    challenges.decline(duel_id=asked.pk, wizard=cast.bram, now=NOW)
    for wizard in (cast.ada, cast.bram):
        page = signed_in(wizard).get(f"/duels/{duel.pk}/").content.decode()
        assert '<button class="prime">Ask for a rematch</button>' in page


def test_list_of_duels_mentions_a_challenge_that_awaits_the_players_answer(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    told = "A challenge is waiting for your answer"
    assert told not in signed_in(cast.bram).get("/duels/").content.decode()
    challenges.request_rematch(duel_id=duel.pk, wizard=cast.ada, now=timezone.now())
    assert told in signed_in(cast.bram).get("/duels/").content.decode()
    assert told not in signed_in(cast.ada).get("/duels/").content.decode()
