"""The history grid: its squares, and the lines that connect each spell's gestures."""

import re
from dataclasses import replace

import pytest
from django.test import Client

import engine.play
from duels.commands import sealing
from duels.screens.parts.history.spell_lines import LineSegment, grid_lines
from duels.screens.parts.history.table import Grid, Square, history_grid
from duels.screens.parts.view_cache import ViewKey
from duels.wording.turns import turn_label
from engine.play import GesturePlace as Place
from engine.play import SpellRun
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal, signed_in
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns
from tests.states import STATES, People

LEFT, RIGHT = (ADA, "left"), (ADA, "right")


def spell_run(spell: str, hand: str, *squares: tuple[int, str]) -> SpellRun:
    """Return a spell of Ada's with gestures in these squares, each given as turn and hand."""
    return SpellRun(ADA, spell, hand, tuple(Place(turn, 1, side) for turn, side in squares))


def lines_of_runs(
    *runs: SpellRun, turns: int = 9
) -> dict[tuple[tuple[str, str], int], tuple[LineSegment, ...]]:
    """Return the lines of these spells in a grid with one row per turn, starting at turn 1."""
    return grid_lines(runs, {(turn, 1): turn for turn in range(1, turns + 1)})


def grid_of(history: engine.play.History, observer: str) -> Grid:
    return history_grid(engine.play.view(history, observer))


def grid_square(grid: Grid, row: int, wizard: str, side: str) -> Square:
    (found,) = [
        each for each in grid.rows[row].squares if (each.column.id, each.side) == (wizard, side)
    ]
    return found


def test_line_of_a_spell_runs_from_its_first_to_its_last_gesture():
    drawn = lines_of_runs(spell_run("counter_spell", "L", (2, "L"), (3, "L"), (4, "L")))
    assert {place: segment[0].place for place, segment in drawn.items()} == {
        (LEFT, 2): "first",
        (LEFT, 3): "middle",
        (LEFT, 4): "last",
    }
    assert [segment[0].is_named for segment in drawn.values()] == [False, False, True]


def test_spell_of_a_single_gesture_has_a_mark_instead_of_a_line():
    (segment,) = lines_of_runs(spell_run("shield", "R", (3, "R")))[RIGHT, 3]
    assert (segment.place, segment.is_named) == ("only", True)


def test_lines_of_spells_that_share_gestures_are_parallel():
    drawn = lines_of_runs(
        spell_run("counter_spell", "L", (1, "L"), (2, "L"), (3, "L")),
        spell_run("missile", "L", (3, "L"), (4, "L")),
        spell_run("shield", "L", (5, "L")),
    )
    assert {segment.spell: segment.lane for segment in drawn[LEFT, 3]} == {
        "counter_spell": 0,
        "missile": 1,
    }
    assert drawn[LEFT, 5][0].lane == 0  # free again


def test_spells_share_the_last_lane_if_there_are_more_spells_than_lanes():
    many = [spell_run(f"s{n}", "L", *((turn, "L") for turn in range(1, 8 - n))) for n in range(6)]
    lanes = [segment.lane for segment in lines_of_runs(*many)[LEFT, 1]]
    assert lanes == [0, 1, 2, 3, 3, 3]


def test_spell_line_passes_through_rows_between_its_gestures():
    """Rows for another wizard's second set or broken sequence can separate two gestures."""
    drawn = grid_lines(
        [spell_run("missile", "L", (1, "L"), (2, "L"))], {(1, 1): 0, (1, 2): 1, (2, 1): 2}
    )
    assert [drawn[LEFT, line][0].place for line in range(3)] == ["first", "through", "last"]


def test_two_handed_spell_is_marked_at_both_hands_and_named_at_one():
    drawn = lines_of_runs(spell_run("magic_mirror", "BH", (1, "L"), (1, "R"), (2, "L"), (2, "R")))
    assert (drawn[LEFT, 2][0].place, drawn[RIGHT, 2][0].place) == ("last", "last")
    assert (drawn[LEFT, 2][0].is_named, drawn[RIGHT, 2][0].is_named) == (True, False)


def test_hand_that_only_takes_part_in_the_clap_is_marked_at_the_clap():
    squares = [(turn, "L") for turn in range(1, 5)] + [(4, "R")]
    drawn = lines_of_runs(spell_run("lightning_bolt", "BH", *squares))
    assert [place for place in drawn if place[0] == RIGHT] == [(RIGHT, 4)]
    assert drawn[LEFT, 4][0].is_named
    assert drawn[RIGHT, 4][0].place == "only"


def test_squares_name_the_spells_to_which_their_gestures_belong():
    history = history_of_turns(
        duel(), {"ada": made("S W")}, {"ada": made("D F", left_subject=BRAM)}
    )
    grid = grid_of(history, "all")
    assert grid_square(grid, 0, ADA, "left").words == "snap, part of Missile"
    assert grid_square(grid, 1, ADA, "left").spell_name == "Missile"
    assert grid_square(grid, 0, ADA, "right").words == "wave"
    assert grid_square(grid, 0, ADA, "right").lines == ()


