"""Tests of spells in progress for hands restricted by mind spells that the observer knows of.

rules: R80, R82, R87, R168, W24, F49. Names of beings: w0 Ada, w1 Bram.
"""

from collections.abc import Mapping
from typing import Any

import pytest

import engine.play
from engine.positions.position import FOREVER, Effect, Position
from tests.engine.board import ADA, ALL_RULESETS, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns

ONE_TURN = {"turns": 1}


def turns_of_spells_in_progress(
    history: engine.play.History, observer: str, wizard: str, hand: str
) -> dict[str, int]:
    """Return the turns that each begun spell still needs. Keys are like "DSF 1": pattern, done."""
    (found,) = [
        each
        for each in engine.play.view(history, observer).hands
        if (each.wizard, each.hand) == (wizard, hand)
    ]
    return {f"{step.pattern} {step.done}": step.turns for step in found.progress}


def history_before_first_turn(position: Position) -> engine.play.History:
    return engine.play.History((), position)


def duel_with_bram_under(
    left: str, right: str, ruleset: str = "bartle-1", **effects: Mapping[str, Any]
) -> Position:
    return duel({}, begun(left, right, effects=effects), ruleset=ruleset)


def test_amnesiac_wizard_continues_only_spells_that_fit_the_repeated_gestures():
    """Bram's left hand makes F again, so it cannot cast Cause Light Wounds (WFP). rules: R82"""
    free = turns_of_spells_in_progress(
        history_before_first_turn(duel_with_bram_under("WF", "-D")), BRAM, BRAM, "L"
    )
    assert free["WFP 2"] == 1
    amnesia = {"turns": 1, "sets": ["FD"]}
    position = duel_with_bram_under("WF", "-D", amnesia=amnesia)
    forgetful = turns_of_spells_in_progress(history_before_first_turn(position), BRAM, BRAM, "L")
    assert "WFP 2" not in forgetful
    assert forgetful["FFF 1"] == 2


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_frightened_wizard_completes_only_spells_that_fear_allows(ruleset: str):
    """A hand that cannot make F cannot complete Paralysis (FFF). rules: R87, W24"""
    rules = engine.play.RULESETS[ruleset]
    assert "F" not in rules.under_fear
    assert "P" in rules.under_fear
    free = turns_of_spells_in_progress(
        history_before_first_turn(duel_with_bram_under("FF", "WF", ruleset)), BRAM, BRAM, "L"
    )
    assert free["FFF 2"] == 1
    history = history_before_first_turn(duel_with_bram_under("FF", "WF", ruleset, fear=ONE_TURN))
    for observer in (BRAM, "all"):
        assert "FFF 2" not in turns_of_spells_in_progress(history, observer, BRAM, "L")
        assert turns_of_spells_in_progress(history, observer, BRAM, "R")["WFP 2"] == 1


def test_paralysed_hand_continues_only_spells_that_fit_its_gesture():
    """The right hand must make D, so neither DPP nor DSF can continue. rules: R80"""
    free = turns_of_spells_in_progress(
        history_before_first_turn(duel_with_bram_under("--", "-D")), BRAM, BRAM, "R"
    )
    assert {"DPP 1", "DSF 1"} <= free.keys()
    paralysis = {"turns": 1, "hand": "R", "letter": "D", "caster": ADA}
    history = history_before_first_turn(duel_with_bram_under("--", "-D", paralysis=paralysis))
    held = turns_of_spells_in_progress(history, BRAM, BRAM, "R")
    assert not {"DPP 1", "DSF 1"} & held.keys()


def test_hand_next_to_a_paralysed_one_cannot_make_two_handed_gestures():
    """Bram's right hand must make D, so he cannot clap for Magic Mirror (cw). rules: R1, R80"""
    assert "cw 1" in turns_of_spells_in_progress(
        history_before_first_turn(duel_with_bram_under("C", "C")), BRAM, BRAM, "L"
    )
    paralysis = {"turns": 1, "hand": "R", "letter": "D", "caster": ADA}
    history = history_before_first_turn(duel_with_bram_under("C", "C", paralysis=paralysis))
    assert "cw 1" not in turns_of_spells_in_progress(history, BRAM, BRAM, "L")


