"""Tests that every rule has a case, or a reason for none, under every ruleset to which it applies.

rules: R1-R177, S1-S25 and the ordinary anchors
"""

import pytest

from engine.rulesets import RULESETS
from tests.engine.casebook import case_names_by_rule, read_cases
from tests.engine.ledger import RULESETS_BY_RULE, reasons_for_missing_cases
from tests.engine.rulebook import RULES


def rules_without_case(ruleset: str) -> list[str]:
    served = case_names_by_rule(read_cases())
    stated = reasons_for_missing_cases()
    return [
        rule
        for rule, spoken_of in RULESETS_BY_RULE.items()
        if ruleset in spoken_of and (rule, ruleset) not in served and (rule, ruleset) not in stated
    ]


def test_ledger_contains_exactly_the_existing_rules():
    assert set(RULESETS_BY_RULE) == set(RULES)


def test_ledger_lists_each_spell_under_every_ruleset_that_has_it():
    books: dict[str, list[str]] = {}
    for id_, ruleset in RULESETS.items():
        variants = ruleset.variants.values()
        for rule in {row.rule for each in (ruleset, *variants) for row in each.spells.values()}:
            books.setdefault(rule, []).append(id_)
    spells = {
        rule: spoken for rule, spoken in RULESETS_BY_RULE.items() if rule.startswith("spell:")
    }
    assert spells == {rule: tuple(spoken) for rule, spoken in books.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_rule_has_a_case_or_a_reason_for_none(ruleset: str):
    assert rules_without_case(ruleset) == []


def test_ledger_gives_reasons_only_for_rules_without_a_case():
    served = case_names_by_rule(read_cases())
    for (rule, ruleset), reason in reasons_for_missing_cases().items():
        assert ruleset in RULESETS_BY_RULE[rule], f"{rule} says nothing of {ruleset}"
        assert (rule, ruleset) not in served, f"{rule} has a case: {served[rule, ruleset][0]}"
        assert len(reason) > 20, f"{rule}: {reason!r} is no reason"