def test_spell_line_does_not_continue_into_hidden_gestures():
    blind = {"effects": {"blindness": {"turns": 1}}}
    history = history_of_turns(
        duel({}, blind), {"ada": made("S -")}, {"ada": made("D -", left_subject=BRAM)}
    )
    grid = grid_of(history, BRAM)
    assert grid_square(grid, 0, ADA, "left").css == "fogged"
    assert grid_square(grid, 0, ADA, "left").lines == ()
    assert [segment.place for segment in grid_square(grid, 1, ADA, "left").lines] == ["only"]


def test_mark_of_a_broken_sequence_does_not_interrupt_lines_of_other_wizards():
    history = history_of_turns(
        duel({}, begun("S", "-")),
        {"ada": made("S -"), "bram": made("P W")},
        {"ada": made("W -"), "bram": made("F P", left_subject=ADA)},
        {"ada": made("- -"), "bram": made("- P")},
    )
    grid = grid_of(history, "all")
    marks = [row for row in grid.rows if row.kind == "break"]
    assert [row.broken for row in marks] == [(True, False)]
    ((_, adas, _), (_, brams, squares)) = marks[0].columns_with_squares
    assert (adas, brams) == (True, False)
    places = [(segment.spell, segment.place) for segment in squares[1].lines]
    assert places == [("counter_spell", "through")]


@pytest.mark.parametrize(
    ("ruleset", "words", "css"),
    [("warlocks-1", "snap, no longer counts", "blanked"), ("bartle-1", "snap", "")],
)
def test_gestures_blanked_by_anti_spell_are_struck_out(ruleset: str, words: str, css: str):
    """rules: W25, W28.

    The gestures stay readable. An idle hand is not struck out, because it made no gesture.
    """
    letters = "SPF" if ruleset == "warlocks-1" else "SP"
    history = history_of_turns(
        duel({}, begun(letters), ruleset=ruleset),
        {"ada": made("S -"), "bram": made(f"{'P' if len(letters) == 3 else 'F'} -")},
        {"ada": made("S -"), "bram": made("- -")},
    )
    grid = grid_of(history, "all")
    struck, idle, later = (
        grid_square(grid, row, ADA, side) for row, side in ((0, "left"), (0, "right"), (2, "left"))
    )
    assert (struck.letter, struck.words, struck.css) == ("S", words, css)
    assert idle.words == "nothing"
    assert later.words == "snap"
    assert grid_square(grid, 0, BRAM, "left").css == "cast"


def test_anti_spell_strikes_all_gestures_so_far_except_those_of_cast_spells():
    """rules: W25. The goblin of the same turn was summoned, so its gestures are not struck out."""
    history = history_of_turns(
        duel({}, {}, ruleset="warlocks-1"),
        {"ada": made("S D"), "bram": made("S -")},
        {"ada": made("F D"), "bram": made("P -")},
        {"ada": made("W D"), "bram": made("F -")},
        {"ada": made("D D"), "bram": made("P -")},
    )
    grid = grid_of(history, "all")
    assert [row.kind for row in grid.rows][-1] == "break"
    left = [grid_square(grid, row, ADA, "left").css for row in range(4)]
    right = [grid_square(grid, row, ADA, "right").css for row in range(4)]
    assert left == ["", "", "cast", "blanked"]
    assert right == ["blanked"] * 4


def test_history_grid_is_computed_once_per_turn_and_observer():
    history = history_of_turns(duel(), {"ada": made("S W")})
    view, other = engine.play.view(history, ADA), engine.play.view(history, BRAM)
    key = ViewKey("seed", 2, 1, ADA, (("Ada", "she"), ("Bram", "he")))
    assert history_grid(view, (), key).played is history_grid(view, (), key).played
    brams = replace(key, observer=BRAM)
    assert history_grid(other, (), brams).columns != history_grid(view).columns
    assert history_grid(other, (), brams).played is not history_grid(view, (), key).played
    assert history_grid(view).played is not history_grid(view).played
    assert history_grid(view).played == history_grid(view, (), key).played


@pytest.mark.django_db
def test_duel_page_connects_the_gestures_of_a_spell(cast: Cast):
    """F34, F39: the spell's name is at its last gesture, also as text for screen readers."""
    running = begin(cast.ada, cast.bram)
    play(running, {cast.ada: hands("S", "-"), cast.bram: hands("W", "-")})
    play(running, {cast.ada: hands("D", "-", left_subject="w1"), cast.bram: hands("-", "-")})
    html = Client().get(f"/duels/{running.pk}/").content.decode()
    first, last = re.findall(r'<td[^>]* data-hand="w0-left">(.*?)</td>', html, re.DOTALL)[:2]
    assert '<i class="first"></i>' in first
    assert '<i class="last"></i>' in last
    assert re.search(r"completes </i><span><a [^>]*#spell:missile\">Missile</a></span>", last)
    assert "part of Missile" in first


