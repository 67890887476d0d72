"""Continuing a finished duel in practice, from one of its positions."""

import pytest
from django.test import Client

import engine
from duels.commands import endings, practising
from duels.errors import Refused
from duels.loaded import adjudication
from duels.models import Duel, Seat, Turn, Wizard
from duels.proof import records
from engine.proof.verify import verify
from tests.cast import NOW, Cast, begin, hands, make_wizard, open_turn, play, signed_in
from tests.duels.test_views_states import page, set_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished_duel(cast: Cast) -> Duel:
    """A finished duel of three turns: Ada begins two spells; Bram stabs her twice and resigns."""
    duel = begin(cast.ada, cast.bram)
    for left in "SW":
        stab = {"left": ">", "right": "W", "left_subject": "w0"}
        play(duel, {cast.ada: hands(left, "P"), cast.bram: stab})
    play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("-", "-")})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    assert duel.is_over
    return duel


def continue_in_practice(duel: Duel, wizard: Wizard, *, ordinal: int = 3, seat: str = "w0") -> Duel:
    return practising.start_practice_from_turn(
        duel_id=duel.pk, ordinal=ordinal, seat=seat, wizard=wizard, now=NOW
    )


def play_on_request(duel: Duel, turn: str = "3", seat: str = "w0") -> tuple[str, dict[str, str]]:
    return f"/duels/{duel.pk}/play-on", {"turn": turn, "seat": seat}


@pytest.mark.parametrize("seat", ["w0", "w1"])
def test_continued_duel_begins_with_the_position_before_the_chosen_turn(
    cast: Cast, finished_duel: Duel, seat: str
):
    duel = continue_in_practice(finished_duel, cast.cleo, seat=seat)
    then = adjudication.position_at_start(Turn.objects.get(duel=finished_duel, ordinal=3))
    now = adjudication.position_at_start(open_turn(duel))
    assert Seat.objects.get(duel=duel, wizard=cast.cleo).code == seat
    assert (now.turn, now.ruleset, now.options) == (then.turn, then.ruleset, then.options)
    for one, other in zip(now.wizards, then.wizards, strict=True):
        assert (one.damage, one.left, one.right) == (other.damage, other.left, other.right)
    assert (duel.is_practice, duel.visibility) == (True, "private")


def test_continued_duel_ends_with_a_valid_record(cast: Cast, finished_duel: Duel):
    duel = continue_in_practice(finished_duel, cast.ada)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    verify(records.duel_record(duel))


def test_continued_duel_begins_before_a_hasted_turn_that_cannot_be_set_up(cast: Cast):
    """rules: W9"""
    source = set_up(cast, {"effects": {"haste": {"turns": 3}}}, {}, ruleset="warlocks-1")
    play(source, {cast.ada: hands("S", "W"), cast.bram: hands("D", "P")})
    assert open_turn(source).kind == "haste"
    play(source, {cast.ada: hands("D", "P")})
    endings.resign(duel_id=source.pk, wizard=cast.bram, now=NOW)
    duel = continue_in_practice(source, cast.ada, ordinal=2)
    assert (open_turn(duel).kind, open_turn(duel).number) == ("normal", 1)


def test_continued_duel_lists_the_gestures_before_its_first_turn(cast: Cast, finished_duel: Duel):
    words = "Ada: left S W, right P P; Old Quill: left &gt; &gt;, right W W."
    duel = continue_in_practice(finished_duel, cast.ada)
    assert f"Before this duel, oldest first. {words}" in page(signed_in(cast.ada), duel)
    assert "Before this duel" not in page(signed_in(cast.ada), finished_duel)


def test_continuing_a_finished_duel_does_not_change_it(cast: Cast, finished_duel: Duel):
    before = records.duel_record(finished_duel)
    continue_in_practice(finished_duel, cast.ada)
    finished_duel.refresh_from_db()
    assert records.duel_record(finished_duel) == before


def test_running_duel_cannot_be_continued_in_practice(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("S", "-"), cast.bram: hands("W", "-")})
    with pytest.raises(Refused, match="when it is over"):
        continue_in_practice(duel, cast.ada, ordinal=1)
    assert "play-on" not in page(signed_in(cast.ada), duel)
    assert signed_in(cast.ada).post(*play_on_request(duel, "1")).status_code == 409


def test_only_its_wizards_can_continue_a_private_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    play(duel, {cast.ada: hands("S", "-"), cast.bram: hands("W", "-")})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert signed_in(cast.dorn).post(*play_on_request(duel, "1")).status_code == 404
    with pytest.raises(Refused, match="no such duel"):
        continue_in_practice(duel, cast.dorn, ordinal=1)
    assert continue_in_practice(duel, cast.ada, ordinal=1)


def test_duel_of_three_cannot_be_continued_in_practice(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for wizard in (cast.bram, cast.cleo):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    with pytest.raises(Refused, match="two wizards"):
        continue_in_practice(duel, cast.ada, ordinal=1)
    assert "play-on" not in page(signed_in(cast.ada), duel)


@pytest.mark.parametrize(
    ("turn", "seat", "status", "words"),
    [
        ("", "w0", 422, "Turn: enter a number"),
        ("one", "w0", 422, "Turn: enter a number"),
        ("99", "w0", 404, "Turn: there is no turn 99"),
        ("3", "w7", 404, "Side: choose one of the two"),
    ],
)
def test_error_names_the_field_with_an_invalid_turn_or_seat(
    cast: Cast, finished_duel: Duel, turn: str, seat: str, status: int, words: str
):
    answer = signed_in(cast.ada).post(*play_on_request(finished_duel, turn, seat))
    assert (answer.status_code, words in answer.content.decode()) == (status, True)


def test_turn_that_cannot_be_continued_is_rejected_with_a_reason(
    cast: Cast, finished_duel: Duel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(engine.play, "setup_of", lambda position: None)
    answer = signed_in(cast.ada).post(*play_on_request(finished_duel))
    assert answer.status_code == 422
    assert "cannot be set up again" in answer.content.decode()


def test_pages_of_a_duel_and_its_turns_offer_to_continue_in_practice(
    cast: Cast, finished_duel: Duel
):
    client = signed_in(cast.ada)
    assert 'name="turn" min="1" max="4"' in page(client, finished_duel)
    html = client.get(f"/duels/{finished_duel.pk}/turns/2/").content.decode()
    assert '<input type="hidden" name="turn" value="2">' in html
    answer = client.post(*play_on_request(finished_duel, "2"))
    begun = Duel.objects.latest("pk")
    assert answer["Location"] == f"/duels/{begun.pk}/"
    assert client.get(answer["Location"]).status_code == 200


def test_pages_do_not_offer_visitors_to_continue_a_duel_in_practice(finished_duel: Duel):
    assert "play-on" not in page(Client(), finished_duel)
    assert Client().post(*play_on_request(finished_duel)).status_code == 302


def test_number_of_continued_duels_is_limited(cast: Cast, finished_duel: Duel):
    for _ in range(8):
        continue_in_practice(finished_duel, cast.dorn)
    with pytest.raises(Refused, match="too many unfinished practice duels"):
        continue_in_practice(finished_duel, cast.dorn)
    assert continue_in_practice(finished_duel, make_wizard("Edda"))
