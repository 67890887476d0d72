"""Lines of a mail that fit a terminal."""

import re
import textwrap
from typing import Final

COLUMNS: Final = 78  # of a terminal, with room for a sign of quotation


def wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """The text in lines that fit, the first behind `first`, the others behind `rest`."""
    return textwrap.fill(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,  # nor addresses of pages
        break_on_hyphens=False,
    )


def with_short_lines(text: str) -> str:
    """The text, each line that is too long in several, which are further in if it is further in."""
    return "\n".join(map(_shortened, text.split("\n")))


def _shortened(line: str) -> str:
    if len(line) <= COLUMNS:
        return line
    margin = re.match(r" *(?:- )?", line)
    assert margin
    first = margin[0]
    rest = " " * len(first) if "-" in first or not first else f"{first}  "
    return wrapped(line[len(first) :], first, rest)
