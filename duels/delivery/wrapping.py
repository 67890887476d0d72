"""Functions that wrap the lines of an email to the width of a terminal."""

import re
import textwrap
from typing import Final

LINE_WIDTH: Final = 78  # a terminal's width, minus space for quotation marks


def wrap_with_prefixes(text: str, first_prefix: str = "", other_prefix: str | None = None) -> str:
    """Return the text in lines that fit. The first line starts with the prefix `first_prefix`, the
    others with `other_prefix`."""
    return textwrap.fill(
        text,
        LINE_WIDTH,
        initial_indent=first_prefix,
        subsequent_indent=first_prefix if other_prefix is None else other_prefix,
        break_long_words=False,  # URLs must stay whole
        break_on_hyphens=False,
    )


def wrap_long_lines(text: str) -> str:
    """Return the text with long lines wrapped. Continuation lines keep the indentation."""
    return "\n".join(map(_wrap_line, text.split("\n")))


def _wrap_line(line: str) -> str:
    if len(line) <= LINE_WIDTH:
        return line
    margin = re.match(r" *(?:- )?", line)
    assert margin
    first = margin[0]
    rest = " " * len(first) if "-" in first or not first else f"{first}  "
    return wrap_with_prefixes(line[len(first) :], first, rest)
