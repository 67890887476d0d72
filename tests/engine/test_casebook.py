"""Tests that malformed cases are reported with file and line, and that wrong verdicts fail."""

import re

import pytest

from tests.engine.casebook import CASES_FOLDER, InvalidCase, parse_cases
from tests.engine.referee import CasePlayer

CASE_HEAD = "case X\nrules spell:missile\ntitle A missile\n"


def play_case_text(text: str, ruleset: str = "bartle-1") -> None:
    for case in parse_cases(CASE_HEAD + text, "x.case"):
        CasePlayer(case, ruleset).play_all()


def test_case_with_correct_verdicts_passes():
    play_case_text("turn\n A: R missile -> B  # a remark\nexpect\n B 1\n A 0\n")


@pytest.mark.parametrize(
    "verdict",
    [
        "B 0",
        "B dead",
        "over A wins",
        "A cast nothing",
        "A cast shield",
        "A cast missile L",
        "A cast missile -> A",
        "A made L D R -",
        "B has fear",
        "B must L F",
        "A barred C",
        "A sets 2",
        "A asked paralysis",
        "A banked missile",
        "A used_bolt",
        "A charms B L",
        "monsters 1",
        "break A",
        "next extra",
        "sees B A 1 fog",
        "told B fireball",
        "not told B missile",
        "not told B",
        "event died",
        "no event cast",
        "cause shield missile",
    ],
)
def test_wrong_verdict_fails_with_file_and_line(verdict: str):
    with pytest.raises(AssertionError, match=r"x\.case:7: expected"):
        play_case_text(f"turn\n A: R missile -> B\nexpect\n {verdict}\n")


CASE_WITH_QUESTIONS = """
options strict
given
 A history L PDW R --S
turn
 A: L P, R D, answer left_spell shield, answer target B, answer target A
expect
 """


@pytest.mark.parametrize(
    ("verdict", "is_true"),
    [
        ("batches 2", True),
        ("batches 1", False),
        ("batch 1: A left_spell", True),
        ("batch 1: B left_spell", False),
        ("batch 1: A right_spell", False),
        ("batch 2: A target missile R, A target shield L", True),
        ("batch 2: A target shield L, A target missile R", False),
        ("batch 2: A target missile R", False),
        ("batch 2: A target missile L, A target shield L", False),
        ("batch 3: A target missile R", False),
        ("offers A left_spell: shield remove_enchantment", True),
        ("offers A left_spell: remove_enchantment shield", False),
        ("offers A target missile: no_one A B", True),
        ("offers A target: no_one A B", False),  # there are two batches
        ("selects A left_spell: nothing", True),
        ("selects A left_spell: shield", False),
        ("selects A target missile: B", True),
        ("selects A target missile: nothing", False),
    ],
)
def test_verdict_about_questions_passes_only_if_it_is_true(verdict: str, is_true: bool):
    if is_true:
        play_case_text(CASE_WITH_QUESTIONS + verdict, "spellcast-1")
        return
    with pytest.raises(AssertionError, match=r"x\.case:\d+: expected"):
        play_case_text(CASE_WITH_QUESTIONS + verdict, "spellcast-1")


CASE_WITH_TWO_VERDICTS = "rulesets ba ar\nturn\n A: R missile -> B\nexpect\n [ba] B 1\n [ar] B 2\n"


def test_bracketed_line_applies_only_to_its_rulesets():
    play_case_text(CASE_WITH_TWO_VERDICTS, "bartle-1")
    with pytest.raises(AssertionError, match=r"x\.case:9: expected 'B 2'"):
        play_case_text(CASE_WITH_TWO_VERDICTS, "archmage-1")


def test_brackets_before_a_turn_apply_to_all_its_lines():
    text = "rulesets ba wi\n[wi] turn\n A: R missile\nexpect\n B 1\nturn\nexpect\n [wi] B 1\n B 0\n"
    play_case_text(text.replace(" B 0\n", " [ba] B 0\n"), "bartle-1")
    with pytest.raises(AssertionError, match=r"x\.case:12: expected 'B 0', found 1"):
        play_case_text(text, "wizards-1")


def test_case_can_play_a_turn_under_one_ruleset_that_another_rejects():
    text = "rulesets ba wi\nturn\n A: R missile -> nowhere\n[wi] refused A R8\n[ba] expect\n B 0\n"
    play_case_text(text, "bartle-1")
    play_case_text(text, "wizards-1")


