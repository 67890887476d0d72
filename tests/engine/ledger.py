"""The ledger: the rulesets to which each rule applies, and reasons why a case is missing."""

from collections.abc import Iterator
from typing import Final

from tests.engine.casebook import CASES_FOLDER, RULESET_BY_CODE

RuleAndRuleset = tuple[str, str]
"""A rule, and the id of a ruleset to which it applies."""


def _entries_of_file(name: str) -> Iterator[tuple[str, str]]:
    """Yield the two parts of each line `before: after` of a data file."""
    for line in (CASES_FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            before, colon, after = line.partition(": ")
            assert colon, f"{name}: no colon in {line!r}"
            yield before, after.strip()


def rulesets_by_rule() -> dict[str, tuple[str, ...]]:
    """Return the rulesets to which each rule applies, from `ledger.txt`."""
    found: dict[str, tuple[str, ...]] = {}
    for keys, rules in _entries_of_file("ledger.txt"):
        for rule in rules.split():
            assert rule not in found, f"{rule} is on two lines"
            found[rule] = tuple(RULESET_BY_CODE[key] for key in keys.split())
    return found


def reasons_for_missing_cases() -> dict[RuleAndRuleset, str]:
    """Return reasons for missing cases, from lines like `R145 sp: the reason` in `reasons.txt`."""
    stated: dict[RuleAndRuleset, str] = {}
    for before, reason in _entries_of_file("reasons.txt"):
        rule, *keys = before.split()
        assert keys, f"the reason for {rule} names no ruleset"
        for key in keys:
            pair = (rule, RULESET_BY_CODE[key])
            assert pair not in stated, f"{before}: two reasons"
            stated[pair] = reason
    return stated


RULESETS_BY_RULE: Final = rulesets_by_rule()
