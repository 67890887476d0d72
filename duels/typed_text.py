"""Functions that clean text typed by people, such as messages, names of duels, reasons, notes and
orders.

Characters that are invisible or change the text around them are removed, such as control
characters, changes of direction and accents without a letter. Joiners are kept in emoji and in
languages that need them.
"""

import re
import unicodedata
from typing import Final

_LINE_ENDS_PATTERN = re.compile("\r\n|[\r\x0b\x0c\x85\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}]")
_TOO_MANY_EMPTY_LINES_PATTERN = re.compile(r"\n{3,}")
MAX_COMBINING_MARKS: Final = 4  # maximum number of marks on one letter

# Characters that look like spaces, although Unicode classifies them as letters or symbols.
_BLANK_CHARACTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
# Invisible marks. Variation selectors are also invisible marks, unless they follow a character that
# they can vary.
_UNSEEN_MARKS: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_VARIATION_SELECTORS: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_EMOJI_SELECTORS: Final = frozenset("\ufe0e\ufe0f")
_NON_JOINER, _JOINER = "\u200c", "\u200d"
# Format characters that are visible, because they enclose the digits after them.
_ENCLOSING_MARKS: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
)
_OBJECT_PLACEHOLDER: Final = "\ufffc"  # placeholder for an object that is not text
# Prefixes of the Unicode names of letters whose shape depends on joiners next to them.
_JOINING_LETTER_PREFIXES: Final = tuple(
    (
        "ARABIC SYRIAC MONGOLIAN DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA "
        "MALAYALAM SINHALA MYANMAR KHMER"
    ).split()
)


def clean_text(text: str) -> str:
    """Return the cleaned text, with at most one empty line between paragraphs."""
    return _TOO_MANY_EMPTY_LINES_PATTERN.sub("\n\n", without_hidden_characters(text)).strip()


def clean_line(text: str) -> str:
    """Return the cleaned text as one line, with single spaces."""
    return " ".join(without_hidden_characters(text).split())


def without_hidden_characters(text: str) -> str:
    """Return the text without hidden or misleading characters, but with the same lines."""
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", with_plain_line_ends(text).replace("\t", " "))
    kept: list[str] = []
    marks = 0
    for letter, following in zip(text, [*text[1:], ""], strict=True):
        shown = " " if letter in _BLANK_CHARACTERS else letter
        before = kept[-1] if kept else "\n"
        kind = unicodedata.category(shown)
        if kind[0] == "M":
            marks += 1
            if marks > MAX_COMBINING_MARKS or not _can_carry_mark(before, shown):
                continue
        elif not (_is_visible(shown, kind) or _is_shaping_joiner(shown, before, following)):
            continue
        else:
            marks = 0
        kept.append(shown)
    return "".join(kept)


def with_plain_line_ends(text: str) -> str:
    return _LINE_ENDS_PATTERN.sub("\n", text)


def _is_visible(letter: str, kind: str) -> bool:
    """Return whether the character is visible, a space or a line end."""
    return (
        letter == "\n"
        or letter in _ENCLOSING_MARKS
        or (kind[0] != "C" and letter != _OBJECT_PLACEHOLDER)
    )


def _can_carry_mark(letter: str, mark: str) -> bool:
    """Return whether this mark can combine with the character before it."""
    if mark in _UNSEEN_MARKS:
        return False
    if mark in _VARIATION_SELECTORS:
        is_sign = unicodedata.category(letter)[0] in "SPN" and not letter.isspace()
        return mark in _EMOJI_SELECTORS and is_sign
    return unicodedata.category(letter)[0] in "LMNSP"


def _is_shaping_joiner(letter: str, before: str, following: str) -> bool:
    """Return whether this character joins or separates the characters around it."""
    if letter not in (_JOINER, _NON_JOINER) or not following:
        return False
    around = before, following
    if all(unicodedata.name(each, "").startswith(_JOINING_LETTER_PREFIXES) for each in around):
        return True
    return letter == _JOINER and all(
        unicodedata.category(each) in ("So", "Sk") or each in _EMOJI_SELECTORS for each in around
    )


def parse_number(text: str, most_digits: int = 18) -> int:
    """Parse a number such as a primary key. Return 0 if it is invalid or too long."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= most_digits
    return int(text) if is_number else 0
