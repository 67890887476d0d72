"""Tests that a ruleset without a note on a rule plays Bartle's rule as printed.

Pages print Bartle's rule if RULES.md has no note for the ruleset. Therefore, each of Bartle's cases
for a ruling or scenario is also played under every other ruleset without a note on the rule. Every
case that can be set up there must have the same result.
"""

import re
from pathlib import Path
from typing import Final

import pytest

import engine
import engine.play
from engine.rulesets import BARTLE_1, RULESETS
from tests.engine.casebook import Case, InvalidCase, read_cases
from tests.engine.referee import CasePlayer

RULES_TEXT: Final = (Path(engine.__file__).parent / "RULES.md").read_text(encoding="utf-8")
RULE_PATTERN: Final = re.compile(r"^### (\S+) — .+$", re.MULTILINE)
NOTE_PATTERN: Final = re.compile(r"^\*\*In (.+?)(?: instead)?:\*\*", re.MULTILINE)
# Reasons why a case has a different result although its rule applies.
REASONS_FOR_DIFFERENT_RESULTS: Final = {
    ("extra-disease", "spellcast-1"): "spells cast out of time begin with the turn (R205)",
    ("extra-disease", "archmage-1"): "an extra action belongs to the turn it precedes (R99)",
    ("R4-one-hand", "spellcast-1"): "a Counter-spell targets the opponent there",
    ("R191", "spellcast-1"): "an amnesiac monster repeats its last actual victim there",
    ("R6", "warlocks-1"): "an elemental has no subject there",
    ("R6-annihilated", "warlocks-1"): "the two kinds have different gestures there",
    ("R10-haste", "spellcast-1"): "hasted wizards have their own phase (R97)",
    ("R10-haste", "warlocks-1"): "hasted wizards have their own turn (W9)",
    ("R66-newer-blinded-and-merged", "archmage-1"): "the newer elemental is destroyed (R65)",
    ("R90-poison-cast", "warlocks-1"): "a poison takes one turn more (W31)",
    ("R92", "warlocks-1"): "protection lasts one turn less (W29)",
    ("R108", "warlocks-1"): "a permanency needs a mark (W35)",
    ("R108-countered", "warlocks-1"): "a permanency needs a mark (W35)",
    ("R174-bolt", "spellcast-1"): "a used bolt can be chosen, and fizzles (R18)",
    ("S16-open", "warlocks-1"): "the second stab has its own turn (W9)",
    ("S22", "warlocks-1"): "a permanency needs a mark (W35)",
    ("rare-charms-around-extra", "archmage-1"): "an extra action precedes its turn (R99)",
    ("rare-amnesia-in-extra", "archmage-1"): "an extra action precedes its turn (R99)",
    ("rare-amnesia-after-two-time-stops", "archmage-1"): "an extra action precedes its turn (R99)",
    ("rare-paralysed-twice-around-extra", "archmage-1"): "an extra action precedes its turn (R99)",
    ("rare-elemental-of-nobody", "archmage-1"): "the caster chooses the element (R63)",
    ("rare-time-stop-in-extra", "warlocks-1"): "a stopped monster attacks again at once (W13)",
    (
        "rare-raised-by-two",
        "spellcast-1",
    ): "it is already alive for the second raising, which cures it",
}


def rulesets_with_note() -> dict[str, set[str]]:
    """Return the rulesets for which each rule has a note, by rule, without version numbers."""
    _, *parts = RULE_PATTERN.split(RULES_TEXT)
    bodies = dict(zip(parts[::2], parts[1::2], strict=True))
    return {
        rule: {name for names in NOTE_PATTERN.findall(body) for name in names.split(" and ")}
        for rule, body in bodies.items()
    }


def cases_without_note() -> list[tuple[Case, str]]:
    """Return Bartle's cases of numbered rules, each with a ruleset that shows Bartle's rule."""
    notes = rulesets_with_note()
    return [
        (case, ruleset)
        for case in read_cases()
        if BARTLE_1.id in case.rulesets and re.fullmatch(r"[RS]\d+", rule := case.rules[0])
        for ruleset in RULESETS
        if ruleset not in case.rulesets and ruleset.rpartition("-")[0] not in notes[rule]
    ]


CASES_WITHOUT_NOTE: Final = cases_without_note()


@pytest.mark.parametrize(
    ("case", "ruleset"),
    CASES_WITHOUT_NOTE,
    ids=[f"{case.name}-{ruleset}" for case, ruleset in CASES_WITHOUT_NOTE],
)
def test_rule_without_a_note_is_played_as_printed(case: Case, ruleset: str) -> None:
    try:
        CasePlayer(case, ruleset).play_all()
        agrees = True
    except (InvalidCase, engine.play.InvalidData):
        return  # the case cannot be set up under this ruleset
    except AssertionError as fault:
        # without "expected", the orders are illegal under this ruleset
        agrees = ": expected " not in str(fault)
    assert agrees is ((case.name, ruleset) not in REASONS_FOR_DIFFERENT_RESULTS)
