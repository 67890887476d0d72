"""The index of rules that the rules page shows."""

from duels.screens.parts.rules.rule_text import sections
from duels.wording.rule_index import rule_named, rule_titles


def test_index_has_every_rule_that_is_on_the_rules_page():
    printed = {rule.anchor: rule.title for section in sections() for rule in section.rules}
    assert rule_titles() == printed


def test_rule_lookup_ignores_case_and_surrounding_spaces():
    assert rule_named(" r21 ") == "R21"
    assert rule_named("SPELL:shield") == "spell:shield"
    assert rule_named("R9999") is None
    assert rule_named("") is None
