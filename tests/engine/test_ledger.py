"""Tests that every rule has a case, or a reason for none, under every ruleset to which it applies.

rules: R1-R177, S1-S25 and the ordinary anchors
"""

import pytest

from engine.rulesets import RULESETS
from tests.engine.casebook import read_cases, rules_with_cases
from tests.engine.ledger import COVERED_RULESETS, reasons_by_pair
from tests.engine.rulebook import RULES


def rules_without_case(ruleset: str) -> list[str]:
    served = rules_with_cases(read_cases())
    stated = reasons_by_pair()
    return [
        rule
        for rule, spoken_of in COVERED_RULESETS.items()
        if ruleset in spoken_of and (rule, ruleset) not in served and (rule, ruleset) not in stated
    ]


def test_ledger_contains_exactly_the_existing_rules():
    assert set(COVERED_RULESETS) == set(RULES)


def test_ledger_lists_each_spell_under_every_ruleset_that_has_it():
    books: dict[str, list[str]] = {}
    for id_, ruleset in RULESETS.items():
        variants = ruleset.variants.values()
        for rule in {row.rule for each in (ruleset, *variants) for row in each.spells.values()}:
            books.setdefault(rule, []).append(id_)
    spells = {
        rule: spoken for rule, spoken in COVERED_RULESETS.items() if rule.startswith("spell:")
    }
    assert spells == {rule: tuple(spoken) for rule, spoken in books.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_has_a_case_or_a_reason_for_none(ruleset: str):
    assert rules_without_case(ruleset) == []


def test_ledger_gives_reasons_only_for_rules_without_a_case():
    served = rules_with_cases(read_cases())
    for (rule, ruleset), reason in reasons_by_pair().items():
        assert ruleset in COVERED_RULESETS[rule], f"{rule} says nothing of {ruleset}"
        assert (rule, ruleset) not in served, f"{rule} has a case: {served[rule, ruleset][0]}"
        assert len(reason) > 20, f"{rule}: {reason!r} is no reason"
