"""Sentences of single events, and the syntax trees of the code that resolves turns."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import engine
import engine.play
import engine.words
from engine.rulesets import RULESETS
from engine.spellbook import Duration
from tests.engine.board import duel

ENGINE = Path(engine.__file__).parent
RULESETS_AND_VARIANTS = [
    book for rules in RULESETS.values() for book in (rules, *rules.variants.values())
]
MIND_SPELLS = {kind for book in RULESETS_AND_VARIANTS for kind in book.mind_spells}
EFFECTS = {
    row.id
    for book in RULESETS_AND_VARIANTS
    for row in book.spells.values()
    if row.lasts is not Duration.INSTANT
}
POSITION = duel(monsters=[{"kind": "goblin", "controller": "w0"}, {"kind": "ogre"}])
WARLOCKS = duel(ruleset="warlocks-1")


def sentence_and_rule(
    event: engine.play.Event, observer: str, position: engine.play.Position = POSITION
) -> tuple[str, str]:
    """Return the event's sentence for this observer and its rule, or "" without a sentence."""
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, position, ()),), position), observer
    )
    shown = replace(view, turns=(replace(view.turns[0], events=(event,)),))
    (report,) = engine.words.narrate(shown)
    (line,) = report.lines or (engine.words.Line(event.code, "", "", ""),)
    assert line.code == event.code
    return line.text, line.rule


def nodes_of_resolve() -> Iterator[ast.AST]:
    """Yield all syntax nodes of the code that resolves turns."""
    for path in (ENGINE / "resolve").rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))
