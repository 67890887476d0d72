"""Tests of an observer's view: fog, rows, breaks, status, banks, spells in progress.

Names of beings: w0 Ada, w1 Bram, w2 Cleo, m0 the first monster.
"""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

import engine.orders
import engine.play
from engine.positions.position import Position
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
from tests.engine.random_duels import random_duel

OBSERVERS = (ADA, BRAM, "spectator", "all")


def history_of_turns(
    position: Position, *turns: Mapping[str, Mapping[str, str]]
) -> engine.play.History:
    """Return the duel after these turns, each with orders by name: {"ada": made("W P")}."""
    told: list[engine.play.Turn] = []
    for orders in turns:
        hands = [orders.get(name) for name in ("ada", "bram", "cleo")]
        after, events = play_turn(position, ada=hands[0], bram=hands[1], cleo=hands[2])
        told.append(engine.play.Turn(len(told) + 1, position, events))
        position = after
    return engine.play.History(tuple(told), position)


def rows_of_wizard(history: engine.play.History, observer: str, wizard: str) -> list[list[str]]:
    """Return the letters of that wizard's rows, turn by turn: [["WP"], ["S-", "D-"]]."""
    return [
        [row.left.letter + row.right.letter for row in turn.rows[wizard]]
        for turn in engine.play.view(history, observer).turns
    ]


def status_by_id(history: engine.play.History, observer: str) -> dict[str, engine.play.BeingView]:
    return {being.id: being for being in engine.play.view(history, observer).status}


def visible_event_codes(history: engine.play.History, observer: str) -> list[str]:
    """Return codes of the last turn's events that this observer may see."""
    return event_codes(engine.play.view(history, observer).turns[-1].events)


def missing_gestures_by_pattern(
    history: engine.play.History, observer: str, wizard: str, hand: str
) -> dict[str, str]:
    """Return the gestures that a hand still needs for each spell in progress, by pattern."""
    (found,) = [
        each
        for each in engine.play.view(history, observer).hands
        if (each.wizard, each.hand) == (wizard, hand)
    ]
    return {each.pattern: each.remaining for each in found.progress}


# The grid


@pytest.mark.parametrize("observer", OBSERVERS)
def test_everyone_sees_gestures_after_the_reveal(observer: str) -> None:
    history = history_of_turns(
        duel(), {"ada": made("W P"), "bram": made("> -")}, {"ada": made("S F")}
    )
    assert rows_of_wizard(history, observer, ADA) == [["WP"], ["SF"]]
    assert rows_of_wizard(history, observer, BRAM) == [[">-"], ["--"]]


def test_grid_cell_shows_the_spell_cast_with_the_gesture() -> None:
    history = history_of_turns(duel(begun("S")), {"ada": made("D P")})
    ((row,),) = [turn.rows[ADA] for turn in engine.play.view(history, BRAM).turns]
    assert row == engine.play.Row(
        engine.play.Cell("D", spell="missile"), engine.play.Cell("P", spell="shield")
    )


def test_grid_cells_mark_two_handed_gestures_and_half_claps() -> None:
    """rules: R1"""
    history = history_of_turns(duel(begun("C", "C")), {"ada": made("W W"), "bram": made("C W")})
    (turn,) = engine.play.view(history, "all").turns
    mirror = engine.play.Cell("W", spell="magic_mirror", both=True)
    assert turn.rows[ADA] == (engine.play.Row(mirror, mirror),)
    assert turn.rows[BRAM] == (
        engine.play.Row(engine.play.Cell("C", "half_clap"), engine.play.Cell("W")),
    )


INVISIBLE_WIZARD = under_effects(invisibility={"turns": 1})


def test_others_do_not_see_an_invisible_wizards_gestures() -> None:
    history = history_of_turns(
        duel({}, INVISIBLE_WIZARD, seats=3), {"bram": made("W S")}, {"bram": made("P D")}
    )
    assert rows_of_wizard(history, BRAM, BRAM) == [["WS"], ["PD"]]
    assert rows_of_wizard(history, "all", BRAM) == [["WS"], ["PD"]]
    for observer in (ADA, CLEO, "spectator"):
        assert rows_of_wizard(history, observer, BRAM) == [
            ["??"],
            ["PD"],
        ]  # Bram is invisible for one turn


