"""Tests of whole reports: their order, names, pronouns and openings."""

import ast
import random
import re
from collections.abc import Iterator

import pytest

import engine
import engine.play
import engine.words
from engine import events as e
from engine.rulesets import RULESETS
from engine.words import prose
from tests import daily
from tests.engine.board import ADA, BRAM, begun, duel, made, play_turn
from tests.engine.random_duels import random_duel
from tests.engine.reports import ENGINE, POSITION
from tests.engine.rulebook import RULES


@pytest.mark.parametrize(
    ("pronouns", "word"),
    [("he", "himself"), ("she", "herself"), ("they", "themselves"), ("it", "itself")],
)
def test_reports_use_chosen_pronouns(pronouns: str, word: str) -> None:
    wizards = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram", pronouns)]
    before = engine.play.begin("bartle-1", wizards)
    after, events = play_turn(before, bram=made("P -"))
    view = engine.play.view(engine.play.History((engine.play.Turn(1, before, events),), after), ADA)
    assert engine.words.narrate(view)[0].lines[0].text == f"Bram casts Shield on {word}."


def test_lines_of_a_report_follow_the_order_of_play() -> None:
    before = duel(begun("S"), begun("WFP"), turn=7)
    after, events = play_turn(before, ada=made("D >", say="Ha!"), bram=made("- P"))
    view = engine.play.view(
        engine.play.History((engine.play.Turn(9, before, events),), after), BRAM
    )
    (report,) = engine.words.narrate(view)
    assert (report.ordinal, report.number, report.kind) == (9, 7, "normal")
    assert [line.text for line in report.lines] == [
        "Ada says: \u201cHa!\u201d",
        "Ada casts Missile at you.",
        "You cast Shield on yourself.",
        "A shield covers you.",
        "Ada’s Missile shatters on a shield before you.",
        "Ada’s stab at you is stopped by a shield.",
    ]
    assert [line.wizard for line in report.lines] == [ADA, ADA, BRAM, BRAM, ADA, ADA]


@pytest.mark.parametrize(
    ("ruleset", "kind", "words"),
    [
        ("bartle-1", "normal", "turn 4"),
        ("bartle-1", "extra", "extra turn 4"),
        ("wizards-1", "extra", "extra turn 4"),
        ("archmage-1", "extra", "action before turn 4"),
        ("spellcast-1", "extra", "extra turn before turn 4"),
        ("spellcast-1", "haste", "haste phase before turn 4"),
        ("warlocks-1", "normal", "turn 4"),
        ("warlocks-1", "extra", "time-stopped turn 4"),
        ("warlocks-1", "haste", "hasted turn 4"),
    ],
)
def test_name_of_a_turn_depends_on_its_kind_and_the_ruleset(
    ruleset: str, kind: str, words: str
) -> None:
    assert engine.words.turn_name(ruleset, kind, 4) == words


def test_report_texts_contain_no_fixed_spell_names() -> None:
    """The texts contain spell ids in brackets, because names of spells differ between rulesets."""
    tables = [getattr(prose, name) for name in dir(prose) if name.endswith("_TEXT")]
    assert len(tables) > 7
    texts = [
        text if isinstance(text, str) else text[0] for table in tables for text in table.values()
    ]
    texts += [
        node.value
        for path in (ENGINE / "words").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    names = {spell.name for ruleset in RULESETS.values() for spell in ruleset.spells.values()}
    assert {(name, text) for name in names for text in texts if name in text} == set()
    known = {id for ruleset in RULESETS.values() for id in ruleset.spells}
    assert {id for text in texts for id in re.findall(r"\[([a-z_]{3,})\]", text)} <= known


def test_reports_name_spells_as_the_ruleset_does() -> None:
    """The same events are reported under two rulesets. rules: R26"""
    for ruleset, missile, delay in (
        ("bartle-1", "Missile", "Delayed Effect"),
        ("wizards-1", "Magic Missile", "Delay Effect"),
    ):
        view = engine.play.view(
            engine.play.History((), engine.play.begin(ruleset, [engine.play.Duellist()] * 2)), "w0"
        )
        lines = engine.words.narrate_events(
            view, [e.Hit("w1", 1, "missile", "w0"), e.Lapsed("w0", "delayed_effect")]
        )
        assert [line.text for line in lines] == [
            f"Your {missile} hits Black for 1 point.",
            f"Your {delay} passes unused.",
        ]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("observer", ["w0", "w1", "spectator"])
def test_opening_of_every_ruleset_consists_of_whole_sentences(ruleset: str, observer: str) -> None:
    """F6, F7, R115"""
    wizards = [
        engine.play.Duellist("Ada"),
        engine.play.Duellist("Bram"),
        engine.play.Duellist("Cleo"),
    ]
    view = engine.play.view(engine.play.History((), engine.play.begin(ruleset, wizards)), observer)
    report = engine.words.opening_report(view)
    assert (report.ordinal, report.number, report.title) == (0, 0, "before turn 1")
    assert len(report.lines) >= 2
    for line in report.lines:
        assert re.fullmatch(SENTENCE, line.text), line
        assert line.rule in RULES


def test_opening_of_the_wizards_ruleset_has_the_wizards_bow() -> None:
    """F7"""
    duellists = [engine.play.Duellist(), engine.play.Duellist(), engine.play.Duellist()]
    view = engine.play.view(
        engine.play.History((), engine.play.begin("wizards-1", duellists)), "w1"
    )
    assert (
        engine.words.opening_report(view).lines[-1].text == "White, you and Red bow to each other."
    )


def test_open_record_addresses_its_reader_as_you() -> None:
    """The open record is the same for everyone, except that its reader is addressed as "you"."""
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, POSITION, (e.Won("w0"),)),), POSITION), "all"
    )
    lines = {
        reader: engine.words.narrate(view, reader)[0].lines[0].text for reader in ("", "w0", "w1")
    }
    assert lines == {
        "": "Ada wins the duel.",
        "w0": "You win the duel.",
        "w1": "Ada wins the duel.",
    }
    (line,) = engine.words.narrate_events(view, [e.Died("w1", "wounds")], "w1")
    assert line.text == "You die of your wounds."
    assert "you" in engine.words.opening_report(view, "w1").lines[0].text