@pytest.mark.django_db
def test_history_grid_is_a_table_with_row_and_column_headers():
    html = Client().get(STATES["sample"](People()).path).content.decode()
    table = re.search(r'<table class="history.*?</table>', html, re.DOTALL)
    assert table is not None
    assert "<caption>" in table[0]
    assert len(re.findall(r'scope="colgroup"', table[0])) == 2
    assert len(re.findall(r'scope="col"', table[0])) == 5
    rows = re.findall(r"<tr(?: class=\"[^\"]*\")? data-turn.*?</tr>", table[0], re.DOTALL)
    assert len(rows) == 16
    assert all('<th scope="row">' in row for row in rows)


def open_row_squares(html: str) -> list[str]:
    """Return the classes and texts of the squares for the open turn."""
    line = re.search(r'<tr class="now".*?</tr>', html, re.DOTALL)
    assert line is not None
    squares = re.findall(
        r'<td class="(?:sign-\S+ )?([^"]*)" data-hand="w(\d)-\w+">(.*?)</td>', line[0], re.DOTALL
    )
    text = (" ".join(re.sub("<[^>]+>", " ", inside).split()) for *_, inside in squares)
    return [
        f"{seat} {css}: {words}".strip()
        for (css, seat, _), words in zip(squares, text, strict=True)
    ]


@pytest.mark.django_db
def test_row_of_the_open_turn_shows_only_your_own_draft_or_seal(cast: Cast):
    """F39"""
    running = begin(cast.ada, cast.bram)
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)

    def row_for(client: Client) -> list[str]:
        return open_row_squares(client.get(f"/duels/{running.pk}/").content.decode())

    hidden = ["1 unrevealed: not revealed"] * 2
    assert row_for(ada) == ["0 mine:", "0 mine:", *hidden]
    sealing.save_draft(
        turn_id=open_turn(running).pk, wizard=cast.ada, fields=hands("S", "W"), now=NOW
    )
    assert row_for(ada)[0] == "0 mine drafted: S snap, drafted drafted"
    assert row_for(ada)[1] == "0 mine drafted: W wave, drafted drafted"
    seal(running, cast.ada, hands("D", "-"))
    assert "D digit, sealed" in row_for(ada)[0]
    assert "nothing, sealed" in row_for(ada)[1]
    assert row_for(bram) == ["0 unrevealed: not revealed"] * 2 + ["1 mine:", "1 mine:"]


@pytest.mark.django_db
def test_preview_of_the_order_sheet_has_the_same_row_as_the_page(cast: Cast):
    """A script swaps in this row, which is marked as sealed if it shows the sealed orders."""
    running = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)

    def row_of_preview(**typed: str) -> str:
        html = ada.post(f"/duels/{running.pk}/sheet", {**typed, "turn": "1"}).content.decode()
        (row,) = re.findall(r"<template>(<tr .*?</tr>)\s*</template>", html, re.DOTALL)
        target = """ hx-swap-oob="outerHTML:tr.now[data-turn='1']\""""
        assert target in row
        return str(row).replace(target, "")

    def row_of_page() -> str:
        html = ada.get(f"/duels/{running.pk}/").content.decode()
        (row,) = re.findall(r'<tr class="now".*?</tr>', html, re.DOTALL)
        return str(row)

    before, drafted = row_of_page(), row_of_preview(**hands("S", "W"))
    assert "snap, drafted" in drafted
    assert row_of_page() == before
    sealing.save_draft(
        turn_id=open_turn(running).pk, wizard=cast.ada, fields=hands("S", "W"), now=NOW
    )
    assert row_of_page() == drafted
    seal(running, cast.ada, hands("D", "-"))
    assert "digit, sealed" in row_of_preview(**hands("D", "-"))
    assert row_of_preview(**hands("D", "-")) == row_of_page()
    assert "digit, drafted" in row_of_preview(**hands("D", "W"))


@pytest.mark.parametrize(
    ("ruleset", "kind", "label"),
    [
        ("bartle-1", "normal", "7"),
        ("bartle-1", "extra", "7+"),
        ("archmage-1", "extra", "+7"),
        ("spellcast-1", "haste", "7h"),
        ("warlocks-1", "normal", "7"),
        ("warlocks-1", "extra", "7t"),
        ("warlocks-1", "haste", "7h"),
    ],
)
def test_turn_label_shows_the_kind_of_turn(ruleset: str, kind: str, label: str):
    assert turn_label(ruleset, 7, kind) == label
