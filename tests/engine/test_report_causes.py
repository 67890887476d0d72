"""Tests that every cause of an event has a text, and every text a cause."""

import ast
import re

import pytest

import engine
import engine.play
from engine import events as e
from engine.events import FAILURE_CAUSES, HARMLESS_BLOW_CAUSES, NO_ATTACK_CAUSES
from engine.rulesets import RULESETS
from engine.words import prose
from tests.engine.board import ADA, BRAM
from tests.engine.reports import (
    EFFECTS,
    MIND_SPELLS,
    RULESETS_AND_VARIANTS,
    nodes_of_resolve,
    sentence_and_rule,
)
from tests.engine.rulebook import RULES


def events_by_cause() -> list[engine.play.Event]:
    """Return one event for each text that depends on an effect or a cause."""
    found: list[engine.play.Event] = [
        e.Failed("missile", "w1", "w0", cause) for cause in FAILURE_CAUSES
    ]
    found += [e.Stopped("w0", "stab", "w1", cause) for cause in prose.STOPPED_TEXT]
    found += [e.Idle("m0", cause) for cause in prose.IDLE_TEXT]
    found += [e.Died("w0", cause) for cause in prose.DEATH_TEXT]
    found += [e.Enchanted("w0", kind, "w1", False, "L") for kind in sorted(EFFECTS)]
    found += [e.Lapsed("w0", kind) for kind in prose.LAPSED_TEXT]
    found += [e.Overridden("w0", 1, "L", "W", kind, "w1") for kind in prose.OVERRIDE_TEXT]
    found += [
        e.Destroyed("m0", cause)
        for cause in (
            "fire", "ice", "fire_storm", "ice_storm", "fireball", "resist_heat", "resist_cold",
            "blindness", "invisibility", "remove_enchantment", "dispel_magic",
        )
    ]  # fmt: skip
    return found


@pytest.mark.parametrize("event", events_by_cause(), ids=repr)
@pytest.mark.parametrize("observer", [ADA, BRAM, "all"])
def test_sentence_for_every_cause_is_complete_and_cites_a_rule(
    event: engine.play.Event, observer: str
) -> None:
    text, rule = sentence_and_rule(event, observer)
    assert re.fullmatch(r"[A-Z][^{}<>|]*\.", text)
    assert rule in RULES
    assert ("Ada" not in text) if observer == ADA else ("Bram" not in text or observer == "all")


def test_every_cause_of_failure_has_a_text() -> None:
    assert set(prose.FAILURE_TEXT) == set(FAILURE_CAUSES)
    assert len(FAILURE_CAUSES) == len(set(FAILURE_CAUSES))
    assert set(prose.STOPPED_TEXT) == set(HARMLESS_BLOW_CAUSES)
    assert set(NO_ATTACK_CAUSES) <= set(prose.IDLE_TEXT)


def strings_in_resolve() -> set[str]:
    """Return every string in the code that resolves turns."""
    return {
        node.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def idle_causes() -> set[str]:
    """Return every cause that keeps a monster from attacking."""
    return {
        keyword.value.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "idle_cause"
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    }


def test_every_text_belongs_to_a_cause_that_can_occur() -> None:
    written = strings_in_resolve() | MIND_SPELLS
    stopping_effects = {kind for rules in RULESETS_AND_VARIANTS for kind in rules.victims_under}
    assert set(FAILURE_CAUSES) <= written
    assert set(prose.STOPPED_TEXT) <= written
    assert set(prose.IDLE_TEXT) - idle_causes() - stopping_effects == {"no_victim"}
    illnesses = {illness for rules in RULESETS.values() for illness in rules.illnesses}
    assert set(prose.DEATH_TEXT) <= written | {"finger_of_death"} | illnesses


def test_every_cause_that_can_occur_has_a_text() -> None:
    """Causes passed to `table.fail` are in FAILURE_CAUSES, those of idle monsters in IDLE_TEXT."""
    failed = {
        part.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "fail"
        for part in ast.walk(node.args[1])
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value != ":"
    }
    assert len(failed) > 10
    assert failed <= set(FAILURE_CAUSES)
    assert idle_causes() <= set(prose.IDLE_TEXT)


def test_every_effect_has_texts_for_its_start_and_end() -> None:
    """Resistances never expire, disease and poison end in death, and mind spells end silently."""
    endless = {"resist_heat", "resist_cold", "disease", "poison"}
    minds = MIND_SPELLS - {"charm_monster"}
    # Only if time-stopped wizards act before turns. rules: R99
    effects_of_actions = {
        "time_stop",
        "anti_spell",
    }
    assert set(prose.ENCHANTED_TEXT) == EFFECTS | effects_of_actions
    assert set(prose.LAPSED_TEXT) == EFFECTS - endless - minds | {"time_stop"}
    assert set(prose.OVERRIDE_TEXT) == minds
    assert sentence_and_rule(e.Lapsed("w0", "fear"), ADA) == ("", "")
