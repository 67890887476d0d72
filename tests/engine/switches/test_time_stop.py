"""Tests of fields of rulesets and of spells' rows that concern Time Stop."""

from collections.abc import Sequence
from typing import Any

import pytest

import engine.play
from engine.positions.position import Position
from engine.rulesets.choices import StoppedSightMode
from engine.rulesets.ruleset import make_ruleset
from engine.spellbook import BARTLE_SPELLBOOK, Duration, revised_spellbook
from tests.engine.board import (
    ADA,
    BRAM,
    CLEO,
    begun,
    duel,
    event_codes,
    made,
    play_turn,
    under_effects,
)
from tests.engine.changed_rulesets import (
    IN_EVERY_PLAY,
    LONG_TIME_STOP,
    TEST_RULESET,
    Rows,
    find_monster,
)


def play_time_stop(ruleset: str) -> Position:
    after, _ = play_turn(duel(begun("SPP", "---"), ruleset=ruleset), ada=made("C C"))
    return after


@pytest.mark.parametrize(
    ("lasts", "turns"),
    [
        (Duration.INSTANT, [(1, "extra"), (2, "normal"), (3, "normal"), (4, "normal")]),
        (
            Duration.THREE_TURNS,
            [
                (2, "extra"),
                (2, "normal"),
                (3, "extra"),
                (3, "normal"),
                (4, "extra"),
                (4, "normal"),
                (5, "normal"),
            ],
        ),
    ],
)
def test_ruleset_decides_if_time_stop_gives_an_extra_turn_or_three_actions(
    publish_ruleset: Any, lasts: Duration, turns: Sequence[tuple[int, str]]
) -> None:
    """rules: R98, R99"""
    position = play_time_stop(publish_ruleset({"time_stop": {"lasts": lasts}}))
    found = [(position.turn, position.kind)]
    while len(found) < len(turns):
        assert engine.play.acting_wizards(position) == (
            (ADA,) if position.kind == "extra" else (ADA, BRAM)
        )
        position, _ = play_turn(position)
        found.append((position.turn, position.kind))
    assert found == turns


USUAL_TIME_STOP: Rows = {}


@pytest.mark.parametrize("cause", ["remove_enchantment", "dispel_magic"])
def test_lasting_time_stop_can_be_removed_or_dispelled(publish_ruleset: Any, cause: str) -> None:
    """rules: R99"""
    ruleset = publish_ruleset(LONG_TIME_STOP)
    before = duel(under_effects(time_stop={"turns": 2}), {"bank": cause}, ruleset=ruleset)
    assert before.kind == "extra"
    between, _ = play_turn(before)
    assert (between.turn, between.kind) == (1, "normal")
    release = {"release": "yes", "release_subject": ADA}
    after, events = play_turn(between, bram=release)
    assert (after.turn, after.kind) == (2, "normal")
    assert cause in [e.cause for e in events if isinstance(e, engine.events.Removed)]


def test_setup_rejects_a_time_stop_in_force_if_the_ruleset_has_none(publish_ruleset: Any) -> None:
    with pytest.raises(engine.play.InvalidData, match="unknown effect 'time_stop'"):
        duel(under_effects(time_stop={"turns": 1}))
    assert duel(
        under_effects(time_stop={"turns": 1}), ruleset=publish_ruleset(LONG_TIME_STOP)
    ).stopped == (ADA,)


@pytest.mark.parametrize(("rows", "hurt"), [(USUAL_TIME_STOP, 0), (LONG_TIME_STOP, 1)])
def test_anti_spell_in_an_action_breaks_sequences_only_after_the_turn(
    publish_ruleset: Any, rows: Rows, hurt: int
) -> None:
    """An Anti-spell cast in an extra turn breaks sequences at once.

    In an action, which comes before its turn, it breaks them at the end of that turn.

    rules: R93, R169
    """
    ruleset = publish_ruleset(rows)
    if rows:
        before = duel(begun("SP", effects={"time_stop": {"turns": 1}}), begun("S"), ruleset=ruleset)
    else:
        stopping = duel({"bank": "time_stop", **begun("S")}, begun(""), ruleset=ruleset)
        before, _ = play_turn(stopping, ada=made("P -", release="yes"), bram=made("S -"))
    assert before.kind == "extra"
    between, events = play_turn(before, ada=made("F -", left_spell="anti_spell"))
    assert ("broke" in event_codes(events)) == (not rows)
    after, events = play_turn(between, bram=made("D -"))
    assert after.wizard(ADA).damage == hurt
    assert ("broke" in event_codes(events)) == bool(rows)
    assert (after.wizard(BRAM).left == "") == bool(rows)