def test_begun_spell_is_listed_if_a_longer_one_cannot_continue():
    """After SPFP, SPFPSDW would need S, but PPws, begun with the last P, needs another P."""
    paralysis = {"turns": 1, "hand": "L", "letter": "P", "caster": ADA}
    position = duel_with_bram_under("SPFP", "----", paralysis=paralysis)
    held = turns_of_spells_in_progress(history_before_first_turn(position), BRAM, BRAM, "L")
    assert "SPFPSDW 4" not in held
    assert held["PPws 1"] == 3


def duel_after_amnesia() -> engine.play.History:
    """Return a duel in which Ada casts Amnesia (DPP) at Bram, whose left hand made WF."""
    return history_of_turns(
        duel(begun("D", "-")),
        {"ada": made("P -"), "bram": made("W -")},
        {"ada": made("P -", left_subject=BRAM), "bram": made("F D")},
    )


def test_everyone_knows_which_visible_gestures_an_amnesiac_repeats():
    history = duel_after_amnesia()
    for observer in (ADA, BRAM, "spectator"):
        left = turns_of_spells_in_progress(history, observer, BRAM, "L")
        assert "WFP 2" not in left
        assert left["FFF 1"] == 2


def test_observer_who_does_not_know_of_the_mind_spell_sees_all_spells_begun():
    """rules: R121"""
    history = history_of_turns(duel({}, {}), {"bram": made("F D")}, {"bram": made("F D")})
    bram = history.position.wizard(BRAM)
    bram.effects["fear"] = Effect(3, 3, ADA)
    assert "FFF 2" not in turns_of_spells_in_progress(history, ADA, BRAM, "L")
    bram.effects["fear"] = Effect(3, 3, ADA, unseen_by=(ADA,))
    assert "FFF 2" in turns_of_spells_in_progress(history, ADA, BRAM, "L")
    assert "FFF 2" not in turns_of_spells_in_progress(history, BRAM, BRAM, "L")


def test_spells_in_progress_do_not_reveal_the_gesture_of_a_hidden_row():
    """Ada did not see the F, so she does not know that Bram must repeat it. rules: R80, R82, F49"""
    position = duel(begun("DP", "--"), begun("W", "-", effects={"invisibility": ONE_TURN}))
    stories = [
        history_of_turns(position, {"ada": made("P -", left_subject=BRAM), "bram": made(row)})
        for row in ("F D", "S W")
    ]
    one, other = (engine.play.view(history, ADA).hands for history in stories)
    assert one == other
    assert "WFP 2" not in turns_of_spells_in_progress(stories[0], BRAM, BRAM, "L")


def test_two_mind_spells_in_force_do_not_restrict_spells_in_progress():
    """rules: R79"""
    amnesia = {"turns": 1, "sets": ["FD"]}
    history = history_before_first_turn(
        duel_with_bram_under("WF", "-D", amnesia=amnesia, fear=ONE_TURN)
    )
    assert turns_of_spells_in_progress(history, "all", BRAM, "L")["WFP 2"] == 1


def test_mind_spell_restricts_only_the_next_row():
    """Fear does not affect the second row of a hasted turn. rules: R168"""
    effects = {"fear": {}, "haste": {"turns": 3}}
    history = history_before_first_turn(duel_with_bram_under("F", "W", "spellcast-1", **effects))
    found = turns_of_spells_in_progress(history, "all", BRAM, "R")
    assert "WFP 1" not in found
    assert turns_of_spells_in_progress(history, "all", BRAM, "R")["WPFD 1"] == 2


def test_mind_spell_of_a_revealed_turn_does_not_restrict_the_next_turn():
    """The gestures that Fear restricted have been made, and those of the next turn are free."""
    position = duel_with_bram_under("FF", "--", fear=ONE_TURN)
    shown = engine.play.Turn(1, position, (engine.play.Gestured(BRAM, 1, "P", "-"),))
    history = engine.play.History((shown,), position, is_open=True)
    assert "PSDF 1" in turns_of_spells_in_progress(history, ADA, BRAM, "L")


def test_mind_spell_restricts_the_turn_after_another_wizards_extra_turn():
    """rules: R98"""
    position = duel_with_bram_under("FF", "--")
    position.kind, position.stopped = engine.play.EXTRA, (ADA,)
    position.wizard(BRAM).effects["fear"] = Effect(2, FOREVER, ADA, permanent=True)
    assert "FFF 2" not in turns_of_spells_in_progress(
        history_before_first_turn(position), "all", BRAM, "L"
    )
