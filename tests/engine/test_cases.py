"""Every case of the casebook, under every ruleset it names."""

import pytest

from tests.engine.casebook import Case, read_cases
from tests.engine.referee import Table

PLAYED = [(case, ruleset) for case in read_cases() for ruleset in case.rulesets]


@pytest.mark.parametrize(
    ("case", "ruleset"), PLAYED, ids=[f"{case.name}-{ruleset}" for case, ruleset in PLAYED]
)
def test_case_verdicts(case: Case, ruleset: str) -> None:
    Table(case, ruleset).play_all()