@pytest.mark.parametrize(("rows", "letter"), [(USUAL_TIME_STOP, "D"), (LONG_TIME_STOP, "P")])
def test_paralysis_cast_in_an_action_repeats_the_gesture_of_the_next_turn(
    publish_ruleset: Any, rows: Rows, letter: str
) -> None:
    """Cast in an extra turn, it repeats the gesture of the turn before. rules: R168, R169"""
    ruleset = publish_ruleset(rows)
    if rows:
        before = duel(begun("FF", effects={"time_stop": {"turns": 1}}), ruleset=ruleset)
    else:
        stopping = duel({"bank": "time_stop", **begun("F")}, ruleset=ruleset)
        before, _ = play_turn(stopping, ada=made("F -", release="yes"), bram=made("S -"))
    between, _ = play_turn(before, ada=made("F -", **{"answer:paralysis": "L"}))
    if rows:
        assert between.wizard(BRAM).effects["paralysis"].letter == ""
        between, _ = play_turn(between, bram=made("W -"))
    assert between.wizard(BRAM).effects["paralysis"].letter == letter
    assert between.wizard(BRAM).effects["paralysis"].is_active(between.turn)


def test_only_its_subject_sees_that_an_action_broke_sequences() -> None:
    """In an ordinary turn, everyone sees which sequences an Anti-spell breaks. rules: R121, R169"""
    stopped = begun("SP", effects={"time_stop": {"turns": 1}})
    before = duel(stopped, {}, {}, ruleset="archmage-1")
    between, secret = play_turn(before, ada=made("F -"))
    after, broken = play_turn(between)
    assert "broke" in event_codes(broken)
    turns = (engine.play.Turn(1, before, secret), engine.play.Turn(2, between, broken))
    views = {id: engine.play.view(engine.play.History(turns, after), id) for id in (BRAM, CLEO)}
    assert {id: view.turns[1].breaks for id, view in views.items()} == {BRAM: (BRAM,), CLEO: ()}
    open_before = duel(begun("SP"), {}, {}, ruleset="archmage-1")
    later, events = play_turn(open_before, ada=made("F -"))
    history = engine.play.History((engine.play.Turn(1, open_before, events),), later)
    assert engine.play.view(history, CLEO).turns[0].breaks == (BRAM,)


def test_amnesia_cast_in_an_extra_action_works_in_the_next_turn() -> None:
    """A wizard repeats the gestures of that turn, and a monster attacks its victim again.

    rules: R169, R155
    """
    stopped = {**begun("DP", "DP"), "effects": {"time_stop": {"turns": 1}}}
    goblin = {"kind": "goblin", "controller": BRAM}
    before = duel(stopped, {}, {}, monsters=[goblin], ruleset="archmage-1")
    flat = made("P P", left_spell="amnesia", left_subject=BRAM, right_spell="amnesia")
    between, _ = play_turn(before, ada={**flat, "right_subject": "m0"})
    # With two palms the wizard surrenders, but the spells still take effect.
    assert between.wizard(ADA).standing == "surrendered"
    after, _ = play_turn(between, bram={**made("W S"), "victim:m0": CLEO})
    assert after.wizard(BRAM).effects["amnesia"].sets == ("WS",)
    kept = find_monster(after, "m0")
    assert kept is not None
    assert kept.effects["amnesia"].sets == (CLEO,)


