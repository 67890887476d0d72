"""The sections and rules of `engine/RULES.md`, with paragraphs as HTML.

The file is Markdown that contains only headings and paragraphs, without HTML. Citations of rules
become links within the page. A paragraph that begins **In wizards:** is a note for that ruleset.
One that begins **In warlocks instead:** replaces the rule in that ruleset.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

import engine
import engine.play
import engine.words
from duels.screens.parts.rules.spell_rows import ruleset_family

RULES_FILE = Path(engine.__file__).parent / "RULES.md"

_ANCHOR_PATTERN = re.compile(r"(?:turn|gesture|spell):\w+")
_RULE_NUMBER_PATTERN = re.compile(r"\b(R\d{1,3}|S\d{1,2}|W\d{1,2})\b")
_HEADING_PATTERN = re.compile(r"(\S+) — (.+)")
_NOTE_PATTERN = re.compile(r"\*\*In ([a-z, ]+?)( instead)?:\*\* ")
# A spell's row in Bartle's book. Pages show the row of their own ruleset instead.
_SPELL_ROW_PATTERN = re.compile(r"`[^.]* · [^.]* · [^.]*\. ")
_SOURCE_PATTERN = re.compile(r"\*Source: (.*?)\*")


@dataclass(frozen=True)
class RulesetNote:
    """A note that applies only to some rulesets."""

    families: tuple[str, ...]  # "wizards", "archmage"
    text: SafeString
    replaces: bool = False  # whether the note replaces the rule

    @property
    def where(self) -> str:
        return engine.words.and_list(name.title() for name in self.families)


@dataclass(frozen=True)
class Rule:
    """One rule, with its anchor, its title and its text as HTML."""

    anchor: str
    title: str
    paragraphs: tuple[SafeString, ...]
    notes: tuple[RulesetNote, ...]
    source: str

    @property
    def spell(self) -> str:
        """The spell that the rule describes, or "" if it is not the rule of a spell."""
        return spell_id_of_rule(self.anchor)


@dataclass(frozen=True)
class Section:
    title: str
    introduction: tuple[SafeString, ...]
    rules: tuple[Rule, ...]

    @property
    def anchor(self) -> str:
        return re.sub(r"\W+", "-", self.title.lower()).strip("-")

    @property
    def family(self) -> str:
        """The only ruleset that the section applies to ("Warlocks: turns"), or "" for all."""
        name = self.title.partition(":")[0].lower()
        return name if name in map(ruleset_family, engine.play.RULESETS.values()) else ""


@dataclass
class _HeadingWithParagraphs:
    """A heading in the file, with its paragraphs as Markdown."""

    tag: str
    title: str
    paragraphs: list[str] = field(default_factory=list)


def spell_id_of_rule(rule: str) -> str:
    """Return the id of the spell that this rule describes ("missile"), or "" for other rules."""
    return rule.removeprefix("spell:") if rule.startswith("spell:") else ""


def is_numbered(rule: str) -> bool:
    """Return whether the rule is cited by number (R12, S3, W9) instead of by name."""
    return _RULE_NUMBER_PATTERN.fullmatch(rule) is not None


@cache
def rule_names(ruleset_id: str) -> dict[str, str]:
    """Return the rules' titles by anchor. Spells have the names from this ruleset's book."""
    ruleset = engine.play.RULESETS[ruleset_id]
    spells = ruleset.spells
    names = {
        rule.anchor: rule.title
        for section in sections()
        if section.family in ("", ruleset_family(ruleset))
        for rule in section.rules
    }
    return names | {f"spell:{spell.id}": spell.name for spell in spells.values()}


@cache
def sections() -> tuple[Section, ...]:
    """Return the sections of RULES.md, without the introduction about the file itself."""
    found: list[tuple[_HeadingWithParagraphs, list[Rule]]] = []
    for part in _headings_with_paragraphs(RULES_FILE.read_text("utf-8")):
        if part.tag == "h2":
            found.append((part, []))
        elif part.tag == "h3":
            found[-1][1].append(_parse_rule(part))
    return tuple(
        Section(part.title, tuple(map(markdown_to_html, part.paragraphs)), tuple(rules))
        for part, rules in found
    )


def markdown_to_html(text: str) -> SafeString:
    """Return a paragraph of Markdown as HTML. HTML in the paragraph is escaped."""
    html: str = _markdown_parser().renderInline(text)
    return mark_safe(html)


def _headings_with_paragraphs(text: str) -> Iterator[_HeadingWithParagraphs]:
    """Yield the headings of the file, each with the paragraphs below it."""
    part = _HeadingWithParagraphs("", "")
    tokens = _markdown_parser().parse(text)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            yield part
            part = _HeadingWithParagraphs(opening.tag, inline.content.replace("'", "’"))
        elif opening.type == "paragraph_open":
            part.paragraphs.append(" ".join(inline.content.split()))
        else:
            known = opening.type in ("inline", "heading_close", "paragraph_close")
            assert known, f"{RULES_FILE.name} has no {opening.type}"
    yield part


def _parse_rule(part: _HeadingWithParagraphs) -> Rule:
    heading = _HEADING_PATTERN.fullmatch(part.title)
    assert heading is not None, part.title
    own = [text for text in part.paragraphs if not _NOTE_PATTERN.match(text)]
    if own and (row := _SPELL_ROW_PATTERN.match(own[0])):
        own[0] = own[0][row.end() :]
    source = _SOURCE_PATTERN.search(" ".join(own))
    return Rule(
        heading[1],
        heading[2],
        tuple(map(markdown_to_html, own)),
        tuple(_parse_notes(part.paragraphs)),
        source[1] if source else "",
    )


def _parse_notes(paragraphs: Sequence[str]) -> Iterator[RulesetNote]:
    for text in paragraphs:
        if found := _NOTE_PATTERN.match(text):
            families = tuple(re.split(r", | and ", found[1]))
            yield RulesetNote(families, markdown_to_html(text[found.end() :]), bool(found[2]))


@cache
def _markdown_parser() -> MarkdownIt:
    """Return a Markdown parser that escapes HTML and turns citations of rules into links."""
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": True})
    markdown.enable("smartquotes")
    markdown.core.ruler.push("rule_citations", _link_citations)
    return markdown


def _link_citations(state: StateCore) -> None:
    """Turn cited anchors in backquotes (`turn:stab`) and numbers (R12) into links."""
    for block in state.tokens:
        if block.type == "inline":
            block.children = [
                new for token in block.children or () for new in _with_citation_links(token)
            ]


def _with_citation_links(token: Token) -> Iterator[Token]:
    if token.type == "code_inline" and _ANCHOR_PATTERN.fullmatch(token.content):
        yield from _link_tokens(token.content)
    elif token.type == "text":
        # Pieces with odd indices are the numbers that the pattern found.
        for number, piece in enumerate(_RULE_NUMBER_PATTERN.split(token.content)):
            if number % 2:
                yield from _link_tokens(piece)
            elif piece:
                yield Token("text", "", 0, content=piece)
    else:
        yield token


def _link_tokens(rule: str) -> Iterator[Token]:
    yield Token("link_open", "a", 1, attrs={"href": f"#{rule}"})
    yield Token("text", "", 0, content=rule)
    yield Token("link_close", "a", -1)
