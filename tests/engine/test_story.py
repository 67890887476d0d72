"""Tests of the story of a finished duel: damage, casts, and turning points with their rules.

Ada is w0, Bram w1, Cleo w2. A stab or a missile deals one point of damage, a fireball five.
"""

import random

import pytest

import engine.play
import engine.words
from engine.words.story import (
    FIRST_BLOOD,
    HEAVY_BLOW,
    LEAD_CHANGED,
    MAX_TURNING_POINTS,
    MONSTER_WON_OVER,
    SPELL_SENT_BACK,
    WIZARD_FELL,
)
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.random_duels import random_duel
from tests.engine.test_view import history_of_turns


def kinds_of_turning_points(history: engine.play.History) -> list[tuple[int, str]]:
    """Return the turning points as (ordinal, kind)."""
    return [(point.ordinal, point.kind) for point in engine.words.story_of(history).turning_points]


def texts_of_turning_points(history: engine.play.History, reader: str = "") -> dict[str, str]:
    """Return the text of the last turning point of each kind."""
    told = engine.words.highlights(
        engine.play.view(history, "all"), engine.words.story_of(history), reader
    )
    return {point.kind: point.text for point in told}


def damage_after_each_turn(history: engine.play.History, wizard: str) -> list[int]:
    """Return the wizard's damage before the first turn and after each turn."""
    (found,) = [each for each in engine.words.story_of(history).wizards if each.wizard == wizard]
    return list(found.damage)


def stab_orders(subject: str) -> dict[str, str]:
    return made("> -", left_subject=subject)


def test_story_has_damage_before_the_first_and_after_each_turn() -> None:
    history = history_of_turns(
        duel({}, {"damage": 4}), {"ada": stab_orders(BRAM)}, {}, {"bram": stab_orders(ADA)}
    )
    assert damage_after_each_turn(history, ADA) == [0, 0, 0, 1]
    assert damage_after_each_turn(history, BRAM) == [4, 5, 5, 5]


def test_story_shows_less_damage_after_a_cure() -> None:
    history = history_of_turns(duel(begun("DF", damage=3)), {"ada": made("W -", left_subject=ADA)})
    assert damage_after_each_turn(history, ADA) == [3, 2]
    assert kinds_of_turning_points(history) == []


def test_first_blood_is_the_first_turn_with_damage() -> None:
    history = history_of_turns(
        duel(), {}, {"ada": stab_orders(BRAM), "bram": stab_orders(ADA)}, {"ada": stab_orders(BRAM)}
    )
    assert kinds_of_turning_points(history) == [(2, FIRST_BLOOD)]
    assert texts_of_turning_points(history, ADA) == {
        FIRST_BLOOD: "You suffer 1 point. Bram suffers 1 point."
    }


def test_turning_point_names_the_most_damage_in_one_turn() -> None:
    """Bram suffers one point in the first turn, and five in the second from a fireball."""
    history = history_of_turns(
        duel(begun("FSS", "---")),
        {"ada": made("D -", left_subject=BRAM), "bram": stab_orders(ADA)},
        {"ada": made("D -", left_subject=BRAM)},
    )
    assert kinds_of_turning_points(history) == [(1, FIRST_BLOOD), (2, HEAVY_BLOW)]
    assert texts_of_turning_points(history, BRAM)[HEAVY_BLOW] == "You suffer 5 points."


def test_two_points_in_one_turn_are_not_a_turning_point() -> None:
    ogre = {"kind": "ogre", "controller": ADA, "victim": BRAM}
    history = history_of_turns(duel(monsters=[ogre]), {"bram": stab_orders(ADA)}, {})
    assert damage_after_each_turn(history, BRAM) == [0, 2, 4]
    assert kinds_of_turning_points(history) == [(1, FIRST_BLOOD)]


def test_lead_changes_when_another_wizard_has_the_least_damage() -> None:
    """A tie is not a change in the lead, and neither is the first lead."""
    history = history_of_turns(
        duel(),
        {"ada": stab_orders(BRAM)},  # Ada leads
        {"bram": stab_orders(ADA)},  # equal
        {"bram": stab_orders(ADA)},  # Bram leads
    )
    assert kinds_of_turning_points(history) == [(1, FIRST_BLOOD), (3, LEAD_CHANGED)]
    assert (
        texts_of_turning_points(history)[LEAD_CHANGED]
        == "Bram leads now: 1 point of damage against Ada’s 2."
    )
    assert (
        texts_of_turning_points(history, ADA)[LEAD_CHANGED]
        == "Bram leads now: 1 point of damage against your 2."
    )
    shown = engine.words.highlights(
        engine.play.view(history, "all"), engine.words.story_of(history)
    )
    with_left = {point.kind: point.text_with_left for point in shown}
    assert with_left[LEAD_CHANGED] == "Bram leads now: 14 of 15 hit points against Ada’s 13."


