"""Tests that RULES.md contains each rule that code and cases cite exactly once."""

import re
from pathlib import Path

import engine
from engine.rulesets import RULESETS
from tests.engine.casebook import read_cases

ENGINE = Path(engine.__file__).parent
HEADING_PATTERN = re.compile(r"^### (\S+) — (.+)$", re.MULTILINE)
ANCHOR_PATTERN = re.compile(r"\b(?:turn|gesture|spell):[a-z_A-Z]+\b")
RULE_NUMBER_PATTERN = re.compile(r"\b[RW]\d+\b")

RULE_NAMES = [
    name for name, _ in HEADING_PATTERN.findall((ENGINE / "RULES.md").read_text(encoding="utf-8"))
]


def test_every_rule_name_is_defined_once() -> None:
    assert len(RULE_NAMES) == len(set(RULE_NAMES))


def test_every_ruling_and_scenario_is_defined() -> None:
    assert {f"R{number}" for number in range(1, 178)} <= set(RULE_NAMES)
    assert {f"S{number}" for number in range(1, 26)} <= set(RULE_NAMES)


def test_every_spell_of_every_ruleset_has_its_rule() -> None:
    anchors = {spell.rule for ruleset in RULESETS.values() for spell in ruleset.spells.values()}
    assert anchors <= set(RULE_NAMES)


def test_every_rule_cited_by_the_code_is_defined() -> None:
    cited = {
        (path.name, name)
        for path in ENGINE.rglob("*.py")
        for pattern in (ANCHOR_PATTERN, RULE_NUMBER_PATTERN)
        for name in pattern.findall(path.read_text(encoding="utf-8"))
    }
    assert len(cited) > 50
    assert {(path, name) for path, name in cited if name not in RULE_NAMES} == set()


def test_every_rule_cited_by_a_case_is_defined() -> None:
    cases = read_cases()
    assert len(cases) > 100
    assert {(c.name, rule) for c in cases for rule in c.rules if rule not in RULE_NAMES} == set()


def test_every_rule_has_at_least_five_words_of_text() -> None:
    text = (ENGINE / "RULES.md").read_text(encoding="utf-8")
    bodies = HEADING_PATTERN.split(text)[3::3]
    assert [
        name for name, body in zip(RULE_NAMES, bodies, strict=True) if len(body.split()) < 5
    ] == []


def test_note_on_rulesets_begins_a_paragraph_and_names_them() -> None:
    """Pages find notes by beginnings like `**In wizards:**` or `**In spellcast and archmage:**`."""
    text = (ENGINE / "RULES.md").read_text(encoding="utf-8").partition("\n## ")[2]
    families = {id.rpartition("-")[0] for id in RULESETS}
    assert "**Elsewhere" not in text
    notes = re.findall(r"(.*)\*\*In (.+?)(?: instead)?:\*\*", text)
    assert len(notes) > 100
    assert [names for before, names in notes if before] == []
    assert {name for _, names in notes for name in names.split(" and ")} <= families
