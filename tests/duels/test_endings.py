"""Ending a duel before the rules do: resigning, and agreeing on a draw."""

import pytest

from duels import adjudication, commands, queries
from duels.models import (
    Draft,
    Duel,
    DuelStatus,
    Notice,
    NoticeKind,
    Orders,
    Outcome,
    Stage,
    Turn,
    Wizard,
)
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal, seat

IDLE = hands("-", "-")


@pytest.fixture
def duel(ada: Wizard, bram: Wizard) -> Duel:
    return begin(ada, bram)


@pytest.fixture
def melee(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, cast.cleo)


def test_resigning_ends_a_duel_of_two_at_once(duel: Duel, ada: Wizard, bram: Wizard):
    turn = open_turn(duel)
    seal(duel, bram, hands("W", "P"))
    commands.save_draft(turn_id=turn.pk, wizard=ada, fields=hands("S", "S"), now=NOW)
    for _ in range(2):
        duel = commands.resign(duel_id=duel.pk, wizard=ada, now=LATER)
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, "resigned", "w1")
    assert (duel.ended_at, duel.is_over) == (LATER, True)
    assert (seat(duel, ada).outcome, seat(duel, bram).outcome) == (
        Outcome.RESIGNED,
        Outcome.WON,
    )
    turn.refresh_from_db()
    assert (turn.stage, turn.resigned) == (Stage.RESOLVED, ["w0"])
    codes = [event.code for event in adjudication.loaded_events(turn.events)]
    assert "resigned" in codes
    assert "gestured" not in codes
    assert Notice.objects.filter(kind=NoticeKind.OVER).count() == 2
    assert not Draft.objects.exists()
    assert not queries.duels_awaiting(bram, NOW)


def test_only_its_wizards_resign_or_offer_a_draw(duel: Duel, cast: Cast):
    for command in (commands.resign, commands.offer_draw, commands.decline_draw):
        with pytest.raises(commands.Refused) as refused:
            command(duel_id=duel.pk, wizard=cast.dorn, now=NOW)
        assert refused.value.code == "not_your_duel"
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING


def test_what_is_over_is_not_resigned_or_drawn(duel: Duel, ada: Wizard, bram: Wizard):
    commands.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    for command in (commands.resign, commands.offer_draw, commands.decline_draw):
        with pytest.raises(commands.Refused) as refused:
            command(duel_id=duel.pk, wizard=bram, now=NOW)
        assert refused.value.code == "duel_not_running"


def test_the_others_go_on_without_who_resigns(melee: Duel, cast: Cast):
    seal(melee, cast.ada, hands("F", "F"))
    seal(melee, cast.bram, hands("W", "P", right_subject="w0"))
    commands.resign(duel_id=melee.pk, wizard=cast.ada, now=LATER)
    melee.refresh_from_db()
    assert melee.status == DuelStatus.RUNNING
    turn = open_turn(melee)
    assert (turn.ordinal, turn.missing, turn.resigned) == (1, 1, ["w0"])
    assert not Orders.objects.get(seat__wizard=cast.bram).superseded
    turn = play(melee, {cast.cleo: IDLE})
    assert turn.stage == Stage.RESOLVED
    gestures = [e for e in adjudication.loaded_events(turn.events) if e.code == "gestured"]
    assert len(gestures) == 2
    assert seat(melee, cast.ada).outcome == Outcome.RESIGNED
    with pytest.raises(commands.Refused):
        seal(melee, cast.ada, IDLE)


def test_the_last_one_missing_resigns_and_the_turn_is_resolved(
    melee: Duel, cast: Cast, django_capture_on_commit_callbacks
):
    turn = open_turn(melee)
    for wizard in (cast.ada, cast.bram):
        seal(melee, wizard, IDLE)
    with django_capture_on_commit_callbacks(execute=True):
        commands.resign(duel_id=melee.pk, wizard=cast.cleo, now=NOW)
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    assert open_turn(melee).missing == 2


def test_resigning_shows_in_the_report_at_once(melee: Duel, cast: Cast):
    commands.resign(duel_id=melee.pk, wizard=cast.ada, now=LATER)
    reports = queries.duel_page(melee, cast.bram, NOW).reports
    assert any("Ada" in line.text for report in reports for line in report.lines)


def test_all_but_one_resign(melee: Duel, cast: Cast):
    commands.resign(duel_id=melee.pk, wizard=cast.ada, now=NOW)
    commands.resign(duel_id=melee.pk, wizard=cast.cleo, now=NOW)
    melee.refresh_from_db()
    assert (melee.ended, melee.result) == ("resigned", "w1")
    turn = Turn.objects.get(duel=melee)
    assert turn.resigned == ["w0", "w2"]


def test_who_was_asked_resigns_and_the_turn_goes_on(melee: Duel, cast: Cast):
    for letter in "WDW":
        turn = play(melee, {cast.ada: hands("F", letter), cast.bram: IDLE, cast.cleo: IDLE})
    assert turn.stage == Stage.ANSWERS
    commands.resign(duel_id=melee.pk, wizard=cast.ada, now=NOW)
    assert commands.resolve_turn(turn_id=turn.pk)
    position = adjudication.position_of(open_turn(melee))
    assert "paralysis" not in position.wizard("w1").effects


