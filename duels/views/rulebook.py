"""The rules as a page: `engine/RULES.md`, every rule at the anchor that report lines cite."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

import engine
from duels.views.book import ruleset_or_404, written

RULES = Path(engine.__file__).parent / "RULES.md"

_HEADING = re.compile(r"### (\S+) — (.+)")
_MARKS = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
    (re.compile(r"`((?:turn|gesture|spell):\w+)`"), r'<a href="#\1">\1</a>'),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
    (re.compile(r"\b(R\d{1,3}|S\d{1,2})\b(?![^<]*</a>)"), r'<a href="#\1">\1</a>'),
)


@dataclass(frozen=True)
class Rule:
    """One rule: its name, which is its anchor, and its text as HTML."""

    anchor: str
    title: str
    paragraphs: tuple[SafeString, ...]

    @property
    def spell(self) -> str:
        """The spell that the rule describes, if it is one's own."""
        return self.anchor.removeprefix("spell:") if self.anchor.startswith("spell:") else ""


@dataclass(frozen=True)
class Section:
    title: str
    introduction: tuple[SafeString, ...]
    rules: tuple[Rule, ...]

    @property
    def anchor(self) -> str:
        return re.sub(r"\W+", "-", self.title.lower()).strip("-")


@require_safe
def rules(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """The rules of a ruleset, and the gestures of its spells."""
    ruleset = ruleset_or_404(ruleset_id)
    spells = {
        spell.id: " or ".join(map(written, spell.patterns)) for spell in ruleset.spells.values()
    }
    context = {"ruleset": ruleset, "sections": sections(), "spells": spells}
    return render(request, "duels/rules.html", context)


@cache
def sections() -> tuple[Section, ...]:
    """The sections of RULES.md; what stands before the first one is about the file itself."""
    parts = re.split(r"^## ", RULES.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return tuple(_section(part) for part in parts)


def _section(text: str) -> Section:
    head, *parts = re.split(r"^(?=### )", text, flags=re.MULTILINE)
    title, _, introduction = head.partition("\n")
    return Section(title.strip(), tuple(_paragraphs(introduction)), tuple(map(_rule, parts)))


def _rule(text: str) -> Rule:
    heading, _, body = text.partition("\n")
    found = _HEADING.fullmatch(heading.strip())
    assert found is not None, heading
    return Rule(found[1], found[2], tuple(_paragraphs(body)))


def _paragraphs(text: str) -> Iterator[SafeString]:
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.strip():
            yield _marked(" ".join(paragraph.split()))


def _marked(text: str) -> SafeString:
    """The text as HTML: it is escaped first, then only what `_MARKS` makes is markup."""
    html = str(escape(text))
    for pattern, replacement in _MARKS:
        html = pattern.sub(replacement, html)
    return mark_safe(html)
