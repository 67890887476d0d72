"""Forms sent after the duel has changed, which must not affect its new state."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import challenges, endings, time_keeping
from duels.models import ActKind, Draft, Duel, DuelStatus, Orders, Seat
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, play, signed_in
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db

IDLE = hands("-", "-")


def form_fields(reader: Client, duel: Duel, action: str) -> dict[str, str]:
    """Return the hidden fields and the button of a form on the duel's page."""
    html = reader.get(f"/duels/{duel.pk}/").content.decode()
    start = html.index(f'action="/duels/{duel.pk}/{action}"')
    form = html[start : html.index("</form>", start)]
    found = re.findall(r'<(?:input type="hidden"|button) name="(\w+)" value="([^"]*)"', form)
    return dict(reversed(found))


def post_form(reader: Client, duel: Duel, action: str, fields: dict[str, str]) -> Any:
    return reader.post(f"/duels/{duel.pk}/{action}", fields)


def test_form_for_a_void_turn_does_not_affect_the_turn_that_replaced_it(cast: Cast) -> None:
    """After a rollback, a turn with the same number is open, from the same position or another."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    ada = signed_in(cast.ada)
    form = form_fields(ada, duel, "orders") | hands("W", "P", say="Before the rollback.")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="2")
    assert open_turn(duel).ordinal == 2
    for do in ("seal", "draft", "look"):
        answer = post_form(ada, duel, "orders", form | {"do": do})
        assert answer.status_code == 409, do
        assert "This turn is void" in answer.content.decode()
        assert "Before the rollback." in answer.content.decode()
    assert post_form(ada, duel, "sheet", form).status_code == 409
    assert post_form(ada, duel, "draft", form).status_code == 409
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()
    assert not Draft.objects.exists()
    form |= form_fields(ada, duel, "orders")
    assert post_form(ada, duel, "sheet", form).status_code == 200
    assert post_form(ada, duel, "orders", form | {"do": "seal"}).status_code == 302
    assert Orders.objects.get(turn=open_turn(duel)).seat.wizard == cast.ada


def test_late_answer_to_a_draw_offer_does_not_answer_a_later_offer(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    post_form(bram, duel, "draw", form_fields(bram, duel, "draw") | {"do": "offer"})
    late = form_fields(ada, duel, "draw")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    for do in ("agree", "decline", "offer", "withdraw"):
        answer = post_form(ada, duel, "draw", late | {"do": do, "form_key": ""})
        assert answer.status_code == 409, do
        assert "its draw offers have expired" in answer.content.decode()
    assert Seat.objects.get(duel=duel, wizard=cast.bram).draw_offered_in == 2
    post_form(ada, duel, "draw", form_fields(ada, duel, "draw") | {"do": "agree"})
    duel.refresh_from_db()
    assert duel.is_over


def test_form_for_a_void_turn_does_not_accept_an_offer_in_its_replacement(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    late = form_fields(ada, duel, "draw")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="2")
    endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    for do in ("agree", "decline"):
        assert post_form(ada, duel, "draw", late | {"do": do, "form_key": ""}).status_code == 409
    assert Seat.objects.get(duel=duel, wizard=cast.bram).draw_offered_in == 2
    assert (
        post_form(ada, duel, "draw", form_fields(ada, duel, "draw") | {"do": "agree"}).status_code
        == 302
    )
    duel.refresh_from_db()
    assert duel.is_over


def test_late_resignation_does_not_end_a_later_turn(cast: Cast) -> None:
    """The form is sent first after the next turn, and then after a rollback to its turn."""
    duel = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    html = ada.get(f"/duels/{duel.pk}/resign").content.decode()
    late = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    answer = post_form(ada, duel, "resign", late)
    assert answer.status_code == 409
    assert "You have not resigned." in answer.content.decode()
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert post_form(ada, duel, "resign", late).status_code == 409
    duel.refresh_from_db()
    assert not duel.is_over


def test_resignation_sent_again_after_a_rollback_has_no_effect(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    html = ada.get(f"/duels/{duel.pk}/resign").content.decode()
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    assert post_form(ada, duel, "resign", sent).status_code == 302
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    post_form(ada, duel, "resign", sent)
    duel.refresh_from_db()
    assert not duel.is_over


def test_late_acceptance_does_not_accept_other_terms(cast: Cast) -> None:
    """The challenger has withdrawn the challenge, or it was replaced by a counter-proposal."""
    bram = signed_in(cast.bram)
    now = timezone.now()
    withdrawn = challenge(cast.ada, cast.bram, now=now)
    form = form_fields(bram, withdrawn, "accept")
    challenges.withdraw(duel_id=withdrawn.pk, wizard=cast.ada, now=now)
    second = challenge(cast.ada, cast.bram, now=now)
    assert post_form(bram, withdrawn, "accept", form).status_code == 409
    countered = challenges.make_counterproposal(
        duel_id=second.pk,
        wizard=cast.bram,
        ruleset=second.ruleset,
        options=(),
        pace="86400",
        now=now,
    )
    for duel in (second, countered):
        assert post_form(bram, duel, "accept", form | {"form_key": ""}).status_code in (
            302,
            403,
            409,
        )
    assert not Duel.objects.filter(status=DuelStatus.RUNNING).exists()


def test_acceptance_sent_again_after_leaving_does_not_join_again(cast: Cast) -> None:
    bram = signed_in(cast.bram)
    duel = challenge(cast.ada, size=3, now=timezone.now())
    form = form_fields(bram, duel, "accept")
    assert post_form(bram, duel, "accept", form).status_code == 302
    challenges.leave(duel_id=duel.pk, wizard=cast.bram, now=timezone.now())
    post_form(bram, duel, "accept", form)
    assert not Seat.objects.filter(duel=duel, wizard=cast.bram).exists()


def test_late_request_to_pause_does_not_count_as_a_request_to_resume(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace="86400")
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    ask = form_fields(ada, duel, "pause")
    assert post_form(ada, duel, "pause", ask).status_code == 302
    agree = form_fields(bram, duel, "pause")
    assert agree["do"] == "agree"
    time_keeping.decline_pause(duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=NOW)
    answer = post_form(bram, duel, "pause", agree)
    assert answer.status_code == 409, "the request was withdrawn"
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(duel_id=duel.pk, wizard=wizard, is_paused=None, now=NOW)
    for do in ("ask", "decline"):
        answer = post_form(ada, duel, "pause", ask | {"do": do, "form_key": ""})
        assert answer.status_code == 409
        assert "has been paused in the meantime" in answer.content.decode()
    assert not Seat.objects.filter(duel=duel, asks_pause=True).exists()
