"""Tests of every case in the casebook, under every ruleset that it names.

Each test plays the cases of one file under one ruleset. A case that fails is reported by name. The
stored form and the reports of a different quarter of the cases are checked each day. To play only
some cases, name them: `CASES="R4 R6-annihilated" pytest tests/engine/test_cases.py`.
"""

import os
from collections.abc import Sequence
from itertools import groupby

import pytest

from engine.rulesets import RULESETS
from tests import daily
from tests.engine.casebook import Case, read_cases
from tests.engine.referee import CasePlayer

CHOSEN_CASES = os.environ.get("CASES", "").split()


def file_name_of(case: Case) -> str:
    return case.entry.where.partition(".case:")[0]


PLAYED_CASES = [
    (file, ruleset, [case for case in cases if ruleset in case.rulesets])
    for file, read in groupby(read_cases(), file_name_of)
    for cases in [[case for case in read if not CHOSEN_CASES or case.name in CHOSEN_CASES]]
    for ruleset in RULESETS
    if any(ruleset in case.rulesets for case in cases)
]


@pytest.mark.parametrize(
    ("cases", "ruleset"),
    [(cases, ruleset) for _, ruleset, cases in PLAYED_CASES],
    ids=[f"{file}-{ruleset}" for file, ruleset, _ in PLAYED_CASES],
)
def test_case_verdicts(cases: Sequence[Case], ruleset: str) -> None:
    failures: list[Exception] = []
    checked = daily.sample([case.name for case in cases], 4, ruleset)
    for case in cases:
        try:
            CasePlayer(case, ruleset).play_all(checks_history=case.name in checked)
        except Exception as failure:
            failure.add_note(f"{case.name} under {ruleset}")
            failures.append(failure)
    if failures:
        raise ExceptionGroup("failing cases", failures)


def test_every_case_is_played() -> None:
    played = sum(len(cases) for _, _, cases in PLAYED_CASES)
    expected = sum(
        len(case.rulesets) for case in read_cases() if not CHOSEN_CASES or case.name in CHOSEN_CASES
    )
    assert played == expected > 0
