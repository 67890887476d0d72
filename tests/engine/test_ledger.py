"""The ledger: every rule of RULES.md has a case, or a stated reason why it has none.

rules: R1-R177, S1-S25 and the ordinary anchors
"""

from tests.engine.casebook import CASES, read_cases, rules_with_cases
from tests.engine.rulebook import RULES


def reasons() -> dict[str, str]:
    """For each rule without a case, why it has none: lines `R24: the reason`."""
    stated: dict[str, str] = {}
    for line in (CASES / "reasons.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            rule, colon, reason = line.partition(": ")
            assert colon, f"not `rule: reason`: {line!r}"
            assert rule not in stated, f"{rule} has two reasons"
            stated[rule] = reason.strip()
    return stated


def test_every_rule_has_a_case_or_a_reason():
    served = rules_with_cases(read_cases())
    assert [rule for rule in RULES if rule not in served and rule not in reasons()] == []


def test_a_reason_stands_only_where_there_is_no_case():
    served = rules_with_cases(read_cases())
    for rule, reason in reasons().items():
        assert rule in RULES, f"{rule} is no rule"
        assert rule not in served, f"{rule} has a case: {served[rule][0]}"
        assert len(reason) > 20, f"{rule}: {reason!r} is no reason"
