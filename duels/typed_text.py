"""Cleaning of text that people type: messages, names of duels, reasons, notes and text orders.

Characters are removed if nobody can see them, or if they change text around them: controls,
changes of direction, accents without a letter. Emoji keep their joiners, and so do languages that
need them.
"""

import re
import unicodedata
from typing import Final

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}]")
_TOO_MANY_EMPTY_LINES = re.compile(r"\n{3,}")
MOST_MARKS: Final = 4  # on one letter

# Characters that look like a space, although they count as letters or signs.
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
# Marks that nobody can see. Without the sign before them, variation selectors are among them.
_UNSEEN_MARKS: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_VARIATION_SELECTORS: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_EMOJI_SELECTORS: Final = frozenset("\ufe0e\ufe0f")
_NON_JOINER, _JOINER = "\u200c", "\u200d"
# Format characters that can be seen: signs that enclose the numbers after them.
_ENCLOSING: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
_OBJECT: Final = "\ufffc"  # the place of something that is not text
# Beginnings of the Unicode names of letters that change their shape next to a joiner.
_JOINING: Final = (
    *("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA"),
    *("TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "MYANMAR", "KHMER"),
)


def clean_text(text: str) -> str:
    """Return the text as it can be stored, with at most one empty line between paragraphs."""
    return _TOO_MANY_EMPTY_LINES.sub("\n\n", without_hidden(text)).strip()


def clean_line(text: str) -> str:
    """Return the text as one line, with single spaces."""
    return " ".join(without_hidden(text).split())


def without_hidden(text: str) -> str:
    """Return the text, line by line as before, without characters that are hidden or misleading."""
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", with_plain_line_ends(text).replace("\t", " "))
    kept: list[str] = []
    marks = 0
    for letter, following in zip(text, [*text[1:], ""], strict=True):
        shown = " " if letter in _BLANK else letter
        before = kept[-1] if kept else "\n"
        kind = unicodedata.category(shown)
        if kind[0] == "M":
            marks += 1
            if marks > MOST_MARKS or not _can_carry(before, shown):
                continue
        elif not (_is_visible(shown, kind) or _joins(shown, before, following)):
            continue
        else:
            marks = 0
        kept.append(shown)
    return "".join(kept)


def with_plain_line_ends(text: str) -> str:
    return _LINE_ENDS.sub("\n", text)


def _is_visible(letter: str, kind: str) -> bool:
    """Return whether the character can be seen, or is a space or a line end."""
    return letter == "\n" or letter in _ENCLOSING or (kind[0] != "C" and letter != _OBJECT)


def _can_carry(before: str, mark: str) -> bool:
    """Return whether the mark belongs to the character before it."""
    if mark in _UNSEEN_MARKS:
        return False
    if mark in _VARIATION_SELECTORS:
        is_sign = unicodedata.category(before)[0] in "SPN" and not before.isspace()
        return mark in _EMOJI_SELECTORS and is_sign
    return unicodedata.category(before)[0] in "LMNSP"


def _joins(letter: str, before: str, following: str) -> bool:
    """Return whether this joiner changes the shape of the characters around it."""
    if letter not in (_JOINER, _NON_JOINER) or not following:
        return False
    around = before, following
    if all(unicodedata.name(each, "").startswith(_JOINING) for each in around):
        return True
    return letter == _JOINER and all(
        unicodedata.category(each) in ("So", "Sk") or each in _EMOJI_SELECTORS for each in around
    )


def is_blank(text: str) -> bool:
    """Return whether nothing can be seen in the text."""
    return not without_hidden(text).strip()