def test_of_one_who_resigns_nothing_is_asked_any_more(melee: Duel, cast: Cast):
    for letter in "WDW":
        turn = play(melee, {cast.ada: hands("F", letter), cast.bram: IDLE, cast.cleo: IDLE})
    assert queries.duel_page(melee, cast.cleo, NOW).waiting_for == ("Ada",)
    commands.resign(duel_id=melee.pk, wizard=cast.bram, now=NOW)
    page = queries.duel_page(melee, cast.ada, NOW)
    assert (page.questions, page.waiting_for) == ((), ())
    # Ada named no subject, so the spell goes to her next opponent now: that is another question.
    commands.resolve_turn(turn_id=turn.pk)
    (question,) = queries.duel_page(melee, cast.ada, NOW).questions
    assert (question.about, "Cleo" in question.text) == ("w2", True)


def test_a_draw_is_agreed_when_everybody_has_offered(duel: Duel, ada: Wizard, bram: Wizard):
    seal(duel, ada, hands("W", "P"))
    for _ in range(2):
        duel = commands.offer_draw(duel_id=duel.pk, wizard=ada, now=NOW)
        assert duel.status == DuelStatus.RUNNING
    assert queries.duel_page(duel, bram, NOW).draw_offered_by == ("Ada",)
    assert list(
        Notice.objects.filter(kind=NoticeKind.DRAW_OFFERED).values_list(
            "wizard__name", "about__name"
        )
    ) == [("Bram", "Ada")]
    duel = commands.offer_draw(duel_id=duel.pk, wizard=bram, now=LATER)
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, "agreed", "draw")
    assert Turn.objects.get().stage == Stage.VOID
    assert {seat(duel, ada).outcome, seat(duel, bram).outcome} == {Outcome.DREW}
    # What was sealed for a turn that was not played stays sealed.
    assert not Orders.objects.get().body.startswith("{")


def test_all_standing_wizards_have_to_agree(melee: Duel, cast: Cast):
    commands.resign(duel_id=melee.pk, wizard=cast.ada, now=NOW)
    assert commands.offer_draw(duel_id=melee.pk, wizard=cast.bram, now=NOW).result == ""
    with pytest.raises(commands.Refused) as refused:
        commands.offer_draw(duel_id=melee.pk, wizard=cast.ada, now=NOW)
    assert refused.value.code == "out_of_it"
    assert commands.offer_draw(duel_id=melee.pk, wizard=cast.cleo, now=NOW).result == "draw"
    assert seat(melee, cast.ada).outcome == Outcome.RESIGNED


def test_an_offer_can_be_declined_and_is_told_once_a_turn(duel: Duel, ada: Wizard, bram: Wizard):
    for _ in range(2):
        commands.offer_draw(duel_id=duel.pk, wizard=ada, now=NOW)
        commands.decline_draw(duel_id=duel.pk, wizard=bram, now=NOW)
        commands.decline_draw(duel_id=duel.pk, wizard=bram, now=NOW)
        assert queries.duel_page(duel, bram, NOW).draw_offered_by == ()
    assert Notice.objects.filter(kind=NoticeKind.DRAW_OFFERED).count() == 1
    assert commands.offer_draw(duel_id=duel.pk, wizard=bram, now=NOW).result == ""


def test_offers_end_when_one_of_three_resigns(melee: Duel, cast: Cast):
    for wizard in (cast.ada, cast.bram):
        commands.offer_draw(duel_id=melee.pk, wizard=wizard, now=NOW)
    commands.resign(duel_id=melee.pk, wizard=cast.cleo, now=NOW)
    assert queries.duel_page(melee, cast.ada, NOW).draw_offered_by == ()
    assert commands.offer_draw(duel_id=melee.pk, wizard=cast.ada, now=NOW).result == ""
    assert commands.offer_draw(duel_id=melee.pk, wizard=cast.bram, now=NOW).result == "draw"


def test_who_is_out_of_it_declines_nothing_for_the_others(melee: Duel, cast: Cast):
    commands.resign(duel_id=melee.pk, wizard=cast.ada, now=NOW)
    commands.offer_draw(duel_id=melee.pk, wizard=cast.bram, now=NOW)
    with pytest.raises(commands.Refused) as refused:
        commands.decline_draw(duel_id=melee.pk, wizard=cast.ada, now=NOW)
    assert refused.value.code == "out_of_it"
    assert queries.duel_page(melee, cast.cleo, NOW).draw_offered_by == ("Bram",)


def test_an_offer_does_not_stand_for_ever(duel: Duel, ada: Wizard, bram: Wizard):
    commands.offer_draw(duel_id=duel.pk, wizard=ada, now=NOW)
    play(duel, {ada: IDLE, bram: IDLE})
    assert queries.duel_page(duel, bram, NOW).draw_offered_by == ("Ada",)
    play(duel, {ada: IDLE, bram: IDLE})
    assert queries.duel_page(duel, bram, NOW).draw_offered_by == ()
    assert commands.offer_draw(duel_id=duel.pk, wizard=bram, now=NOW).result == ""