def test_charms_cast_in_an_action_and_in_the_turn_after_it_cancel() -> None:
    """An action counts as part of the turn after it, so the two charms conflict.

    rules: R76, R169
    """
    stopped = {**begun("PSD"), "effects": {"time_stop": {"turns": 1}}}
    before = duel(stopped, {}, begun("PSD"), ruleset="archmage-1")
    between, _ = play_turn(before, ada=made("F -", **{"answer:charm_person": "L"}))
    assert "charm_person" in between.wizard(BRAM).effects
    flat = made("F -", left_subject=BRAM, **{"answer:charm_person": "R"})
    after, events = play_turn(between, cleo=flat)
    assert "charm_person" not in after.wizard(BRAM).effects
    assert "minds_clashed" in event_codes(events)


def test_blind_wizard_names_the_gesture_of_a_hand_charmed_in_an_action() -> None:
    """The order sheet offers the hand one turn after the action's turn. rules: R81, R85, R169"""
    effects = {"time_stop": {"turns": 1}, "blindness": {"turns": 3}}
    before = duel({**begun("PSD"), "effects": effects}, ruleset="archmage-1")
    between, _ = play_turn(before, ada=made("F -", **{"answer:charm_person": "R"}))
    assert engine.play.sheet(between, ADA).charmed == ()
    after, _ = play_turn(between)
    assert [row.key for row in engine.play.sheet(after, ADA).charmed] == ["w1.R"]
    later, _ = play_turn(after)
    assert engine.play.sheet(later, ADA).charmed == ()


def test_actions_before_a_turn_do_not_shorten_effects() -> None:
    """rules: R98, R99"""
    effects = {"time_stop": {"turns": 1}, "disease": {"turns": 1}, "blindness": {"turns": 1}}
    before = duel({"effects": effects}, ruleset="archmage-1")
    between, _ = play_turn(before)
    assert (between.kind, set(between.wizard(ADA).effects)) == ("normal", set(effects))
    after, _ = play_turn(between)
    assert after.outcome == BRAM


def test_time_stopped_monster_attacks_both_before_the_turn_and_during_it() -> None:
    """rules: R99"""
    row = {"kind": "goblin", "controller": ADA, "effects": {"time_stop": {"turns": 1}}}
    before = duel(monsters=[row], ruleset="archmage-1")
    assert (before.kind, before.stopped, engine.play.acting_wizards(before)) == (
        "extra",
        ("m0",),
        (ADA,),
    )
    between, _ = play_turn(before)
    assert between.wizard(BRAM).damage == 1
    after, _ = play_turn(between)
    assert (after.wizard(BRAM).damage, after.turn, after.kind) == (2, 2, "normal")


@IN_EVERY_PLAY
@pytest.mark.parametrize("sight", StoppedSightMode)
def test_ruleset_decides_if_time_stopped_wizards_see_each_other(
    publish_variant: Any, play: str, sight: StoppedSightMode
) -> None:
    """rules: R121"""
    ruleset = publish_variant(play, stopped_sight=sight)
    before = duel(begun("SPP", "---"), begun("SPP", "---"), ruleset=ruleset)
    between, first = play_turn(before, ada=made("C C"), bram=made("C C"))
    assert between.stopped == (ADA, BRAM)
    after, events = play_turn(between, ada=made("F -"), bram=made("W -"))
    turns = (engine.play.Turn(1, before, first), engine.play.Turn(2, between, events))
    seen = engine.play.view(engine.play.History(turns, after), ADA)
    (hand,) = [hand for hand in seen.hands if (hand.wizard, hand.hand) == (BRAM, "L")]
    assert hand.letters.endswith("W") == (sight is StoppedSightMode.EACH_OTHER)


def test_stepwise_play_rejects_a_time_stop_that_lasts() -> None:
    """rules: R99"""
    book = revised_spellbook(BARTLE_SPELLBOOK, LONG_TIME_STOP)
    with pytest.raises(ValueError, match=r"time_stop cannot be .* in stepwise play"):
        make_ruleset(
            TEST_RULESET, name="Trial", description="", spells=book, order_of_play="stepwise"
        )