def test_blind_wizards_see_only_their_own_gestures() -> None:
    blind = under_effects(blindness={"turns": 1})
    history = history_of_turns(duel(blind, seats=3), {"ada": made("W P"), "bram": made("S F")})
    assert rows_of_wizard(history, ADA, ADA) == [["WP"]]
    assert rows_of_wizard(history, ADA, BRAM) == [["??"]]
    assert rows_of_wizard(history, CLEO, BRAM) == [["SF"]]
    # Spectators see only what every wizard can see.
    assert rows_of_wizard(history, "spectator", BRAM) == [["??"]]


def test_hasted_wizard_has_two_rows_in_the_grid() -> None:
    hasted = under_effects(haste={"turns": 1})
    history = history_of_turns(
        duel(hasted), {"ada": {**made("W P"), "left2": "S"}, "bram": made("F F")}
    )
    assert rows_of_wizard(history, BRAM, ADA) == [["WP", "S-"]]
    assert rows_of_wizard(history, BRAM, BRAM) == [["FF"]]


def test_others_do_not_see_gestures_of_an_extra_turn() -> None:
    """rules: R98, R121"""
    history = history_of_turns(
        duel(begun("SPP", "--S"), seats=3), {"ada": made("C C")}, {"ada": made("W D")}
    )
    view = engine.play.view(history, BRAM)
    assert [(turn.number, turn.kind) for turn in view.turns] == [(1, "normal"), (1, "extra")]
    assert rows_of_wizard(history, BRAM, ADA) == [["CC"], ["??"]]
    assert rows_of_wizard(history, ADA, ADA) == [["CC"], ["WD"]]
    assert rows_of_wizard(history, BRAM, BRAM) == [["--"], []]


def test_view_marks_the_turn_in_which_sequences_broke() -> None:
    """rules: R93"""
    history = history_of_turns(duel({}, begun("SP")), {"ada": made("S S"), "bram": made("F -")})
    for observer in OBSERVERS:
        assert [turn.breaks for turn in engine.play.view(history, observer).turns] == [(ADA,)]


# Events


def test_opponents_see_an_invisible_wizards_spell_but_not_the_hand() -> None:
    history = history_of_turns(duel({}, begun("S", effects={"invisibility": {"turns": 1}})),
                    {"bram": made("D -")})  # fmt: skip
    (cast,) = [e for e in engine.play.view(history, ADA).turns[0].events if e.code == "cast"]
    assert cast == engine.events.Cast("w1", "missile", "", 0, "w0")


def test_opponents_do_not_see_who_stabbed_if_the_wizard_is_invisible() -> None:
    history = history_of_turns(duel({}, INVISIBLE_WIZARD), {"bram": made("> -")})
    (hit,) = [e for e in engine.play.view(history, ADA).turns[0].events if e.code == "hit"]
    assert hit == engine.events.Hit("w0", 1, "stab", "")
    assert [e for e in engine.play.view(history, BRAM).turns[0].events if e.code == "hit"] == [
        engine.events.Hit("w0", 1, "stab", "w1")
    ]


def test_blind_wizards_see_only_events_that_affect_them() -> None:
    blind = under_effects(blindness={"turns": 2})
    hit_me = {"bram": made("D -", left_subject="w0")}
    hit_cleo = {"bram": made("D -", left_subject="w2")}
    position = duel(blind, begun("S"), seats=3)
    assert visible_event_codes(history_of_turns(position, hit_me), ADA) == [
        "gestured",
        "cast",
        "hit",
        "wounded",
    ]
    assert visible_event_codes(history_of_turns(position, hit_cleo), ADA) == ["gestured"]
    assert "hit" in visible_event_codes(history_of_turns(position, hit_cleo), CLEO)


