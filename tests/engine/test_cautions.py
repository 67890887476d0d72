"""Tests that each caution appears for orders that deserve it, but not for similar orders.

The rows of `caution_rows` test each code under every ruleset in which it can occur. A row has a
position and orders that deserve the caution, and a similar case that does not. All orders are
legal, so they have no faults. Names of beings: w0 Ada, w1 Bram, m0 the first monster.
"""

import re
from pathlib import Path

import pytest

import engine
import engine.orders
import engine.play
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    SEALED_RULESETS,
    STEPWISE_RULESETS,
    begun,
    duel,
    under_effects,
)
from tests.engine.caution_rows import gestures, harm, lost_spells
from tests.engine.caution_rows.cases import (
    ONE_TURN,
    THREE_TURNS,
    Row,
    caution_codes,
    cautions_of_case,
    orders,
)
from tests.engine.rulebook import RULES

ROWS = (*gestures.ROWS, *lost_spells.ROWS, *harm.ROWS)
CASES = [(row, ruleset) for row in ROWS for ruleset in row.rulesets]


@pytest.mark.parametrize(
    ("row", "ruleset"), CASES, ids=[f"{row.code}-{ruleset}" for row, ruleset in CASES]
)
def test_each_caution_appears_only_for_orders_that_deserve_it(row: Row, ruleset: str) -> None:
    found = [
        caution for caution in cautions_of_case(row.deserving, ruleset) if caution.code == row.code
    ]
    assert row.field in [caution.field for caution in found]
    assert all(caution.rule in RULES and caution.text.endswith(".") for caution in found)
    assert row.code not in {caution.code for caution in cautions_of_case(row.undeserving, ruleset)}


def test_every_caution_code_is_tested() -> None:
    """Each code has a row above."""
    advice = Path(engine.__file__).parent / "advice"
    source = "".join(path.read_text(encoding="utf-8") for path in advice.glob("*.py"))
    written = set(re.findall(r'[Cc]aution\(\s*"(\w+)"', source))
    written |= set(re.findall(r'return "(\w+)", [\w".:]+(?:\.rule)?, f?["t]', source))
    from engine.advice.failures import FAILURE_CAUTIONS

    written |= {code for code, _, _ in FAILURE_CAUTIONS.values()}
    assert {row.code for row in ROWS} == written


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_full_bank_gives_no_banking_caution(ruleset: str) -> None:
    """If the ruleset keeps a full bank, the new spell is cast. rules: R104"""
    position = duel(
        begun("S", bank="fireball", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset
    )
    assert caution_codes(position, "D -") == []
    assert caution_codes(position, "D -", release="yes") == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_gestures_of_any_length_cause_no_error(ruleset: str) -> None:
    position = duel(under_effects(confusion=ONE_TURN), ruleset=ruleset)
    illegal = engine.orders.Orders((engine.orders.HandSet("missile", "P", {}, {}),))
    assert engine.play.check(position, ADA, illegal)
    engine.play.cautions(position, ADA, illegal)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_one_handed_clap_forced_by_amnesia_gives_no_caution(ruleset: str) -> None:
    kept = {"sets": ["CF"]}
    position = duel(begun("C", "F", effects={"amnesia": {**ONE_TURN, **kept}}), ruleset=ruleset)
    assert caution_codes(position, "- -") == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_ordinary_first_turns_give_no_caution(ruleset: str) -> None:
    for pair in ("F S", "W D", "P W", "> F", "C C", "- F"):
        assert caution_codes(duel(ruleset=ruleset), pair) == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_spell_lost_for_two_reasons_gives_one_caution(ruleset: str) -> None:
    """Counter-spell stops the Missile before the shield does, so only one caution is given."""
    position = duel(
        begun("WP", "-S"), under_effects(protection_from_evil=THREE_TURNS), ruleset=ruleset
    )
    assert caution_codes(position, "P D", left_subject=BRAM) == ["counters_own"]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_strict_stepwise_duels_give_gesture_cautions_only(ruleset: str) -> None:
    position = duel(begun("S"), ruleset=ruleset, options=["strict"])
    late = ruleset in STEPWISE_RULESETS
    assert caution_codes(position, "D C") == ["half_a_clap"]
    if not late:
        assert caution_codes(position, "D P", left_subject=ADA) == ["shielded"]


def test_cautions_ignore_faulty_fields() -> None:
    position = duel(begun("S", "S"))
    flat = {"left": "D", "right": "D", "left_subject": "m9", "right_subject": ADA, "victim:m3": ADA}
    written = engine.orders.from_fields(flat)
    assert {fault.field for fault in engine.play.check(position, ADA, written)} == {
        "left_subject", "victim:m3",
    }  # fmt: skip
    assert [caution.code for caution in engine.play.cautions(position, ADA, written)] == [
        "harms_you"
    ]


def test_invalid_gestures_give_no_caution() -> None:
    written = engine.orders.Orders(
        (engine.orders.HandSet("?", "CC"), engine.orders.HandSet("P", "P"))
    )
    assert engine.play.cautions(duel(), ADA, written) == ()


def test_wizard_out_of_the_duel_gets_no_cautions() -> None:
    over, _ = engine.play.resign(duel(), BRAM)
    assert engine.play.cautions(over, ADA, engine.orders.from_fields(orders("P P"))) == ()
    after, _ = engine.play.resign(duel(seats=3), BRAM)
    assert engine.play.cautions(after, BRAM, engine.orders.from_fields(orders("P P"))) == ()


@pytest.mark.parametrize("wizard", ["w2", "m0", ""])
def test_advice_for_an_unknown_wizard_raises_key_error(wizard: str) -> None:
    for call in (engine.play.cautions, engine.play.orders_text, engine.play.hints):
        with pytest.raises(KeyError):
            call(duel(), wizard, engine.orders.Orders())