SENTENCE = r"[A-Z\u201c][^{}<>|\[\]]*[.!?\u201d]"
PRONOUNS = {"w0": "she", "w1": "he", "w2": "they", "w3": "it"}
FORMS_OF_PRONOUNS = {
    "she": {"she", "her", "hers", "herself"},
    "he": {"he", "him", "his", "himself"},
    "they": {"they", "them", "their", "themselves"},
}


def reports_of(
    ruleset: str, seed: int
) -> Iterator[tuple[engine.play.View, engine.words.TurnReport]]:
    """Yield every observer's report of each turn of a random duel."""
    for step in random_duel(random.Random(seed), wizards=2 + seed % 3, turns=30, ruleset=ruleset):
        after = step.after.copy()
        for wizard in after.wizards:
            wizard.pronouns = PRONOUNS[wizard.id]
        history = engine.play.History((engine.play.Turn(1, step.position, step.events),), after)
        for observer in (*(wizard.id for wizard in after.wizards), "spectator", "all"):
            view = engine.play.view(history, observer)
            yield view, engine.words.narrate(view)[0]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_line_of_a_report_cites_its_rule(ruleset: str) -> None:
    """Every line is a whole sentence whose pronouns agree with the names. Promise 7. F5"""
    rules, line_codes = set(RULES), set[str]()
    for seed in daily.sample(range(16), 2, ruleset):
        for view, report in reports_of(ruleset, seed):
            for line in report.lines:
                assert line.rule in rules, line
                assert re.fullmatch(SENTENCE, line.text), line
                assert wrong_pronouns_and_verbs(view, line.text) == [], line
                line_codes.add(line.code)
    assert len(line_codes) > 15


def wrong_pronouns_and_verbs(view: engine.play.View, text: str) -> list[str]:
    """Return pronouns that fit nobody named in the text, and verbs that disagree with a pronoun."""
    words = re.findall(r"\w+", text)
    named = {wizard.pronouns for wizard in view.wizards if wizard.name in words}
    wrong = [
        word
        for pronoun, forms in FORMS_OF_PRONOUNS.items()
        for word in words
        if word.lower() in forms and pronoun not in named
    ]
    wrong += re.findall(r"(?:\bthey|^You) (?:is|has|was)\b|\b(?:she|he|it) (?:are|have)\b", text)
    return wrong


def test_grammar_check_finds_wrong_pronouns() -> None:
    view = engine.play.view(engine.play.History((), POSITION), "all")
    assert wrong_pronouns_and_verbs(view, "Bram casts Shield on himself.") == []
    assert wrong_pronouns_and_verbs(view, "Bram casts Shield on herself.") == ["herself"]
    assert wrong_pronouns_and_verbs(view, "Ada says that they is well.") == ["they", "they is"]


@pytest.mark.parametrize(
    ("set_of_confusion", "text"),
    [
        (1, "You surrender: both hands make P because of Confusion."),
        (2, "You surrender: both hands make P."),
    ],
)
def test_report_and_turning_point_name_the_spell_that_made_a_wizard_surrender(
    set_of_confusion: int, text: str
) -> None:
    """rules: R111"""
    happened = (
        e.Overridden("w0", set_of_confusion, "R", "P", "confusion"),
        e.Gestured("w0", 1, "P", "P"),
        e.Surrendered("w0"),
    )
    history = engine.play.History((engine.play.Turn(1, POSITION, happened),), POSITION)
    view = engine.play.view(history, "all")
    (report,) = engine.words.narrate(view, "w0")
    (point,) = engine.words.highlights(view, engine.words.story_of(history), "w0")
    assert report.lines[-1].text == point.text == text
