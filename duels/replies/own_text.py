"""Extraction of the sender's own text from a reply, without quotations and signature.

`quotequail` recognises how email programs introduce a quotation, in several languages. Others are
recognised by something that orders never contain: an address of the site, a line of dashes, or a
line that ends with a colon before lines with `>`. Orders can be above a quotation, below it, or
between its lines. No step takes longer than the length of the text allows, and that is limited.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

import quotequail

MOST_LETTERS: Final = 20_000
MOST_LINES: Final = 500
LONGEST_INTRODUCTION: Final = 250
LONGEST_DIVIDER: Final = 200
DIVIDER: Final = "_" * 32
COLONS: Final = (":", "\N{FULLWIDTH COLON}")

_SIGNATURE = re.compile(r"(?:--|—|__)\s*")
_DASHES = re.compile(r"[-_*]{3,}(?:[^-_*].*[-_*]{3,})?\s*")
# Beginnings of lines that phones and programs add by themselves.
_SENT_FROM = re.compile(
    "|".join(
        (
            *("sent (?:from|with|via) ", "get outlook for ", "gesendet (?:von|mit|über) "),
            *("von meine.* gesendet", "diese nachricht wurde von ", "obtenez outlook "),
            *("envoyé (?:de|depuis|à partir|avec) ", "enviado (?:desde|do|de|com|con) "),
            *("obtener outlook ", "inviat[oa] d", "scarica outlook ", "outlook voor "),
            *("verzonden (?:vanaf|met|vanuit|via) ", "skickat från ", "hämta outlook "),
            *("sendt fra ", "lähetetty ", "wysłan[eo] z ", "odesláno z", "odoslané z", "küldve"),
            *("отправлено (?:с|из) ", "надіслано ", "iphone ?から送信", "从我的", "發自我的"),
            *("发自我的", "내 iphone에서"),
        )
    ),
    re.IGNORECASE,
)
# Endings of letters. None of them begins like an order.
_FAREWELL = re.compile(
    "(?:"
    + "|".join(
        (
            *("(?:many )?thanks", "thank you", "thx", "cheers", "(?:best |kind |warm )?regards"),
            *("best(?: wishes)?", "greetings", "yours", "sincerely", "take care", "see you"),
            "(?:viele |liebe |beste |herzliche |schöne )?gr(?:ü|ue)(?:ß|ss)e?",
            *("mit freundlichen gr(?:ü|ue)(?:ß|ss)en", "lg", "vg", "mfg", "danke"),
            *("(?:bien )?cordialement", "amicalement", "merci", "saludos", "un saludo", "gracias"),
            *("abrazos", "abraços", "obrigad[oa]", "(?:cordiali )?saluti", "grazie", "ciao"),
            *("(?:met vriendelijke |hartelijke )?groet(?:en|jes)?", "bedankt", "mvg", "mvh"),
            *("(?:med )?vänliga? hälsning(?:ar)?", "hälsningar", "(?:med venlig )?hilsen"),
            *("pozdrawiam", "(?:s )?pozdravem", "с уважением", "спасибо"),
        )
    )
    + r")\b[^:]{0,40}",
    re.IGNORECASE,
)
# A line with an order never introduces a quotation, whatever else it contains.
_ORDER = re.compile(
    r"(?:(?:[lrb]h?|left|right|both)2?|target2?|say|release|bank|permanent|sacrifice|answer)(?:\s|:)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def own_text(text: str, addresses: Collection[str] = ()) -> str:
    """Return the reply's own lines, from the first to the last that is not empty.

    `addresses` occur in the introduction of every quotation of the site's own emails.
    """
    lines = _lines(text)
    known = [address.casefold() for address in addresses if address]
    start = _start_of_quotation(lines, known)
    above = _without_signature(_unquoted(lines[:start]))
    if above or start == len(lines):
        return "\n".join(above)
    return "\n".join(_without_signature(_below(lines[start:], known)))


def unflowed(text: str, *, deletes_space: bool = False) -> str:
    """Return text of `format=flowed` (RFC 3676) in its original lines."""
    paragraphs: list[str] = []
    depth_before, is_open = 0, False
    for line in text.replace("\r\n", "\n").split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        if is_open and depth == depth_before and words.rstrip() != "--":
            paragraphs[-1] += words
        else:
            paragraphs.append(f"{'>' * depth} {words}" if depth else words)
        depth_before = depth
        is_open = words.endswith(" ") and words != "-- "
        if is_open and deletes_space:
            paragraphs[-1] = paragraphs[-1][:-1]
    return "\n".join(paragraphs)


def _lines(text: str) -> list[str]:
    """Return the lines, without invisible characters that programs insert."""
    clean = re.sub("[\u200b\u200e\u200f\u2060\ufeff\u00ad]", "", text[:MOST_LETTERS])
    return [line.strip() for line in re.split(r"\r\n|\r|\n", clean)][:MOST_LINES]


def _start_of_quotation(lines: Sequence[str], known: Sequence[str]) -> int:
    """Return the index of the first line not by the sender: an introduction or the quotation."""
    starts = [len(lines)]
    # A line with many addresses is not an introduction, and would take long to check.
    shown = [
        line[:LONGEST_INTRODUCTION] if line.count("<") + line.count("@") <= 8 else "x"
        for line in lines
    ]
    above, *below = quotequail.quote("\n".join(shown), limit=MOST_LINES + 1, quote_intro_line=True)
    if below:
        starts.append(above[1].count("\n") + (1 if above[1] else 0))
    for number, line in enumerate(lines):
        if line.startswith(">"):
            starts.append(_start_of_introduction(lines, number))
            break
        if line and (_is_divider(line) or _names(line, known)):
            is_introduced = _names(line, known)
            starts.append(_start_of_introduction(lines, number + 1) if is_introduced else number)
            break
    return min(starts)


def _is_divider(line: str) -> bool:
    """Return whether this is a line of dashes, or text between dashes.

    A long line is not, because the search takes the square of its length.
    """
    return len(line) <= LONGEST_DIVIDER and bool(_DASHES.fullmatch(line))


def _start_of_introduction(lines: Sequence[str], quotation: int) -> int:
    """Return the index of the line at which the quotation's introduction begins.

    It is a line that ends with a colon, with the line before it if they are one sentence.
    """
    last = quotation - 1
    while last >= 0 and not lines[last]:
        last -= 1
    if last < 0 or _ORDER.match(lines[last]):
        return quotation
    if not (lines[last].endswith(COLONS) or "@" in lines[last]):
        return quotation
    first = last
    goes_on = lines[last].startswith(("<", "[")) or not _YEAR.search(lines[last])
    before = lines[first - 1] if first > 0 else ""
    if goes_on and _YEAR.search(before) and not _ORDER.match(before):
        first -= 1
    return first


def _names(line: str, known: Sequence[str]) -> bool:
    folded = line.casefold()
    return not _ORDER.match(line) and any(address in folded for address in known)


def _unquoted(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not line.startswith(">")]


def _below(lines: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the text below a quotation or between its lines, or nothing if no `>` marks it."""
    marked = [number for number, line in enumerate(lines) if line.startswith(">")]
    after = lines[marked[0] :] if marked else []
    return [line for line in _unquoted(after) if not _names(line, known)]


def _without_signature(lines: Sequence[str]) -> list[str]:
    """Return the lines before the signature or farewell, without empty lines around them."""
    own: list[str] = []
    for line in lines:
        ends = _SIGNATURE.fullmatch(line) or _SENT_FROM.match(line)
        if ends or (any(own) and _FAREWELL.fullmatch(line)):
            break
        if line or own:
            own.append(line)
    while own and not own[-1]:
        own.pop()
    return own