def test_only_its_owner_sees_a_banked_spell() -> None:
    """rules: R147"""
    delayed = begun("S", effects={"delayed_effect": {"turns": 2}})
    history = history_of_turns(duel(delayed), {"ada": made("D -")})
    assert "banked" in visible_event_codes(history, ADA)
    assert "banked" not in visible_event_codes(history, BRAM)
    assert "banked" not in visible_event_codes(history, "spectator")
    assert [status_by_id(history, o)[ADA].bank for o in OBSERVERS] == ["missile", "", "", "missile"]


# The status list


def test_status_list_order() -> None:
    """Uncontrolled monsters come first, then the observer and their monsters, then the others.

    rules: R145"""
    monsters = [
        {"kind": "goblin", "controller": "w1"},
        {"kind": "ogre", "controller": "w0"},
        {"kind": "troll"},
    ]
    history = engine.play.History((), duel(monsters=monsters))
    assert list(status_by_id(history, ADA)) == ["m2", "w0", "m1", "w1", "m0"]
    assert list(status_by_id(history, BRAM)) == ["m2", "w1", "m0", "w0", "m1"]
    assert list(status_by_id(history, "all")) == ["m2", "w0", "m1", "w1", "m0"]
    assert [being.group for being in status_by_id(history, ADA).values()] == [
        "",
        "w0",
        "w0",
        "w1",
        "w1",
    ]


def test_status_list_fields() -> None:
    wizard = {
        "damage": 4,
        "effects": {
            "resist_heat": {},
            "invisibility": {"turns": 3},
            "paralysis": {"turns": 1, "hand": "R", "letter": "F"},
            "fear": {"permanent": True},
        },
    }
    being = status_by_id(engine.play.History((), duel({}, wizard)), ADA)[BRAM]
    assert (being.name, being.kind, being.state) == ("Bram", "wizard", "standing")
    assert (being.damage, being.hit_points, being.limit) == (4, 11, 15)
    assert being.letters == "IH"
    effects = {each.code: each for each in being.effects}
    assert effects["invisibility"].turns_left == 3
    assert effects["resist_heat"].turns_left is None
    assert (effects["fear"].permanent, effects["fear"].name) == (True, "Fear")
    assert effects["paralysis"].detail == "right hand"


def test_status_names_the_hand_of_a_charm_or_a_permanent_confusion() -> None:
    """The dice make Ada's right hand (4) repeat a palm (4) permanently. rules: R85, R173"""
    position = duel(
        under_effects(confusion={"permanent": True}),
        under_effects(charm_person={"turns": 2, "caster": ADA, "hand": "R"}),
    )
    dice = engine.play.RecordedDice(
        {"turn 1 confusion w0 hand": 3, "turn 1 confusion w0 gesture": 3}
    )
    after, events = play_turn(position, dice=dice)
    history = engine.play.History((engine.play.Turn(1, position, events),), after)
    ada, bram = status_by_id(history, ADA)[ADA], status_by_id(history, ADA)[BRAM]
    assert {effect.code: effect.detail for effect in ada.effects} == {"confusion": "right hand"}
    assert {effect.code: effect.detail for effect in bram.effects} == {"charm_person": "right hand"}


def test_blind_wizards_do_not_see_the_status_of_others() -> None:
    blind = under_effects(blindness={"turns": 3})
    position = duel(
        blind, begun("S"), monsters=[{"kind": "ogre", "controller": "w1", "victim": "w0"}], seats=3
    )
    history = history_of_turns(
        position, {"bram": made("D >", left_subject="w2", right_subject="w2")}
    )
    mine, cleos = status_by_id(history, ADA), status_by_id(history, CLEO)
    assert (mine[CLEO].damage, mine[CLEO].hit_points, mine[CLEO].effects) == (None, None, ())
    assert cleos[CLEO].damage == 2
    assert mine[ADA].damage == cleos[ADA].damage == 2  # Ada's report has the ogre's attack on her
    assert (mine["m0"].state, mine["m0"].damage) == ("unseen", None)
    assert mine["m0"].name == cleos["m0"].name
    assert status_by_id(history, "spectator")[CLEO].damage is None


