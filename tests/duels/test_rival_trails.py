"""Recent gestures of opponents' hands, on the order sheet of a phone."""

import re

import pytest

import engine
from duels.pages.rival_trails import RivalTrail, rival_trails, rivals_html
from tests.cast import Cast, begin, hands, play
from tests.duels.test_views import signed_in
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import story


def trails(history: engine.History, observer: str) -> dict[str, tuple[str, str, str]]:
    found = rival_trails(engine.view(history, observer))
    return {each.name: (each.left, each.right, each.why_empty) for each in found}


def shown(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def test_the_last_three_gestures_of_every_other_wizard_are_told():
    turns = [{"ada": made("W P"), "bram": made(pair)} for pair in ("F S", "P D", "S -", "W >")]
    history = story(duel(), *turns)
    assert trails(history, ADA) == {"Bram": ("PSW", "D->", "")}
    assert trails(history, BRAM) == {"Ada": ("WWW", "PPP", "")}
    assert trails(history, engine.SPECTATOR) == {
        "Ada": ("WWW", "PPP", ""),
        "Bram": ("PSW", "D->", ""),
    }


def test_before_the_first_gesture_there_is_nothing_to_tell():
    assert rival_trails(engine.view(story(duel(seats=3)), ADA)) == ()
    assert rivals_html(()) == ""


def test_the_fallen_have_no_trail():
    turn = {"ada": made("W P"), "cleo": made("F F")}
    history = story(duel({}, {"state": "dead"}, {}), turn)
    assert trails(history, ADA) == {"Cleo": ("F", "F", "")}


def test_the_blind_are_told_that_they_have_not_seen_it():
    """rules: F36"""
    history = story(
        duel({"effects": {"blindness": {"turns": 3}}}), {"ada": made("W P"), "bram": made("F S")}
    )
    assert trails(history, ADA) == {"Bram": ("", "", "fog")}
    assert trails(history, BRAM) == {"Ada": ("W", "P", "")}


def test_gestures_that_an_anti_spell_has_ended_do_not_count():
    history = story(
        duel(begun("SP"), begun("SD")), {"ada": made("F -", left_subject=BRAM), "bram": made("W W")}
    )
    assert trails(history, ADA) == {"Bram": ("", "", "break")}
    html = rivals_html(rival_trails(engine.view(history, ADA)))
    assert shown(html) == "Bram left broken right broken"


def test_a_name_and_a_stab_are_text():
    html = rivals_html([RivalTrail(1, "<b>", "->", "P", "")])
    assert shown(html) == "&lt;b&gt; left - &gt; right P"


def test_the_trails_of_many_wait_to_be_unfolded():
    few = [RivalTrail(seat, f"W{seat}", "F", "P") for seat in range(1, 4)]
    assert "<details" not in rivals_html(few)
    assert "<details" in rivals_html([*few, RivalTrail(4, "W4", "F", "P")])


@pytest.mark.django_db
def test_the_order_sheet_has_the_trails_of_rivals_only(cast: Cast):
    running = begin(cast.ada, cast.bram)
    play(running, {cast.ada: hands("W", "P"), cast.bram: hands("F", "S")})
    html = signed_in(cast.ada).get(f"/duels/{running.pk}/").content.decode()
    found = re.search(r'<ul class="rivals".*?</ul>', html)
    assert found is not None
    assert shown(found[0]) == "Bram left F right S"