def test_changes_of_the_lead_are_left_out_first() -> None:
    leads = [{"bram": stab_orders(ADA)}] * 2 + [{"ada": stab_orders(BRAM)}] * 2
    history = history_of_turns(
        duel(begun("C", "C"), begun("S", "-")),
        {"ada": made("W W"), "bram": made("D -", left_subject=ADA)},
        *leads * (MAX_TURNING_POINTS // 2),
    )
    told = [kind for _, kind in kinds_of_turning_points(history)]
    assert sorted(told) == sorted(
        [FIRST_BLOOD, SPELL_SENT_BACK, *[LEAD_CHANGED] * (MAX_TURNING_POINTS - 2)]
    )


def test_fall_of_the_leader_is_not_a_change_of_the_lead() -> None:
    position = duel({}, {"damage": 3}, {"damage": 4}, seats=3)
    history = history_of_turns(position, {"ada": made("P P")})
    assert kinds_of_turning_points(history) == [(1, WIZARD_FELL)]
    assert texts_of_turning_points(history, ADA)[WIZARD_FELL] == "You surrender: both hands make P."


def test_lead_text_names_the_nearest_of_several_opponents() -> None:
    position = duel({"damage": 2}, {"damage": 3}, {"damage": 3}, seats=3)
    history = history_of_turns(
        position,
        {"bram": stab_orders(ADA)},
        {"bram": stab_orders(ADA)},
        {"cleo": stab_orders(BRAM)},
    )
    assert (
        texts_of_turning_points(history)[LEAD_CHANGED]
        == "Cleo leads now: 3 points of damage against Ada’s 4 and Bram’s 4."
    )


def test_charmed_monsters_and_reflected_spells_are_turning_points() -> None:
    ogre = {"kind": "ogre", "controller": BRAM, "victim": ADA}
    history = history_of_turns(
        duel(begun("PSD", "---"), monsters=[ogre]), {"ada": made("D -", left_subject="m0")}
    )
    assert (1, MONSTER_WON_OVER) in kinds_of_turning_points(history)
    assert texts_of_turning_points(history, ADA)[MONSTER_WON_OVER] == "The Red Ogre now obeys you."
    mirror = history_of_turns(
        duel(begun("C", "C"), begun("S", "-")),
        {"ada": made("W W"), "bram": made("D -", left_subject=ADA)},
    )
    assert (1, SPELL_SENT_BACK) in kinds_of_turning_points(mirror)
    assert "mirror sends" in texts_of_turning_points(mirror)[SPELL_SENT_BACK]


def test_spell_counts_are_sorted_and_include_spells_not_chosen() -> None:
    history = history_of_turns(
        duel(begun("SW", "-P")),
        {"ada": made("D P", left_subject=BRAM)},
        {"ada": made("P -")},
    )
    (ada, bram) = engine.words.story_of(history).wizards
    assert [(each.spell, each.times) for each in ada.cast] == [("shield", 2), ("fear", 1)]
    assert bram.cast == ()
    events = [event for turn in history.turns for event in turn.events]
    cast = [event for event in events if isinstance(event, engine.play.Cast) and event.instead_of]
    assert [(each.cast, each.spells) for each in ada.forgone] == [
        (event.spell, event.instead_of) for event in cast
    ]


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
@pytest.mark.parametrize("wizards", [2, 4, 8])
def test_stories_of_random_duels_consist_of_sentences_and_cite_rules(
    ruleset: str, wizards: int
) -> None:
    for seed in range(4):
        steps = list(random_duel(random.Random(seed), ruleset=ruleset, wizards=wizards))
        turns = [engine.play.Turn(n, step.position, step.events) for n, step in enumerate(steps, 1)]
        history = engine.play.History(turns, steps[-1].after)
        whole = engine.words.story_of(history)
        points = whole.turning_points
        assert len([point for point in points if point.kind != WIZARD_FELL]) <= MAX_TURNING_POINTS
        assert [point.ordinal for point in points] == sorted(point.ordinal for point in points)
        for wizard in whole.wizards:
            assert len(wizard.damage) == len(turns) + 1
            assert wizard.damage[-1] == history.position.wizard(wizard.wizard).damage
        # a view of only the last turn still names monsters from earlier turns
        window = engine.play.view(engine.play.History(turns[-1:], history.position), "all")
        for point in engine.words.highlights(window, whole, ADA):
            assert point.text[0].isupper()
            assert point.text[-1] == "."
            assert point.rule
            assert not {"{", "m0", "m1"} & set(point.text.replace(".", " ").split())
