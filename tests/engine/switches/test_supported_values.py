"""Tests of the options, values and log orders that each ruleset supports."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

import engine.play
import engine.words
from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.archmage import ARCHMAGE_1
from engine.rulesets.choices import TimeStopMode
from engine.rulesets.ruleset import Ruleset
from engine.rulesets.unsupported_values import REQUIRED_VALUES
from engine.rulesets.wizards import WIZARDS_1
from tests.engine.board import BRAM, begun, duel, made, play_turn, under_effects
from tests.engine.changed_rulesets import RULESET_OF_EACH_PLAY, TEST_RULESET


def test_cast_events_follow_the_rulesets_log_order(publish_ruleset: Any) -> None:
    """The order of the events does not change what the spells do. rules: R26"""
    order = ("missile", "cause_light_wounds", *sorted(BARTLE_1.spells))
    told = []
    for switches in ({}, {"order_of_log": order}):
        before = duel(begun("WF"), begun("S"), ruleset=publish_ruleset(**switches))
        after, events = play_turn(
            before, ada=made("P -", left_spell="cause_light_wounds"), bram=made("D -")
        )
        told.append([e.spell for e in events if isinstance(e, engine.events.Cast)])
        assert [w.damage for w in after.wizards] == [1, 2]
    assert told == [["cause_light_wounds", "missile"], ["missile", "cause_light_wounds"]]


def test_log_order_of_each_ruleset_lists_every_spell_once() -> None:
    for ruleset in RULESETS.values():
        order = ruleset.order_of_log
        assert not order or sorted(order) == sorted(ruleset.spells)


@pytest.mark.parametrize(
    ("options", "ruleset", "match"),
    [
        (["sacrifice"], "bartle-1", "bartle-1 has no sacrifice"),
        (["sacrifice"], "archmage-1", "archmage-1 has no sacrifice"),
        (["tea"], "wizards-1", "unknown option 'tea'"),
        (["parafc"], "bartle-1", "bartle-1 has no 'parafc'"),
        (["sacrifice"], "warlocks-1", "warlocks-1 has no sacrifice"),
    ],
)
def test_duel_accepts_only_options_of_its_ruleset(
    options: Sequence[str], ruleset: str, match: str
) -> None:
    with pytest.raises(engine.play.InvalidData, match=match):
        duel(options=options, ruleset=ruleset)


def unsupported_values() -> Iterator[tuple[str, str, object]]:
    """Yield each unsupported value of each order of play, as order of play, field and value."""
    for play, limits in REQUIRED_VALUES.items():
        for field, limit in limits.items():
            if isinstance(limit.value, bool):
                yield play, field, not limit.value
            elif isinstance(limit.value, int):
                yield play, field, limit.value + 1
            elif field != "time_stop":
                kind: type[Any] = type(limit.value)
                played = (limit.value, *limit.also)
                yield from ((play, field, value) for value in kind if value not in played)


@pytest.mark.parametrize(("play", "field", "value"), list(unsupported_values()))
def test_ruleset_rejects_a_value_that_its_order_of_play_does_not_support(
    play: str, field: str, value: Any
) -> None:
    with pytest.raises(ValueError, match=f"{field} cannot be .* in {play} play: [a-z]"):
        replace(RULESET_OF_EACH_PLAY[play], **{field: value})


@pytest.mark.parametrize(
    ("options", "table", "spell"),
    [
        ((), "C", "confusion"),
        (("strict",), "C", "confusion"),
        (("parafc",), "F", "confusion"),
        (("maladroit",), "C", "maladroitness"),
        (("strict", "maladroit", "parafc"), "F", "maladroitness"),
    ],
)
def test_warlocks_options_change_paralysed_gestures_and_the_confusion_spell(
    options: Sequence[str], table: str, spell: str
) -> None:
    """The position, a stored copy of it, the view and the casts all depend on the options.

    rules: W21, W23
    """
    before = duel(begun("DS"), ruleset="warlocks-1", options=options)
    assert engine.play.load(engine.play.dump(before)) == before
    after, events = play_turn(engine.play.load_position(engine.play.dump(before)), ada=made("F -"))
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, before, events),), after), BRAM
    )
    for rules in (before.rules, after.rules, view.rules):
        assert rules.id == "warlocks-1"
        assert (table in rules.paralysed, spell in rules.spells) == (True, True)
        assert set(rules.paralysed) == {table, "S", "W"}
        assert ({"confusion", "maladroitness"} & rules.spells.keys()) == {spell}
    assert [event.spell for event in events if isinstance(event, engine.events.Cast)] == [spell]
    assert spell in after.wizard(BRAM).effects
    lines = [line.text for report in engine.words.narrate(view) for line in report.lines]
    assert any(before.rules.spells[spell].name in line for line in lines)


def test_options_do_not_change_rulesets_that_lack_them() -> None:
    assert BARTLE_1.under(["parafc", "maladroit", "strict"]) is BARTLE_1
    assert engine.play.available_options("warlocks-1") == ("strict", "maladroit", "parafc")
    assert {id for id, each in RULESETS.items() if each.options} == {"warlocks-1"}


def test_duel_keeps_its_options_when_its_rules_change() -> None:
    """rules: R63, W23"""
    position = duel(ruleset="warlocks-1", options=["maladroit"]).copy()
    position.switch_ruleset("warlocks-1, elementals_merge")
    assert position.rules.elementals_merge
    assert "maladroitness" in position.rules.spells


def test_setup_rejects_effects_of_spells_that_the_options_exclude() -> None:
    """rules: W23"""
    for options, spell in (([], "maladroitness"), (["maladroit"], "confusion")):
        with pytest.raises(engine.play.InvalidData, match=f"unknown effect '{spell}'"):
            duel(under_effects(**{spell: {"turns": 1}}), ruleset="warlocks-1", options=options)


def differences_from_bartle(ruleset: Ruleset) -> dict[str, object]:
    """Return this ruleset's switches whose values differ from Bartle's."""
    described = ("id", "name", "description", "spells", "automaton", "completables", "ends", "asks")
    by_rows = (
        "cures", "destroyers", "ends_that_ask", "illnesses", "resistances",
        "sacrificing", "spells_that_ask", "storms", "strikers", "summons",
    )  # fmt: skip
    texts = ("gesture_names", "opening", "order_of_log", "markers")
    return {
        field.name: getattr(ruleset, field.name)
        for field in fields(Ruleset)
        if field.compare
        and field.name not in (*described, *by_rows, *texts)
        and getattr(ruleset, field.name) != getattr(BARTLE_1, field.name)
    }


def test_wizards_and_archmage_differ_from_bartle_in_these_switches_only() -> None:
    assert differences_from_bartle(WIZARDS_1) == {}
    assert differences_from_bartle(ARCHMAGE_1) == {
        "subject_picks_element": False,
        "removal_unmakes_summons": False,
        "elementals_merge": False,
        "minds_in_force_cancel": True,
        "release_ignores_counter": True,
        "time_stop": TimeStopMode.BEFORE_TURNS,
        "acts_before_turns": True,
    }


def test_copied_ruleset_keeps_its_time_stop_mode() -> None:
    assert replace(ARCHMAGE_1, id=TEST_RULESET).acts_before_turns
    assert not replace(BARTLE_1, id=TEST_RULESET).acts_before_turns
