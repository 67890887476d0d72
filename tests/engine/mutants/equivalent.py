"""Mutants that cannot change any duel and are not tried, each with the reason.

`equivalent.txt` lists them: each reason is followed by the names of its mutants.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final


def _names_and_reasons() -> Iterator[tuple[str, str]]:
    reason = ""
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if line.startswith(" "):
            yield line.strip(), reason
        elif line:
            reason = line.removesuffix(":")


REASON_BY_EQUIVALENT_MUTANT: Final = dict(_names_and_reasons())