def test_blind_wizards_do_not_see_new_monsters() -> None:
    blind = under_effects(blindness={"turns": 3})
    history = history_of_turns(
        duel(blind, begun("SF"), seats=3), {"bram": made("W -", **{"victim:L:w1": "w2"})}
    )
    assert "m0" in status_by_id(history, CLEO)
    assert "m0" not in status_by_id(history, ADA)
    assert "m0" not in engine.play.view(history, ADA).names


def test_only_caster_and_subject_see_effects_of_an_extra_turn() -> None:
    """The effect is of a banked spell that Ada releases at Bram in the extra turn. rules: R121"""
    history = history_of_turns(
        duel(begun("SPP", bank="resist_heat"), seats=3),
        {"ada": made("C C")},
        {"ada": {"release": "yes", "release_subject": "w1"}},
    )
    known = {o: bool(status_by_id(history, o)[BRAM].effects) for o in (*OBSERVERS, CLEO)}
    assert known == {ADA: True, BRAM: True, "all": True, CLEO: False, "spectator": False}


# Spells in progress


def test_view_lists_the_spells_in_progress_of_a_hand() -> None:
    history = history_of_turns(duel(), {"ada": made("S -")}, {"ada": made("W -")})
    found = missing_gestures_by_pattern(history, BRAM, ADA, "L")
    assert found["SWD"] == "D"
    assert found["SWWc"] == "Wc"
    assert found["WWP"] == "WP"
    assert "SD" not in found
    assert missing_gestures_by_pattern(history, BRAM, ADA, "R") == {}


def test_spells_in_progress_are_sorted_by_missing_gestures() -> None:
    history = history_of_turns(duel(), {"ada": made("F -")}, {"ada": made("F -")})
    (hand, *_) = engine.play.view(history, ADA).hands
    assert (hand.letters, hand.progress[0].pattern, hand.progress[0].done) == ("FF", "FFF", 2)
    missing = [len(each.remaining) for each in hand.progress]
    assert missing == sorted(missing)


def test_half_a_clap_does_not_start_a_spell_in_progress() -> None:
    whole = history_of_turns(duel(), {"ada": made("C C")})
    assert missing_gestures_by_pattern(whole, BRAM, ADA, "L")["cw"] == "w"
    assert missing_gestures_by_pattern(whole, BRAM, ADA, "R")["cDPW"] == "DPW"
    half = history_of_turns(duel(), {"ada": made("C -")})
    assert missing_gestures_by_pattern(half, BRAM, ADA, "L") == {}


def test_opponents_spells_in_progress_start_after_the_last_unseen_gesture() -> None:
    """An unseen gesture could be any gesture, so it may have ended all earlier sequences."""
    history = history_of_turns(
        duel(),
        {"bram": made("S -")},
        {"bram": made("W -")},
    )
    assert missing_gestures_by_pattern(history, ADA, BRAM, "L")["SWD"] == "D"
    fog = history_of_turns(duel({}, INVISIBLE_WIZARD), {"bram": made("S -")}, {"bram": made("W -")})
    assert missing_gestures_by_pattern(fog, BRAM, BRAM, "L")["SWD"] == "D"
    assert missing_gestures_by_pattern(fog, "all", BRAM, "L")["SWD"] == "D"
    for observer in (ADA, "spectator"):
        assert "SWD" not in missing_gestures_by_pattern(fog, observer, BRAM, "L")
        assert missing_gestures_by_pattern(fog, observer, BRAM, "L")["WWS"] == "WS"


def test_only_their_owner_sees_spells_begun_before_the_given_turns() -> None:
    """The history begins after the first gesture, so nobody else knows of that gesture."""
    history = history_of_turns(duel({}, begun("S")), {"bram": made("W -")})
    assert missing_gestures_by_pattern(history, BRAM, BRAM, "L")["SWD"] == "D"
    assert "SWD" not in missing_gestures_by_pattern(history, ADA, BRAM, "L")


