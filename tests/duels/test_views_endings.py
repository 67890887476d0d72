"""Resignations, draws and finished duels over HTTP."""

import pytest
from django.test import Client

from duels.models import Duel
from tests.cast import Cast, begin, hands, play, signed_in
from tests.duels.duel_page import duel_html

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel of Ada (w0) and Bram (w1) at turn 1, without seals."""
    return begin(cast.ada, cast.bram)


def test_resigning_must_be_confirmed(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    asked = " ".join(ada.get(f"/duels/{duel.pk}/resign").content.decode().split())
    assert "You will lose this duel against Bram." in asked
    assert ada.post(f"/duels/{duel.pk}/resign").status_code == 200
    duel.refresh_from_db()
    assert not duel.is_over
    assert ada.post(f"/duels/{duel.pk}/resign", {"sure": "yes"}).status_code == 302
    duel.refresh_from_db()
    assert duel.is_over
    assert "Bram wins by resignation" in duel_html(Client(), duel)
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/resign", {"sure": "yes"}).status_code == 403


def test_turn_stays_open_after_a_resignation_in_a_duel_of_three(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    signed_in(cast.cleo).post(f"/duels/{duel.pk}/resign", {"sure": "yes"})
    for reader in (signed_in(cast.ada), signed_in(cast.cleo), Client()):
        html = duel_html(reader, duel)
        assert "has resigned" in html
        assert 'turns/1/"' not in html
    assert 'id="orders"' in duel_html(signed_in(cast.ada), duel)
    assert "You are out of this duel" in duel_html(signed_in(cast.cleo), duel)


def test_page_confirms_a_draw_offer_only_once(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    response = ada.post(f"/duels/{duel.pk}/draw", {"do": "offer"}, follow=True)
    (address, _), html = response.redirect_chain[0], response.content.decode()
    assert address.endswith("#live-ending")
    panel = html.partition('id="live-ending"')[2]
    assert html.count("You have offered a draw.") == panel.count("You have offered a draw.") == 1
    assert 'class="notes' not in html


def test_duel_can_end_in_an_agreed_draw(cast: Cast, duel: Duel):
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    ada.post(f"/duels/{duel.pk}/draw", {"do": "offer"})
    assert "Ada offers a draw" in duel_html(bram, duel)
    bram.post(f"/duels/{duel.pk}/draw", {"do": "decline"})
    assert "offers a draw" not in duel_html(bram, duel)
    ada.post(f"/duels/{duel.pk}/draw", {"do": "offer"})
    bram.post(f"/duels/{duel.pk}/draw", {"do": "offer"})
    duel.refresh_from_db()
    assert duel.is_over
    assert "drawn by agreement" in duel_html(Client(), duel)


def test_declined_draw_is_shown_next_to_the_seal_button_for_two_turns(cast: Cast, duel: Duel):
    """The opponent may decline and seal at once, which plays the turn."""
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    ada.post(f"/duels/{duel.pk}/draw", {"do": "offer"})
    bram.post(f"/duels/{duel.pk}/draw", {"do": "decline"})
    words = "Your draw offer was declined."
    assert words not in duel_html(bram, duel)
    for _ in range(2):
        foot = (
            duel_html(ada, duel).partition('<div class="seal-bar">')[2].partition('value="seal"')[0]
        )
        assert words in foot
        play(duel, {cast.ada: hands("F", "F"), cast.bram: hands("F", "F")})
    assert words not in duel_html(ada, duel)


def test_draw_offer_can_be_withdrawn_or_answered(cast: Cast, duel: Duel):
    """Agreeing to an offer that was withdrawn does not offer a draw."""
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    ada.post(f"/duels/{duel.pk}/draw", {"do": "offer"})
    assert "Withdraw draw offer" in duel_html(ada, duel)
    assert "Agree to a draw" not in duel_html(ada, duel)
    foot = duel_html(bram, duel).partition('<div class="seal-bar">')[2].partition('value="seal"')[0]
    assert "Ada offers a draw" in foot
    assert 'form="draw" name="do" value="agree"' in foot
    ada.post(f"/duels/{duel.pk}/draw", {"do": "withdraw"})
    assert "You have withdrawn your draw offer." in duel_html(ada, duel)
    assert "offers a draw" not in duel_html(bram, duel)
    late = bram.post(f"/duels/{duel.pk}/draw", {"do": "agree"})
    assert late.status_code == 409
    assert "The draw offer has been withdrawn or has expired." in late.content.decode()
    assert "Bram offers a draw" not in duel_html(ada, duel)
    ada.post(f"/duels/{duel.pk}/draw", {"do": "offer"})
    bram.post(f"/duels/{duel.pk}/draw", {"do": "agree"})
    duel.refresh_from_db()
    assert duel.is_over


def test_finished_duel_offers_record_transcript_and_rematch(cast: Cast, duel: Duel):
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("W", "D")})
    reader = signed_in(cast.ada)
    for name in ("record.json", "transcript.txt"):
        assert reader.get(f"/duels/{duel.pk}/{name}").status_code == 409
    play(duel, {cast.ada: hands("P", "P"), cast.bram: hands("W", "D")})
    record = Client().get(f"/duels/{duel.pk}/record.json")
    ended = record.json()["ended"]
    assert (ended["how"], ended["result"]) == ("rules", "w1")
    transcript = Client().get(f"/duels/{duel.pk}/transcript.txt")
    assert transcript["Content-Type"] == "text/plain; charset=utf-8"
    assert "Ada" in transcript.content.decode()
    html = duel_html(reader, duel)
    assert "Bram wins" in html
    parts = ["Ask for a rematch", "How the duel went", "What happened", "Record (JSON)"]
    assert sorted(parts, key=html.index) == parts
    asked = reader.post(f"/duels/{duel.pk}/rematch")
    assert asked["Location"] == f"/duels/{Duel.objects.latest('pk').pk}/"
