"""The rules as pages: `engine/RULES.md`, every rule at the anchor that report lines cite.

A note in it that begins **In wizards:** is for that ruleset; its page prints it before the rule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

import engine
from duels import adjudication
from duels.games import Game
from duels.views.book import Facts, facts, family, ruleset_or_404
from duels.views.games import games_under
from duels.views.turn_order import glossary, steps
from engine import Ruleset
from engine.differences import differences as differences_of
from engine.rulesets.ruleset import STEPWISE

RULES = Path(engine.__file__).parent / "RULES.md"
# Whose text a ruleset is, as the sources of a rule name it: Bartle's is in all, a program has none.
AUTHORS = {"wizards": "van Zoelen", "archmage": "Archmage"}

_HEADING = re.compile(r"### (\S+) — (.+)")
_NOTE = re.compile(r"\*\*In ([a-z, ]+):\*\* ")
# What a spell's rule says of Bartle's row; a page prints the ruleset's own row instead.
_ROW = re.compile(r"`[^.]* · [^.]* · [^.]*\. ")
_MARKS = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
    (re.compile(r"`((?:turn|gesture|spell):\w+)`"), r'<a href="#\1">\1</a>'),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
    (re.compile(r"\b(R\d{1,3}|S\d{1,2})\b(?![^<]*</a>)"), r'<a href="#\1">\1</a>'),
)


@dataclass(frozen=True)
class Note:
    """What is so in some rulesets only."""

    families: tuple[str, ...]  # "wizards", "archmage"
    text: SafeString

    @property
    def where(self) -> str:
        """The names of the rulesets."""
        return " and ".join(name.title() for name in self.families)


@dataclass(frozen=True)
class Rule:
    """One rule: its name, which is its anchor, and its text as HTML."""

    anchor: str
    title: str
    paragraphs: tuple[SafeString, ...]
    notes: tuple[Note, ...]
    source: str

    @property
    def spell(self) -> str:
        """The spell that the rule describes, if it is one's own."""
        return self.anchor.removeprefix("spell:") if self.anchor.startswith("spell:") else ""


@dataclass(frozen=True)
class RuleHere:
    """A rule as the page of one ruleset prints it."""

    rule: Rule
    title: str
    here: tuple[Note, ...]
    elsewhere: tuple[Note, ...]
    filled_in: bool  # the ruleset's own text is silent, and Bartle's rule holds. rules: R27
    facts: Facts | None
    missing: bool  # the rule of a spell that this book does not have


@dataclass(frozen=True)
class Section:
    title: str
    introduction: tuple[SafeString, ...]
    rules: tuple[Rule, ...]

    @property
    def anchor(self) -> str:
        return re.sub(r"\W+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True)
class Book:
    """A ruleset as the page of all of them offers it."""

    ruleset: Ruleset
    differences: int
    games: list[tuple[Game, str]]


@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    """The rulesets side by side."""
    books = [
        Book(ruleset, len(differences_of(ruleset)), games_under(ruleset))
        for ruleset in adjudication.rulesets().values()
    ]
    return render(request, "duels/rulebooks.html", {"books": books})


@require_safe
def rules(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """The rules of a ruleset, and the gestures of its spells."""
    ruleset = ruleset_or_404(ruleset_id)
    own = [
        (section, tuple(rule_here(rule, ruleset) for rule in section.rules))
        for section in sections()
    ]
    context = {
        "ruleset": ruleset,
        "sections": own,
        "silent": AUTHORS.get(family(ruleset), ""),
        "as_the_program": _as_the_program(ruleset),
    }
    return render(request, "duels/rules.html", context)


@require_safe
def differences(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """How a ruleset differs from Bartle's, as its values say."""
    ruleset = ruleset_or_404(ruleset_id)
    context = {
        "ruleset": ruleset,
        "differences": differences_of(ruleset),
        "games": games_under(ruleset),
        "as_the_program": _as_the_program(ruleset),
    }
    return render(request, "duels/differences.html", context)


@require_safe
def turn_order(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """How a turn of a ruleset goes, in plain words."""
    ruleset = ruleset_or_404(ruleset_id)
    context = {
        "ruleset": ruleset,
        "steps": steps(ruleset),
        "glossary": glossary(ruleset),
        "as_the_program": _as_the_program(ruleset),
    }
    return render(request, "duels/turn_order.html", context)


def _as_the_program(ruleset: Ruleset) -> bool:
    """Whether a program's play stands above every text. rules: F79"""
    return ruleset.order_of_play == STEPWISE


def rule_here(rule: Rule, ruleset: Ruleset) -> RuleHere:
    """The rule with this ruleset's own notes first."""
    name = family(ruleset)
    spell = ruleset.spells.get(rule.spell)
    here = tuple(note for note in rule.notes if name in note.families)
    author = AUTHORS.get(name)
    return RuleHere(
        rule=rule,
        title=spell.name if spell else rule.title,
        here=here,
        elsewhere=tuple(note for note in rule.notes if name not in note.families),
        filled_in=bool(author and not here and rule.source and author not in rule.source),
        facts=facts(spell, ruleset) if spell else None,
        missing=bool(rule.spell) and spell is None,
    )


@cache
def rule_names(ruleset_id: str) -> dict[str, str]:
    """What each rule is called, by its anchor: a spell as the ruleset's own book calls it."""
    spells = adjudication.rulesets()[ruleset_id].spells
    names = {rule.anchor: rule.title for section in sections() for rule in section.rules}
    return names | {f"spell:{spell.id}": spell.name for spell in spells.values()}


@cache
def sections() -> tuple[Section, ...]:
    """The sections of RULES.md; what stands before the first one is about the file itself."""
    parts = re.split(r"^## ", RULES.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return tuple(_section(part) for part in parts)


def _section(text: str) -> Section:
    head, *parts = re.split(r"^(?=### )", text, flags=re.MULTILINE)
    title, _, introduction = head.partition("\n")
    paragraphs = tuple(map(_marked, _paragraphs(introduction)))
    return Section(title.strip(), paragraphs, tuple(map(_rule, parts)))


def _rule(text: str) -> Rule:
    heading, _, body = text.partition("\n")
    found = _HEADING.fullmatch(heading.strip())
    assert found is not None, heading
    paragraphs = list(_paragraphs(body))
    own = [part for part in paragraphs if not _NOTE.match(part)]
    if own and (row := _ROW.match(own[0])):
        own[0] = own[0][row.end() :]
    source = re.search(r"\*Source: (.*?)\*", " ".join(own))
    return Rule(
        found[1],
        found[2],
        tuple(map(_marked, own)),
        tuple(_notes(paragraphs)),
        source[1] if source else "",
    )


def _notes(paragraphs: Sequence[str]) -> Iterator[Note]:
    for paragraph in paragraphs:
        if found := _NOTE.match(paragraph):
            families = tuple(re.split(r", | and ", found[1]))
            yield Note(families, _marked(paragraph[found.end() :]))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.strip():
            yield " ".join(paragraph.split())


def _marked(text: str) -> SafeString:
    """The text as HTML: it is escaped first, then only what `_MARKS` makes is markup."""
    html = str(escape(text))
    for pattern, replacement in _MARKS:
        html = pattern.sub(replacement, html)
    return mark_safe(html)