def test_anti_spell_ends_spells_in_progress() -> None:
    history = history_of_turns(duel({}, begun("SP")), {"ada": made("S W"), "bram": made("F -")})
    assert missing_gestures_by_pattern(history, BRAM, ADA, "L") == {}
    assert missing_gestures_by_pattern(history, ADA, ADA, "R") == {}


def turns_of_unseen_spells(
    history: engine.play.History, observer: str, wizard: str
) -> list[set[int]]:
    """Return the turns until spells with unseen gestures could be completed, for each hand."""
    hands = engine.play.view(history, observer).hands
    return [set(hand.out_of_sight) for hand in hands if hand.wizard == wizard]


def test_unseen_gesture_may_have_begun_any_spell() -> None:
    """The view lists the turns in which a spell with unseen gestures could be completed."""
    history = history_of_turns(duel({}, INVISIBLE_WIZARD), {"bram": made("S -")})
    for observer in (ADA, "spectator"):
        left, right = turns_of_unseen_spells(history, observer, BRAM)
        assert {1, 2} <= left
        assert left == right
    for observer, wizard in ((BRAM, BRAM), ("all", BRAM), (ADA, ADA)):
        assert turns_of_unseen_spells(history, observer, wizard) == [set(), set()]


def test_spell_with_unseen_gestures_may_continue_if_the_next_ones_fit() -> None:
    """F could follow an unseen S, and W could follow others.

    The hand that does nothing does not continue any spell.
    """
    invisible = {"effects": {"invisibility": {"turns": 1}}}
    history = history_of_turns(duel({}, invisible), {"bram": made("S -")}, {"bram": made("F -")})
    assert missing_gestures_by_pattern(history, ADA, BRAM, "L")["FFF"] == "FF"
    left, right = turns_of_unseen_spells(history, ADA, BRAM)
    assert 1 in left
    assert right == set()


def test_anti_spell_ends_spells_with_unseen_gestures() -> None:
    """After an Anti-spell every hand starts again, so no earlier gestures matter."""
    history = history_of_turns(
        duel(begun("SP"), INVISIBLE_WIZARD), {"ada": made("F -"), "bram": made("S -")}
    )
    assert history.position.wizard(BRAM).left == ""
    assert turns_of_unseen_spells(history, ADA, BRAM) == [set(), set()]


def test_others_do_not_see_gestures_made_before_the_given_turns() -> None:
    history = history_of_turns(duel(), {"bram": made("S W")}, {"bram": made("W -")})
    window = engine.play.History(history.turns[1:], history.position)
    assert 1 in turns_of_unseen_spells(window, ADA, BRAM)[0]
    assert turns_of_unseen_spells(window, BRAM, BRAM) == [set(), set()]
    set_up = engine.play.History((), duel({}, begun("S")))
    assert 1 in turns_of_unseen_spells(set_up, ADA, BRAM)[0]
    assert turns_of_unseen_spells(engine.play.History((), duel()), ADA, BRAM) == [set(), set()]


def open_turn(position: Position, pair: str, **more: str) -> engine.play.History:
    """Return a turn that waits for answers, with these gestures by Ada and none by Bram."""
    _, events = play_turn(position, ada=made(pair, **more))
    shown = tuple(event for event in events if isinstance(event, engine.play.Gestured))
    return engine.play.History((engine.play.Turn(1, position, shown),), position, is_open=True)


@pytest.mark.parametrize("observer", OBSERVERS)
def test_revealed_gestures_count_before_the_turn_is_resolved(observer: str) -> None:
    history = open_turn(duel(), "S -")
    assert missing_gestures_by_pattern(history, observer, ADA, "L")["SD"] == "D"
    assert missing_gestures_by_pattern(history, observer, ADA, "R") == {}


