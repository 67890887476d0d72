"""Wrapping of an email's lines to the width of a terminal."""

import re
import textwrap
from typing import Final

COLUMNS: Final = 78  # a terminal's width, with room for quotation marks


def wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """Return the text in lines that fit, with the prefix `first` for the first line and `rest` for
    the others."""
    return textwrap.fill(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,  # URLs must stay whole
        break_on_hyphens=False,
    )


def with_short_lines(text: str) -> str:
    """Return the text with long lines wrapped. Continuation lines keep the indentation."""
    return "\n".join(map(_shortened, text.split("\n")))


def _shortened(line: str) -> str:
    if len(line) <= COLUMNS:
        return line
    margin = re.match(r" *(?:- )?", line)
    assert margin
    first = margin[0]
    rest = " " * len(first) if "-" in first or not first else f"{first}  "
    return wrapped(line[len(first) :], first, rest)
