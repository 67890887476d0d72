"""Forms sent after the duel has changed, which must not affect its new state."""

import re
from typing import Any

import pytest
from django.test import Client

from duels.commands import endings, time_keeping
from duels.models import ActKind, Draft, Duel, Orders, Seat
from tests.cast import NOW, Cast, begin, hands, open_turn, play, signed_in
from tests.duels.referees.acts.refereeing import done, make_referee

pytestmark = pytest.mark.django_db

IDLE = hands("-", "-")


def form_fields(reader: Client, duel: Duel, action: str) -> dict[str, str]:
    """Return the hidden fields and the button of a form on the duel's page."""
    html = reader.get(f"/duels/{duel.pk}/").content.decode()
    start = html.index(f'action="/duels/{duel.pk}/{action}"')
    form = html[start : html.index("</form>", start)]
    found = re.findall(r'<(?:input type="hidden"|button) name="(\w+)" value="([^"]*)"', form)
    return dict(reversed(found))


def send(reader: Client, duel: Duel, action: str, fields: dict[str, str]) -> Any:
    return reader.post(f"/duels/{duel.pk}/{action}", fields)


def test_form_for_a_void_turn_does_not_affect_the_turn_that_replaced_it(cast: Cast) -> None:
    """After a rollback, a turn with the same number is open, from the same position or another."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    ada = signed_in(cast.ada)
    form = form_fields(ada, duel, "orders") | hands("W", "P", say="Before the rollback.")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    done(ActKind.ROLL_BACK, make_referee(), duel, turn="2")
    assert open_turn(duel).ordinal == 2
    for do in ("seal", "draft", "look"):
        answer = send(ada, duel, "orders", form | {"do": do})
        assert answer.status_code == 409, do
        assert "This turn is void" in answer.content.decode()
        assert "Before the rollback." in answer.content.decode()
    assert send(ada, duel, "sheet", form).status_code == 409
    assert send(ada, duel, "draft", form).status_code == 409
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()
    assert not Draft.objects.exists()
    form |= form_fields(ada, duel, "orders")
    assert send(ada, duel, "sheet", form).status_code == 200
    assert send(ada, duel, "orders", form | {"do": "seal"}).status_code == 302
    assert Orders.objects.get(turn=open_turn(duel)).seat.wizard == cast.ada


def test_late_answer_to_a_draw_offer_does_not_answer_a_later_offer(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    send(bram, duel, "draw", form_fields(bram, duel, "draw") | {"do": "offer"})
    late = form_fields(ada, duel, "draw")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    for do in ("agree", "decline", "offer", "withdraw"):
        answer = send(ada, duel, "draw", late | {"do": do, "form_key": ""})
        assert answer.status_code == 409, do
        assert "its draw offers have expired" in answer.content.decode()
    assert Seat.objects.get(duel=duel, wizard=cast.bram).draw_offered_in == 2
    send(ada, duel, "draw", form_fields(ada, duel, "draw") | {"do": "agree"})
    duel.refresh_from_db()
    assert duel.is_over


def test_late_request_to_pause_is_not_a_request_to_resume(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram, pace="86400")
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    ask = form_fields(ada, duel, "pause")
    assert send(ada, duel, "pause", ask).status_code == 302
    agree = form_fields(bram, duel, "pause")
    assert agree["do"] == "agree"
    time_keeping.decline_pause(duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=NOW)
    answer = send(bram, duel, "pause", agree)
    assert answer.status_code == 409, "the request was withdrawn"
    for wizard in (cast.ada, cast.bram):
        time_keeping.request_pause(duel_id=duel.pk, wizard=wizard, is_paused=None, now=NOW)
    for do in ("ask", "decline"):
        answer = send(ada, duel, "pause", ask | {"do": do, "form_key": ""})
        assert answer.status_code == 409
        assert "has been paused in the meantime" in answer.content.decode()
    assert not Seat.objects.filter(duel=duel, asks_pause=True).exists()
