"""Duels under warlocks-1: extra turns with their own numbers, and who must act in them.

W8-W12
"""

from collections.abc import Mapping
from typing import Any

import pytest

import engine.play
from duels.commands import endings, resolution
from duels.commands.awaiting import await_wizards
from duels.errors import Refused
from duels.models import Duel, Seat, Turn
from duels.queries import pages, stories
from duels.screens.parts.history.table import OwnSet, history_grid
from engine.proof.replay import replay
from engine.proof.verify import verify
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal

pytestmark = pytest.mark.django_db

IDLE = hands("-", "-")


def set_up(cast: Cast, *wizards: Mapping[str, Any], **more: Any) -> Duel:
    """Start a duel of Ada, Bram and Cleo, or the first two, with this setup before turn 1."""
    people = [cast.ada, cast.bram, cast.cleo][: len(wizards)]
    duel = begin(*people, ruleset="warlocks-1")
    duellists = [engine.play.Duellist(name) for name in ("Ada", "Bram", "Cleo")[: len(wizards)]]
    setup = {"wizards": list(wizards), **more}
    position = engine.play.begin("warlocks-1", duellists, setup=setup)
    turn = open_turn(duel)
    turn.position = engine.play.dump(position)
    await_wizards(
        turn, list(Seat.objects.filter(duel=duel)), engine.play.deciding_wizards(position), NOW
    )
    turn.save()
    return duel


def awaited_names(duel: Duel) -> set[str]:
    """Return the names of the wizards who must act."""
    return {each.wizard.name for each in Seat.objects.filter(duel=duel, awaited=True)}


def turn_numbers(duel: Duel) -> list[tuple[int, str]]:
    turns = Turn.objects.filter(duel=duel).order_by("ordinal")
    return [(turn.number, turn.kind) for turn in turns]


def test_hasted_turn_waits_only_for_hasted_wizards(cast: Cast):
    ogre = {"kind": "ogre", "controller": "w1", "victim": "w0"}
    duel = set_up(cast, {"effects": {"haste": {"turns": 1}}}, {}, {}, monsters=[ogre])
    everybody = dict.fromkeys((cast.ada, cast.bram, cast.cleo), IDLE)
    play(duel, everybody)
    assert turn_numbers(duel) == [(1, "normal"), (2, "haste")]
    assert awaited_names(duel) == {"Ada"}
    with pytest.raises(Refused, match="do not act"):
        seal(duel, cast.bram, hands("W", "-"))
    play(duel, {cast.ada: hands("W", "-")})
    assert turn_numbers(duel) == [(1, "normal"), (2, "haste"), (3, "normal")]
    assert awaited_names(duel) == {"Ada", "Bram", "Cleo"}


def test_squares_of_other_wizards_are_blank_in_an_open_hasted_turn(cast: Cast):
    """rules: W8"""
    duel = set_up(cast, {"effects": {"haste": {"turns": 1}}}, {})
    play(duel, dict.fromkeys((cast.ada, cast.bram), IDLE))
    view = pages.duel_page(duel, cast.cleo).view
    assert view is not None
    (row,) = history_grid(view, [OwnSet("", "")]).now
    assert row.label == "2h"
    assert [square.css for square in row.squares] == ["unrevealed"] * 2 + ["blank"] * 2


def test_time_stopped_turn_waits_only_for_its_wizard_and_is_hidden_from_opponents(cast: Cast):
    duel = set_up(cast, {"left": "SPP", "right": "---"}, {})
    play(duel, {cast.ada: hands("C", "C"), cast.bram: IDLE})
    assert turn_numbers(duel) == [(1, "normal"), (2, "extra")]
    assert awaited_names(duel) == {"Ada"}
    play(duel, {cast.ada: hands("F", "S")})
    view = pages.duel_page(duel, cast.bram).view
    assert view is not None
    assert [len(turn.rows["w1"]) for turn in view.turns] == [1, 0]
    assert view.turns[1].rows["w0"][0].left.letter == "?"
    assert turn_numbers(duel)[-1] == (3, "normal")


def test_hasted_turn_ends_when_the_hasted_wizard_resigns(cast: Cast):
    duel = set_up(cast, {"effects": {"haste": {"turns": 1}}}, {}, {})
    play(duel, dict.fromkeys((cast.ada, cast.bram, cast.cleo), IDLE))
    turn = open_turn(duel)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    resolution.resolve_turn(turn_id=turn.pk, now=NOW)
    assert turn_numbers(duel)[-1] == (3, "normal")
    assert awaited_names(duel) == {"Bram", "Cleo"}


def test_record_with_extra_turns_verifies(cast: Cast):
    """rules: promise 5. Haste is cast and lasts for three hasted turns. Then Bram resigns."""
    duel = begin(cast.ada, cast.bram, ruleset="warlocks-1")
    for letter in "PWPWW":
        play(duel, {cast.ada: hands(letter, "-"), cast.bram: IDLE})
    play(duel, {cast.ada: hands("C", "C"), cast.bram: IDLE})
    while open_turn(duel).number < 13:
        turn = open_turn(duel)
        rows = {cast.ada: hands("F", "-")}
        play(duel, rows if turn.kind == "haste" else rows | {cast.bram: IDLE})
    assert [number for number, kind in turn_numbers(duel) if kind == "haste"] == [7, 9, 11]
    duel = endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    record = stories.record_of_finished_duel(duel)
    assert verify(record) == []
    assert [turn.position.turn for turn in replay(record).turns] == [*range(1, 14)]
