"""Proof where it is asked for: behind one word on receipts and past turns, and in words."""

import re

import pytest
from django.test import Client

from duels import commands
from duels.models import Duel
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, seal
from tests.duels.test_views import signed_in

pytestmark = pytest.mark.django_db
DIGITS = re.compile(r"[0-9a-f]{64}")
FOLDED = re.compile(r"<details class=\"proof\">.*?</details>", re.DOTALL)


def test_no_fingerprint_stands_on_a_duels_page_but_behind_a_word(cast: Cast):
    """Neither a newcomer's own nor that of a rival who has sealed."""
    duel = begin(cast.ada, cast.bram)
    sealed = {seal(duel, wizard, hands("W", "P")).commitment for wizard in (cast.ada, cast.bram)}
    for client in (signed_in(cast.ada), signed_in(cast.bram), Client()):
        html = client.get(f"/duels/{duel.pk}/").content.decode()
        folded = " ".join(FOLDED.findall(html))
        assert sealed <= set(DIGITS.findall(folded))
        shown = re.sub(r"<[^>]*>", "", FOLDED.sub("", html))
        assert DIGITS.search(shown) is None


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """Ada has replaced her seal in the first turn, which is played."""
    duel = begin(cast.ada, cast.bram)
    first = seal(duel, cast.ada, hands("W", "P", say="sesame"))
    seal(duel, cast.ada, hands("F", "P", say="abracadabra"), form_seal=first.commitment, now=LATER)
    seal(duel, cast.bram, hands("D", "D"), now=LATER)
    commands.resolve_turn(turn_id=open_turn(duel).pk, now=LATER)
    return duel


def proof(client: Client, duel: Duel) -> str:
    html = client.get(f"/duels/{duel.pk}/turns/1/").content.decode()
    return html[html.index("data-proof") :].partition("</section>")[0]


def test_a_past_turn_lists_every_seal_and_opens_them_at_the_end(cast: Cast, duel: Duel):
    """Replaced ones too, with their times. What was sealed is one's own until the end."""
    ada, bram, visitor = signed_in(cast.ada), signed_in(cast.bram), Client()
    for client in (ada, bram, visitor):
        html = proof(client, duel)
        assert len(set(re.findall(r'data-seal="([0-9a-f]{64})"', html))) == 3
        assert html.count("(replaced)") == 1
        assert html.count("2026-03-01T12:00:00+00:00") == 1
        assert html.count("2026-03-01T13:00:00+00:00") == 2
    assert "sesame" in proof(ada, duel)
    assert "sesame" not in proof(bram, duel) + proof(visitor, duel)
    assert "finger" in proof(bram, duel)  # a gesture's name among what Bram has sealed
    commands.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    for client in (ada, bram, visitor):
        html = proof(client, duel)
        assert "sesame" in html
        assert "abracadabra" in html


def test_how_to_check_is_a_page_for_everybody_and_linked_where_proof_is(duel: Duel):
    assert 'href="/proof/"' in proof(Client(), duel)
    html = Client().get("/proof/").content.decode()
    assert "python -m engine verify record.json" in html