def test_cases_can_name_elementals_in_the_same_way_under_every_ruleset():
    text = (
        "rulesets ba wi ar\nturn\n A: R ice_elemental -> B as e\nexpect\n"
        " A cast ice_elemental -> B\n [ba ar] A cast summon_elemental\n"
        " [wi] A cast summon_ice_elemental\n e of B\n"
    )
    for ruleset in ("bartle-1", "wizards-1", "archmage-1"):
        play_case_text(text, ruleset)


def test_case_fails_if_the_orders_are_not_rejected_as_expected():
    with pytest.raises(AssertionError, match=r"x\.case:6.*the faults are: nothing"):
        play_case_text("turn\n A: R missile -> B\nrefused A right_subject\n")


def test_case_fails_if_a_different_rule_rejects_the_orders():
    with pytest.raises(AssertionError, match=r"x\.case:6.*R16"):
        play_case_text("turn\n A: L >, R >\nrefused A left R87\n")


def test_case_fails_on_illegal_orders():
    with pytest.raises(AssertionError, match=r"x\.case:4: A's orders are refused"):
        play_case_text("turn\n A: L >, R >\nexpect\n A 0\n")


def test_case_fails_on_missing_or_unused_dice():
    with pytest.raises(AssertionError, match="gives no dice"):
        play_case_text("given\n A has confusion\nturn\nexpect\n A 0\n")
    with pytest.raises(AssertionError, match="dice not drawn"):
        play_case_text("turn\n dice 5 1\nexpect\n A 0\n")


def test_case_fails_if_it_answers_a_question_that_is_not_asked():
    with pytest.raises(AssertionError, match="never asked"):
        play_case_text("turn\n A: R missile -> B, answer paralysis L\nexpect\n B 1\n")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("turn\n A: R missile\n", 4, "no verdict"),
        ("turn\n C: R missile\nexpect\n A 0\n", 5, "begins with a wizard's name"),
        ("turn\n A: R missil\nexpect\n A 0\n", 5, "no such spell"),
        ("turn\n A: R missile -> g\nexpect\n A 0\n", 5, "no being is called"),
        ("turn\n A: R missile, R fireball\nexpect\n A 0\n", 5, "cannot make both"),
        ("turn\n A: L counter_spell, R amnesia\nexpect\n A 0\n", 4, "would be a surrender"),
        ("turn\nexpect\n A flies\n", 6, "no such expectation"),
        ("given\n A sleeps\nturn\nexpect\n A 0\n", 5, "cannot be given"),
        ("given\n A history L W R -\nturn\n A: L missile\nexpect\n A 0\n", 6, "no room"),
        ("turn\n dice five\nexpect\n A 0\n", 5, "dice are numbers"),
        ("weather fine\n", 4, "no such heading"),
        ("rulesets chess\n", 4, "no such ruleset"),
        ("[wi] options strict\n", 4, "the head of a case applies to all"),
        ("turn\n[ar]\n", 5, "nothing follows"),
        ("[wi] turn\nexpect\n [ar] A 0\n", 6, "applies to none of its turn's rulesets"),
        ("rulesets ba wi\nturn\n[wi] expect\n A 0\n", 5, "no verdict under bartle-1"),
        ("turn\nexpect\n A 0\nrefused A\n", 7, "two verdicts under bartle-1"),
    ],
)
def test_malformed_case_is_reported_with_file_and_line(text: str, line: int, words: str):
    with pytest.raises(InvalidCase, match=rf"x\.case:{line}: .*{words}"):
        play_case_text(text)


def test_case_is_rejected_if_its_preparation_completes_another_spell():
    # Magic Mirror needs a P in the first set, but a P casts Shield
    given = "given\n A has haste for 1\n"
    with pytest.raises(InvalidCase, match="completes shield as well"):
        play_case_text(f"{given}turn\n A: 2 R cure_heavy_wounds\nexpect\n A 0\n")


def test_examples_on_the_page_about_the_case_format_pass():
    page = (CASES_FOLDER / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^(?:    .*)?\n)+", page, re.MULTILINE)
    examples = [block for block in blocks if block.strip().startswith("case ")]
    assert len(examples) == 2
    for case in (case for text in examples for case in parse_cases(text, "README.md")):
        for ruleset in case.rulesets:
            CasePlayer(case, ruleset).play_all()
