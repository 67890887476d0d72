"""Tests of runs, which are the grid cells of each spell cast, as far as an observer sees them.

Names of beings: w0 Ada, w1 Bram.
"""

import pytest

import engine.orders
import engine.play
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns

ONE_TURN = {"turns": 1}


def cells_of_runs(history: engine.play.History, observer: str) -> dict[str, str]:
    """Return the cells of each run ("1L 2L", in a second set "1.2L"), by caster, spell and hand."""
    return {
        f"{run.wizard} {run.spell} {run.hand}": " ".join(
            f"{square.ordinal}{f'.{square.set}' if square.set > 1 else ''}{square.hand}"
            for square in run.squares
        )
        for run in engine.play.view(history, observer).runs
    }


def test_run_contains_exactly_the_gestures_of_its_spell():
    history = history_of_turns(
        duel(),
        {"ada": made("W P"), "bram": made("- W")},
        {"ada": made("S -"), "bram": made("- W")},
        {"ada": made("D -", left_subject=BRAM), "bram": made("- S")},
    )
    assert cells_of_runs(history, "all") == {
        "w0 shield R": "1R",
        "w0 missile L": "2L 3L",
        "w1 counter_spell R": "1R 2R 3R",
    }


def test_run_contains_both_cells_of_a_two_handed_gesture():
    history = history_of_turns(duel(), {"ada": made("C C")}, {"ada": made("W W")})
    assert cells_of_runs(history, "all")["w0 magic_mirror BH"] == "1L 1R 2L 2R"


def test_run_of_a_spell_with_a_two_handed_end_contains_one_hands_gestures():
    """The left hand makes P W P W W; the right hand only joins in the clap. rules: R4"""
    pairs = ("P -", "W D", "P -", "W F", "W S", "C C")
    history = history_of_turns(
        duel(), *({"ada": made(pair)} for pair in pairs[:-1]), {"ada": made(pairs[-1])}
    )
    runs = {run.spell: run for run in engine.play.view(history, "all").runs}
    assert "haste" in runs
    squares = [f"{square.ordinal}{square.hand}" for square in runs["haste"].squares]
    assert squares == ["1L", "2L", "3L", "4L", "5L", "6L", "6R"]


def test_two_runs_can_share_gestures():
    history = history_of_turns(
        duel(),
        {"ada": made("W -")},
        {"ada": made("W -")},
        {"ada": made("S -")},
        {"ada": made("D -", left_subject=BRAM)},
    )
    assert cells_of_runs(history, "all") == {
        "w0 counter_spell L": "1L 2L 3L",
        "w0 missile L": "3L 4L",
    }


def test_run_distinguishes_the_cells_of_the_second_set():
    hasted = duel({"effects": {"haste": {"turns": 3}}})
    orders = made("S -", left2="D", right2="P", left_subject2=BRAM)
    assert cells_of_runs(history_of_turns(hasted, {"ada": orders}), "all") == {
        "w0 missile L": "1L 1.2L",
        "w0 shield R": "1.2R",
    }


def test_run_includes_gestures_of_the_haste_phase_before_a_turn():
    """The run marks gestures in the haste phase, although its spells are cast in the turn."""
    position = duel({"effects": {"haste": {"turns": 3}}}, ruleset="spellcast-1")
    turns: list[engine.play.Turn] = []
    for pair in ("S -", "D -", "- P", "- -"):
        orders = {
            seat: engine.orders.from_fields(made(pair if seat == ADA else "- -"))
            for seat in engine.play.acting_wizards(position)
        }
        answers: dict[str, str] = {}
        while asked := engine.play.questions(position, orders, answers, engine.play.NoDice()):
            answers |= {question.id: question.default for question in asked}
        after, events = engine.play.resolve(position, orders, answers, engine.play.NoDice())
        turns.append(engine.play.Turn(len(turns) + 1, position, events))
        position = after
    history = engine.play.History(tuple(turns), position)
    assert [turn.position.kind for turn in turns] == ["haste", "normal"] * 2
    assert cells_of_runs(history, "all") == {"w0 missile L": "1L 2L", "w0 shield R": "3R"}


def test_run_omits_gestures_that_the_observer_did_not_see():
    history = history_of_turns(
        duel({}, {"effects": {"blindness": ONE_TURN}}),
        {"ada": made("S -")},
        {"ada": made("D -", left_subject=BRAM)},
    )
    assert cells_of_runs(history, ADA) == {"w0 missile L": "1L 2L"}
    assert cells_of_runs(history, BRAM) == {"w0 missile L": "2L"}
    assert cells_of_runs(history, "spectator") == {"w0 missile L": "2L"}


def test_spell_has_no_run_if_its_last_gesture_was_not_seen():
    history = history_of_turns(
        duel({"effects": {"invisibility": {"turns": 3}}}),
        {"ada": made("S -")},
        {"ada": made("D -", left_subject=BRAM)},
    )
    assert cells_of_runs(history, ADA) == {"w0 missile L": "1L 2L"}
    assert cells_of_runs(history, BRAM) == {}


def test_run_omits_gestures_made_before_the_turns_shown():
    setup = history_of_turns(duel(begun("WS", "--")), {"ada": made("D -", left_subject=BRAM)})
    whole = history_of_turns(duel(), {"ada": made("S -")}, {"ada": made("D -", left_subject=BRAM)})
    newest = engine.play.History(whole.turns[1:], whole.position)
    assert cells_of_runs(setup, "all") == {"w0 missile L": "1L"}
    assert cells_of_runs(newest, "all") == {"w0 missile L": "2L"}


@pytest.mark.parametrize("observer", [ADA, BRAM, "spectator", "all"])
def test_run_ends_with_the_gesture_that_completes_its_spell(observer: str):
    """Every grid cell that completes a spell is the last cell of a run."""
    history = history_of_turns(
        duel(),
        {"ada": made("S W"), "bram": made("P -")},
        {"ada": made("D W", left_subject=BRAM), "bram": made("W -")},
        {"ada": made("P S"), "bram": made("- F")},
    )
    view = engine.play.view(history, observer)
    ends = {(run.squares[-1].ordinal, run.wizard, run.spell) for run in view.runs}
    marked = {
        (turn.ordinal, wizard, cell.spell)
        for turn in view.turns
        for wizard, rows in turn.rows.items()
        for row in rows
        for cell in (row.left, row.right)
        if cell.spell
    }
    assert marked
    assert ends == marked