@pytest.mark.parametrize("observer", [ADA, "all"])
def test_revealed_gestures_continue_earlier_sequences(observer: str) -> None:
    found = missing_gestures_by_pattern(open_turn(duel(begun("SW")), "W -"), observer, ADA, "L")
    assert (found["SWWc"], "SWD" in found) == ("c", False)


@pytest.mark.parametrize(("ends", "turns"), [(1, 2), (2, 1)])
def test_turns_left_for_a_spell_do_not_include_the_revealed_turn(ends: int, turns: int) -> None:
    """With one more hasted turn, P and F take one turn; otherwise two."""
    hasted = duel({"effects": {"haste": {"turns": ends}}})
    history = open_turn(hasted, "- -", left2="S", right2="-")
    (hand, _) = (h for h in engine.play.view(history, ADA).hands if h.wizard == ADA)
    (anti,) = (each for each in hand.progress if each.pattern == "SPF")
    assert anti.turns == turns


def test_wizards_out_of_the_duel_have_no_spells_in_progress() -> None:
    position, events = engine.play.resign(duel(seats=3), BRAM)
    history = engine.play.History((engine.play.Turn(1, duel(seats=3), events),), position)
    view = engine.play.view(history, ADA)
    assert {hand.wizard for hand in view.hands} == {ADA, CLEO}
    assert [wizard.standing for wizard in view.wizards] == ["standing", "resigned", "standing"]


def test_short_bolt_is_not_in_progress_for_an_owner_who_has_used_it() -> None:
    history = history_of_turns(
        duel({"used_bolt": True}), {"ada": made("W -")}, {"ada": made("D -")}
    )
    assert "WDDc" not in missing_gestures_by_pattern(history, ADA, ADA, "L")
    assert "WDDc" in missing_gestures_by_pattern(history, BRAM, ADA, "L")


# The whole view


def test_view_names_its_observer_and_marks_their_seat() -> None:
    view = engine.play.view(engine.play.History((), duel(turn=3)), BRAM)
    assert (view.observer, view.ruleset, view.turn, view.kind, view.outcome) == (
        BRAM, "bartle-1", 3, "normal", "",
    )  # fmt: skip
    assert [(wizard.name, wizard.you) for wizard in view.wizards] == [
        ("Ada", False),
        ("Bram", True),
    ]
    assert view.names == {"w0": "Ada", "w1": "Bram"}


def test_view_keeps_the_names_of_removed_monsters() -> None:
    history = history_of_turns(
        duel(begun("SWW"), monsters=[{"kind": "fire", "controller": "w1"}]), {"ada": made("C C")}
    )
    assert history.position.monsters == []
    assert "Fire Elemental" in engine.play.view(history, BRAM).names["m0"]


@pytest.mark.parametrize("observer", ["w2", "w9", "m0", "nobody", ""])
def test_view_raises_key_error_for_an_unknown_observer(observer: str) -> None:
    with pytest.raises(KeyError):
        engine.play.view(engine.play.History((), duel()), observer)


@pytest.mark.parametrize("seed", range(15))
def test_fields_shown_in_a_view_equal_the_sealed_orders(seed: int) -> None:
    """The view shows fields of orders only as sealed, so publishing them reveals nothing else."""
    ruleset = list(engine.play.RULESETS)[seed % len(engine.play.RULESETS)]
    steps = list(random_duel(random.Random(seed), wizards=3, turns=25, ruleset=ruleset))
    found: Counter[str] = Counter()
    for step in steps:
        history = engine.play.History(
            (engine.play.Turn(1, step.position, step.events),), step.after
        )
        for observer in ("w0", "w1", "w2", "spectator", "all"):
            (turn,) = engine.play.view(history, observer).turns
            for wizard, shown in engine.play.shown_fields(turn, step.position).items():
                sealed = engine.orders.fields(step.orders[wizard])
                assert {name: sealed.get(name) for name in shown} == shown, (observer, wizard)
                found.update(name.partition("_")[2] for name in shown)
    assert found[""] > 100
    assert (
        found["subject"] > 0
        or steps[0].position.rules.asking is engine.play.QuestionMode.AT_EVERY_STEP
    )
