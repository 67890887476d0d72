"""Quotations from RULES.md, so that each sentence is written in only one place.

In a text, `{W9}` is the first sentence of rule W9, `{R79 of spellcast}` is the first sentence of
rule R79's note for spellcast, and `{R95 of spellcast, 2}` is the first two. The caller reads the
document.
"""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

_RULE_PATTERN: Final = re.compile(r"^### (\S+) — .+$", re.MULTILINE)
_NOTE_PATTERN: Final = re.compile(r"\*\*In ([a-z, ]+?)(?: instead)?:\*\* ")
_NAME_SEPARATOR_PATTERN: Final = re.compile(r", | and ")
_SOURCE_PATTERN: Final = re.compile(r"\s?\*Source:\s.*?\*", re.DOTALL)
_END_OF_SENTENCE_PATTERN: Final = re.compile(r"(?<=\.) (?=[A-Z])")
_QUOTATION_PATTERN: Final = re.compile(r"\{([\w:]+)(?: of (\w+))?(?:, (\d))?\}")

Rulebook: TypeAlias = Mapping[tuple[str, str], str]
"""The texts of the document, by rule and ruleset. The ruleset of a rule's own text is ""."""


def rulebook(document: str) -> Rulebook:
    """Return the rules of a document, each without its source."""
    _, *parts = _RULE_PATTERN.split(document.replace("'", "’"))
    book: dict[tuple[str, str], str] = {}
    for rule, body in zip(parts[::2], parts[1::2], strict=True):
        for paragraph in _SOURCE_PATTERN.sub("", body.partition("\n## ")[0]).split("\n\n"):
            text = " ".join(paragraph.split())
            note = _NOTE_PATTERN.match(text)
            for name in _NAME_SEPARATOR_PATTERN.split(note[1]) if note else ("",):
                book.setdefault((rule, name), text[note.end() if note else 0 :])
    return book


def fill_quotations(words: str, book: Rulebook) -> str:
    """Return the text with its quotations filled in. Raises KeyError if a rule does not exist."""

    def sentences_of(found: re.Match[str]) -> str:
        sentences = _END_OF_SENTENCE_PATTERN.split(book[found[1], found[2] or ""])
        return " ".join(sentences[: int(found[3] or 1)])

    return _QUOTATION_PATTERN.sub(sentences_of, words)
