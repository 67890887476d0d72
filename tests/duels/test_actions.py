"""Archmage's extra actions, each of which comes before a turn and is played by one wizard."""

import json

import pytest

import engine.play
from duels.commands import endings
from duels.models import Duel
from duels.queries import pages, stories
from engine.proof.replay import replay
from engine.proof.verify import verify
from tests.cast import NOW, Cast, begin, hands, open_turn, play, signed_in

pytestmark = pytest.mark.django_db


def duel_with_time_stop(cast: Cast) -> Duel:
    """Return a duel in which Ada has cast Time Stop on herself in turn 4."""
    duel = begin(cast.ada, cast.bram, ruleset="archmage-1")
    for letter in "SPPC":
        play(duel, {cast.ada: hands(letter, "C" if letter == "C" else "-"), cast.bram: {}})
    return duel


def test_time_stopped_wizard_has_an_extra_action_before_each_of_three_turns(cast: Cast):
    """rules: R99"""
    duel = duel_with_time_stop(cast)
    for number in (5, 6, 7):
        action = open_turn(duel)
        assert (action.number, action.kind) == (number, "extra")
        assert [seat.wizard for seat in duel.seats.filter(awaited=True)] == [cast.ada]
        play(duel, {cast.ada: hands(">", "-")})
        assert (open_turn(duel).number, open_turn(duel).kind) == (number, "normal")
        play(duel, {cast.ada: {}, cast.bram: hands("P", "-")})
    assert (open_turn(duel).number, open_turn(duel).kind) == (8, "normal")
    view = pages.duel_page(duel, cast.ada).view
    assert view
    assert {being.id: being.damage for being in view.status} == {"w0": 0, "w1": 3}


def test_history_grid_shows_an_extra_action_before_its_turn(cast: Cast):
    """rules: R99, F93"""
    duel = duel_with_time_stop(cast)
    play(duel, {cast.ada: hands(">", "-")})
    play(duel, {cast.ada: {}, cast.bram: {}})
    html = signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
    assert html.index('<tr data-turn="4">') < html.index("<i>Action before turn 5</i>")
    assert html.index("<i>Action before turn 5</i>") < html.index('<tr data-turn="5">')
    assert "action before turn 6" in html
    assert "xtra turn" not in html


def test_record_of_a_duel_with_extra_actions_verifies(cast: Cast):
    """rules: R99"""
    duel = duel_with_time_stop(cast)
    for fields in ({"left": ">"}, {}, {}, {}):
        play(duel, {cast.ada: fields})
        if open_turn(duel).kind == "normal":
            play(duel, {cast.ada: {}, cast.bram: {}})
    duel = endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    record = json.loads(json.dumps(stories.record_of_finished_duel(duel)))
    assert verify(record) == []
    assert engine.play.dump(replay(record).position) == duel.final_position
