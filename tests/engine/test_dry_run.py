"""Tests of dry runs of a turn: phase by phase, with other readings of rules, and other dice."""

from collections.abc import Iterator
from typing import Any

import pytest

import engine.orders
import engine.play
import engine.proof
from engine.dry_run import RULES_OF_PHASES
from engine.proof.record import dice_of_turn
from engine.resolve import NUMBERED_MAGIC_PHASES, ORDERS_OF_PLAY, SEALED_MAGIC_PHASES
from engine.resolve.markers import move_markers
from engine.rules_text.quoting import fill_quotations
from engine.rulesets import RULESETS, readings
from tests.engine.board import ADA, BRAM, begun, duel, made, under_effects
from tests.engine.golden_duels import golden_records
from tests.engine.rulebook import RULEBOOK, RULES

RECORDS = golden_records()


def turns_of_record(
    record: dict[str, Any],
) -> Iterator[tuple[engine.play.Position, Any, Any, engine.play.AnyDice]]:
    """Yield the arguments of `resolve` for each turn that was played."""
    turns = engine.proof.replay(record).turns
    for row, turn in zip(record["turns"], turns, strict=True):
        position = turn.position
        for wizard in row.get("resigned", ()):
            leave = (
                engine.play.forfeit if wizard in row.get("forfeited", ()) else engine.play.resign
            )
            position, _ = leave(position, wizard)
        if position.outcome or row.get("played") is False:
            continue
        orders = {wizard: engine.orders.from_fields(flat) for wizard, flat in row["orders"].items()}
        dice = dice_of_turn(record, tuple(row.get("commitments", ())))
        yield position, orders, row.get("answers", {}), dice


@pytest.mark.parametrize("name", RECORDS)
def test_turn_resolved_step_by_step_has_the_same_result(name: str) -> None:
    for position, orders, answers, dice in turns_of_record(RECORDS[name]):
        after, events = engine.play.resolve(position, orders, answers, dice)
        stepwise, steps = engine.play.resolve_in_steps(position, orders, answers, dice)
        assert engine.play.dump(stepwise) == engine.play.dump(after)
        assert tuple(event for step in steps for event in step.events) == events


def test_every_phase_cites_an_existing_rule() -> None:
    assert set(RULES_OF_PHASES.values()) <= set(RULES)
    for play in ORDERS_OF_PLAY.values():
        whole = [phase for phase in play.phases if phase not in play.parts]
        assert {phase.__name__ for phase in whole} <= set(RULES_OF_PHASES)
    magic = {phase.__name__ for phase in (*SEALED_MAGIC_PHASES, *NUMBERED_MAGIC_PHASES)}
    assert magic <= set(RULES_OF_PHASES)
    assert move_markers.__name__ in RULES_OF_PHASES


def test_each_step_contains_the_events_of_its_phase() -> None:
    position = duel(begun("S"))
    orders = {
        ADA: engine.orders.from_fields(made("D -", left_subject=BRAM)),
        BRAM: engine.orders.NO_ORDERS,
    }
    _, steps = engine.play.resolve_in_steps(position, orders, {}, engine.play.NoDice())
    told = {event.code: step.phase for step in steps for event in step.events}
    assert told["gestured"] == "reveal_gestures"
    assert told["cast"] == "complete_spells"
    assert told["hit"] == "deal_damage"


def test_dry_run_rejects_illegal_orders() -> None:
    orders = {ADA: engine.orders.from_fields(made("C P"))}
    with pytest.raises(engine.play.IllegalOrders):
        engine.play.resolve_in_steps(
            duel(under_effects(fear={"turns": 1})), orders, {}, engine.play.NoDice()
        )


# Other dice


def test_chosen_die_is_used_and_other_dice_are_unchanged() -> None:
    others = engine.play.RecordedDice({"one": 1, "two": 2})
    dice = engine.play.RecordedDice({"two": 5}, otherwise=others)
    assert (dice.draw("one", 6), dice.draw("two", 6)) == (1, 5)
    with pytest.raises(ValueError, match="is not below 4"):
        dice.draw("two", 4)
    with pytest.raises(LookupError):
        dice.draw("three", 6)


# Other readings


@pytest.mark.parametrize(
    ("ruleset", "switch"),
    [(id, switch) for id, ruleset in RULESETS.items() for switch in readings.switches(ruleset)],
)
def test_reading_changes_exactly_one_switch(ruleset: str, switch: str) -> None:
    published = RULESETS[ruleset]
    position = engine.play.with_reversed_switch(duel(ruleset=ruleset), switch)
    assert getattr(position.rules, switch) is not getattr(published, switch)
    for name in set(readings.SWITCH_FIELDS) - {switch}:
        assert getattr(position.rules, name) == getattr(published, name)
    assert position.rules is position.copy().rules
    assert engine.play.under_published_rules(position).rules is published


def test_readings_describe_their_change() -> None:
    texts = {reading.switch: reading for reading in engine.play.other_readings("bartle-1")}
    assert set(texts) == set(readings.SWITCH_FIELDS)
    assert texts["elementals_merge"].rule == "R65"
    words = fill_quotations(texts["elementals_merge"].text, RULEBOOK)
    assert words.startswith("If there are two elementals of the same kind, the newer is destroyed")


def test_position_under_another_reading_cannot_be_stored() -> None:
    position = engine.play.with_reversed_switch(duel(), "elementals_merge")
    with pytest.raises(engine.play.InvalidData):
        engine.play.load_position(engine.play.dump(position))
    with pytest.raises(ValueError, match="is not a switch"):
        engine.play.with_reversed_switch(duel(), "gesture_names")
    with pytest.raises(KeyError):
        position.switch_ruleset("bartle-1, nonsense")


def test_reading_that_the_ruleset_cannot_play_is_rejected() -> None:
    """rules: R51, R63, R78"""
    offered = {reading.switch for reading in engine.play.other_readings("spellcast-1")}
    assert offered == {"elementals_merge", "release_ignores_counter"}
    with pytest.raises(ValueError, match="spellcast-1 has no other reading of 'subject_picks"):
        engine.play.with_reversed_switch(duel(ruleset="spellcast-1"), "subject_picks_element")
    position = duel(ruleset="spellcast-1")
    with pytest.raises(KeyError):
        position.switch_ruleset("spellcast-1, minds_in_force_cancel")


def test_another_reading_changes_the_result() -> None:
    """rules: R65"""
    hurt = {"kind": "fire", "controller": ADA, "damage": 2}
    position = duel(begun("CSWW", "C---"), monsters=[hurt])
    made_by_ada = made("S -", left_spell="summon_elemental", **{"answer:elemental": "fire"})
    orders = {ADA: engine.orders.from_fields(made_by_ada), BRAM: engine.orders.NO_ORDERS}
    told = []
    for start in (position, engine.play.with_reversed_switch(position, "elementals_merge")):
        _, steps = engine.play.resolve_in_steps(start, orders, {}, engine.play.NoDice())
        codes = [event.code for step in steps for event in step.events]
        told.append([code for code in codes if code in ("merged", "destroyed")])
    assert told == [["merged"], ["destroyed"]]


def test_position_can_be_played_under_other_rules() -> None:
    position = duel(begun("SW", "PF"))
    other = engine.play.under_other_rules(position, "wizards-1", ())
    assert other.rules is RULESETS["wizards-1"]
    assert other.wizard(ADA).left == position.wizard(ADA).left
    with pytest.raises(engine.play.InvalidData):
        engine.play.under_other_rules(position, "no-such-rules", ())
