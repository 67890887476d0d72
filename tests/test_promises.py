"""Tests that cited numbers are listed, and that the tests named for them exist."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROMISES = (ROOT / "tests" / "PROMISES.md").read_text(encoding="utf-8")
FEATURES = (ROOT / "tests" / "FEATURES.md").read_text(encoding="utf-8")


def cited_numbers(pattern: str) -> set[str]:
    """Return the numbers that the project's files cite."""
    command = ["git", "grep", "-IhoiE", pattern, "--", "engine", "duels", "spellcaster", "tests"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {re.sub(r"\D", "", line) for line in found.stdout.splitlines()}


def test_every_promise_cited_in_the_code_is_listed() -> None:
    made = set(re.findall(r"^\| (\d+) \|", PROMISES, re.MULTILINE))
    assert made == {str(number) for number in range(1, len(made) + 1)}
    assert cited_numbers(r"promises? [0-9]+") <= made


def test_every_feature_is_listed_once_with_its_tests_or_a_reason() -> None:
    rows = re.findall(r"^\| F(\d+) \| (.+) \| (.+) \|$", FEATURES, re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, 102))
    assert all(text.endswith(".") for _, text, _ in rows)
    by_hand = [int(number) for number, _, holder in rows if "`tests/" not in holder]
    assert by_hand == [44, 52]  # features of the browser or of paper


def test_every_feature_cited_in_the_code_is_listed() -> None:
    described = set(re.findall(r"^\| F(\d+) \|", FEATURES, re.MULTILINE))
    assert cited_numbers(r"\bF([1-9][0-9]?|1[0-9]{2})\b") <= described


def test_tests_cited_by_promises_and_features_exist() -> None:
    for path, name in re.findall(r"`(tests/[\w/.]+?)(?:::([\w-]+))?`", PROMISES + FEATURES):
        assert (ROOT / path).is_file(), path
        names = r"^def (\w+)\(" if path.endswith(".py") else r"^case (\S+)$"
        found = re.findall(names, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
        assert not name or name in found, (path, name)
