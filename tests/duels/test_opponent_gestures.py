"""Recent gestures of opponents' hands, which the order sheet shows on a phone."""

import re

import pytest

import engine.play
from duels.screens.order_sheet.opponent_gestures import (
    OpponentGestures,
    opponent_gestures,
    opponent_gestures_html,
)
from tests.cast import Cast, begin, hands, play, signed_in
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns


def gestures_by_wizard(
    history: engine.play.History, observer: str
) -> dict[str, tuple[str, str, str]]:
    found = opponent_gestures(engine.play.view(history, observer))
    return {each.name: (each.left, each.right, each.why_empty) for each in found}


def visible_text(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def test_last_three_gestures_of_every_other_wizard_are_shown():
    turns = [{"ada": made("W P"), "bram": made(pair)} for pair in ("F S", "P D", "S -", "W >")]
    history = history_of_turns(duel(), *turns)
    assert gestures_by_wizard(history, ADA) == {"Bram": ("PSW", "D->", "")}
    assert gestures_by_wizard(history, BRAM) == {"Ada": ("WWW", "PPP", "")}
    assert gestures_by_wizard(history, engine.play.SPECTATOR) == {
        "Ada": ("WWW", "PPP", ""),
        "Bram": ("PSW", "D->", ""),
    }


def test_no_gestures_are_shown_before_the_first_turn():
    assert opponent_gestures(engine.play.view(history_of_turns(duel(seats=3)), ADA)) == ()
    assert opponent_gestures_html(()) == ""


def test_gestures_of_dead_wizards_are_not_shown():
    turn = {"ada": made("W P"), "cleo": made("F F")}
    history = history_of_turns(duel({}, {"state": "dead"}, {}), turn)
    assert gestures_by_wizard(history, ADA) == {"Cleo": ("F", "F", "")}


def test_blind_wizard_sees_a_note_instead_of_gestures():
    """rules: F36"""
    history = history_of_turns(
        duel({"effects": {"blindness": {"turns": 3}}}), {"ada": made("W P"), "bram": made("F S")}
    )
    assert gestures_by_wizard(history, ADA) == {"Bram": ("", "", "fog")}
    assert gestures_by_wizard(history, BRAM) == {"Ada": ("W", "P", "")}


def test_gestures_blanked_by_an_anti_spell_are_not_shown():
    history = history_of_turns(
        duel(begun("SP"), begun("SD")), {"ada": made("F -", left_subject=BRAM), "bram": made("W W")}
    )
    assert gestures_by_wizard(history, ADA) == {"Bram": ("", "", "break")}
    html = opponent_gestures_html(opponent_gestures(engine.play.view(history, ADA)))
    assert visible_text(html) == "Bram left broken right broken"


def test_names_and_stabs_next_to_gestures_are_escaped():
    html = opponent_gestures_html([OpponentGestures(1, "<b>", "->", "P", "")])
    assert visible_text(html) == "&lt;b&gt; left - &gt; right P"


def test_gestures_of_many_opponents_are_folded():
    few = [OpponentGestures(seat, f"W{seat}", "F", "P") for seat in range(1, 4)]
    assert "<details" not in opponent_gestures_html(few)
    assert "<details" in opponent_gestures_html([*few, OpponentGestures(4, "W4", "F", "P")])


@pytest.mark.django_db
def test_order_sheet_shows_gestures_only_of_opponents(cast: Cast):
    running = begin(cast.ada, cast.bram)
    play(running, {cast.ada: hands("W", "P"), cast.bram: hands("F", "S")})
    html = signed_in(cast.ada).get(f"/duels/{running.pk}/").content.decode()
    found = re.search(r'<ul class="rivals".*?</ul>', html)
    assert found is not None
    assert visible_text(found[0]) == "Bram left F right S"
