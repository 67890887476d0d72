"""What code and tests cite by number stands in `docs/PROMISES.md`, and the tests it names exist."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "PROMISES.md").read_text(encoding="utf-8")


def cited(pattern: str) -> set[str]:
    """What the project's own files cite."""
    command = ["git", "grep", "-hoiE", pattern, "--", "engine", "duels", "spellcaster", "tests"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {re.sub(r"\D", "", line) for line in found.stdout.splitlines()}


def test_every_promise_that_is_cited_is_made() -> None:
    made = set(re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE))
    assert made == {str(number) for number in range(1, 12)}
    assert cited(r"promises? [0-9]+") <= made


def test_every_feature_that_is_cited_is_described() -> None:
    rows = re.findall(r"^\| (F[F\d, ]+) \|", PAGE, re.MULTILINE)
    described = {number for row in rows for number in re.findall(r"\d+", row)}
    assert cited(r"\bF[1-9][0-9]?\b") <= described


def test_the_tests_that_hold_the_promises_exist() -> None:
    for path in re.findall(r"`(tests/[\w/.]+)`", PAGE):
        assert (ROOT / path).is_file(), path
