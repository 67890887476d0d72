"""Answers to questions, and players' own random bytes, over HTTP."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from duels.models import Duel, Orders
from duels.sealing import seals
from tests.cast import Cast, begin, hands, open_turn, play, signed_in
from tests.duels.duel_page import duel_html, post_orders, seal_count

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel of Ada (w0) and Bram (w1) at turn 1, without seals."""
    return begin(cast.ada, cast.bram)


@pytest.fixture
def asked(cast: Cast) -> Duel:
    """A strict duel in which Ada (w0) is asked which of Bram's hands to paralyse."""
    duel = begin(cast.ada, cast.bram, strict=True)
    for letters in ("FW", "FS", "FD"):
        play(duel, {cast.ada: hands(letters[0], letters[1]), cast.bram: hands("W", "D")})
    return duel


def question(duel: Duel) -> str:
    return str(open_turn(duel).questions[0]["id"])


def test_question_is_asked_when_the_gestures_are_revealed(cast: Cast, asked: Duel):
    html = duel_html(signed_in(cast.ada), asked)
    assert "Decide now" in html
    assert re.search(r'data-turn="3"[^\n]*?class="sign-W[^>]*data-hand="w1-left"', html, re.DOTALL)
    for other in (signed_in(cast.bram), Client()):
        html = duel_html(other, asked)
        assert "Decide now" not in html
        assert re.search(
            r'data-turn="3"[^\n]*?class="sign-F[^>]*data-hand="w0-left"', html, re.DOTALL
        )


def test_question_shows_the_effect_of_each_answer(cast: Cast, asked: Duel):
    """rules: R80"""
    html = duel_html(signed_in(cast.ada), asked)
    told = strip_tags(html.partition('id="questions"')[2].partition("</form>")[0])
    assert "the left hand: W becomes P" in told
    assert "the right hand: D stays D" in told


def test_turn_is_played_after_the_last_answer(
    cast: Cast, asked: Duel, django_capture_on_commit_callbacks
):
    typed = {"turn": "3", "form_seal": "", question(asked): "R"}
    assert signed_in(cast.dorn).post(f"/duels/{asked.pk}/answers", typed).status_code == 403
    assert signed_in(cast.bram).post(f"/duels/{asked.pk}/answers", typed).status_code == 409
    with django_capture_on_commit_callbacks(execute=True):
        assert signed_in(cast.ada).post(f"/duels/{asked.pk}/answers", typed).status_code == 302
    assert open_turn(asked).ordinal == 4
    assert "right hand" in duel_html(signed_in(cast.bram), asked)


RANDOM_BYTES = "0123456789abcdef" * 2


def random_bytes_of(duel: Duel) -> list[str]:
    """Return the browser's random bytes of every seal in the open turn."""
    rows = Orders.objects.filter(turn=open_turn(duel)).order_by("pk")
    return [seals.decrypt_seal(row.body).chance for row in rows]


def test_random_bytes_are_sealed_and_shown_only_to_their_wizard(cast: Cast, duel: Duel):
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    assert '<input type="hidden" name="chance">' in duel_html(ada, duel)
    assert post_orders(ada, duel, hands("W", "P"), chance=RANDOM_BYTES).status_code == 302
    assert random_bytes_of(duel) == [RANDOM_BYTES]
    assert RANDOM_BYTES in duel_html(ada, duel)
    assert duel.seed_commitment in duel_html(ada, duel)
    assert RANDOM_BYTES not in duel_html(bram, duel)
    assert post_orders(ada, duel, hands("W", "P"), chance="ff" * 16).status_code == 302
    assert random_bytes_of(duel) == [RANDOM_BYTES]
    # A draft contains only orders, and a browser without JavaScript sends no random bytes.
    assert (
        post_orders(bram, duel, hands("F", "F"), do="draft", chance=RANDOM_BYTES).status_code == 302
    )
    assert post_orders(bram, duel, hands("S", "D"), chance="").status_code == 302
    assert random_bytes_of(duel) == [RANDOM_BYTES, ""]


def test_invalid_random_bytes_are_rejected_and_the_input_is_kept(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    given = post_orders(ada, duel, hands("W", "P", say="sesame"), chance="left W")
    assert given.status_code == 422
    html = given.content.decode()
    assert 'data-fault="invalid_chance" data-fault-field="chance"' in html
    assert "sesame" in html
    assert "left W" not in html
    assert seal_count(duel) == 0


def test_answers_include_their_own_random_bytes(cast: Cast, asked: Duel):
    ada = signed_in(cast.ada)
    assert '<input type="hidden" name="chance">' in duel_html(ada, asked)
    typed = {"turn": "3", "form_seal": "", question(asked): "R"}
    given = ada.post(f"/duels/{asked.pk}/answers", typed | {"chance": "x"})
    assert given.status_code == 422
    html = given.content.decode()
    assert 'data-fault="invalid_chance" data-fault-field="chance"' in html
    assert re.search(r'value="R" checked', html)
    assert (
        ada.post(f"/duels/{asked.pk}/answers", typed | {"chance": RANDOM_BYTES}).status_code == 302
    )
    assert random_bytes_of(asked)[-1] == RANDOM_BYTES


@pytest.mark.parametrize("answer", ["", "B", "\0", "x" * 5000])
def test_invalid_answer_is_rejected_with_a_link_to_the_rule(cast: Cast, asked: Duel, answer: str):
    typed = {"turn": "3", "form_seal": "", question(asked): answer}
    given = signed_in(cast.ada).post(f"/duels/{asked.pk}/answers", typed)
    assert given.status_code == 422
    assert re.search(r'class="fault" data-fault="answer_\w+">.*?turn:', given.content.decode())
    assert open_turn(asked).ordinal == 3
