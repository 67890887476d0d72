"""Conversion of HTML emails to lines of text, with `>` before quoted lines as in plain text.

Emails are parsed with libxml2, which is quick for all inputs and limits the depth of elements.
Python's own parser can take minutes for a few hundred kilobytes of malicious HTML.
"""

import re
from html import unescape
from typing import Final

from lxml import etree

from duels.replies.own_text import SITE_EMAIL_DIVIDER

MAX_TEXT_LENGTH: Final = 100_000
INVISIBLE_ELEMENTS: Final = ("head", "script", "style", "title", "template", "noscript", "object")
BLOCK_ELEMENTS: Final = frozenset(
    (
        "address article aside blockquote caption center dd details dir div dl dt fieldset "
        "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p "
        "pre section summary table tr ul"
    ).split()
)
PARAGRAPH_ELEMENTS: Final = frozenset(("p h1 h2 h3 h4 h5 h6 ul ol table").split())
# Classes of elements that email programs put around quotations.
QUOTING_CLASSES: Final = frozenset(
    {
        "gmail_quote",
        "gmail_quote_container",
        "yahoo_quoted",
        "protonmail_quote",
        "moz-cite-prefix",
        "zmail_extra",
        "tutanota_quote",
        "front-blockquote",
    }
)
# Classes of elements that contain an introduction, the quotation in a `blockquote` of the same
# class, and sometimes the sender's own text below it.
_SHARED_CLASSES: Final = frozenset({"gmail_quote", "protonmail_quote"})
# Ids of elements that email programs put before a quotation. Everything after them is quoted.
DIVIDER_IDS: Final = frozenset(
    {
        "divRplyFwdMsg",
        "appendonsend",
        "mail-editor-reference-message",
        "mail-editor-reference-message-container",
    }
)
DELETING_ELEMENTS: Final = ("s", "strike", "del")
QUOTING_NAMES: Final = frozenset({"quote"})  # used by GMX and web.de
_OUTLOOK_LINE_PATTERN = re.compile(r"border-top:\s*solid #[0-9a-f]{6} 1\.0pt", re.IGNORECASE)
_SIGNATURE_CLASSES: Final = frozenset(
    {
        "gmail_signature",
        "moz-signature",
        "protonmail_signature_block",
        "Signature",
        "ms-outlook-mobile-signature",
        "ms-outlook-ios-signature",
    }
)
# Styles that preserve line ends.
_PREFORMATTED_PATTERN = re.compile(
    r"white-space(?:-collapse)?:\s*(?:pre|break-spaces)", re.IGNORECASE
)
_BLOCK_STYLE_PATTERN = re.compile(
    r"display:\s*(?:block|flex|grid|list-item|table)(?![-\w])", re.IGNORECASE
)
_LIST_START_PATTERN = re.compile(r"[0-9]{1,3}")
_ELEMENT_PATTERN = re.compile(r"<(?:!|/?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>)", re.IGNORECASE)
_SPACES_PATTERN = re.compile(r"[ \t\r\n\f\v]+")


def html_to_text(html: str) -> str:
    """Return the visible text of this HTML, or "" if it cannot be parsed.

    Text without any elements is plain text that was sent as HTML by mistake.
    """
    if not _ELEMENT_PATTERN.search(html):
        return unescape(html[:MAX_TEXT_LENGTH])
    # The text is already decoded, so ignore encodings in an XML declaration or meta element.
    parser = etree.HTMLParser(
        encoding="utf-8",
        recover=True,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    # HTML must not contain surrogates or null characters.
    clean = html[:MAX_TEXT_LENGTH].encode("utf-8", "replace").replace(b"\0", b"")
    try:
        root = etree.fromstring(clean, parser) if clean.strip() else None
    except (etree.XMLSyntaxError, ValueError):
        return ""
    if root is None:
        return ""
    etree.strip_elements(root, *INVISIBLE_ELEMENTS, with_tail=False)
    writer = _LineWriter()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if isinstance(element.tag, str):
            writer.start_element(element) if event == "start" else writer.end_element(element)
        if event == "end":
            writer.write_text(element.tail or "")
    return writer.text()


class _LineWriter:
    """Collects the lines of the text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""
        self.quoted = 0  # number of open elements that quote their text
        self.kept = 0  # number of open elements that preserve spaces and line ends
        self.numbers: list[int | None] = []  # number of the next item in each open list
        self.marker = ""  # number of the list item whose text has not started yet
        self.ended: set[etree._Element] = set()  # open elements whose quotation has ended

    def start_element(self, element: "etree._Element") -> None:
        if _id(element) in DIVIDER_IDS or _is_outlook_line(element):
            self.end_line()
            self.add_line(SITE_EMAIL_DIVIDER)
        if element.tag == "br":
            self.end_line(even_empty=True)
        elif _is_block(element):
            self.end_line()
        elif element.tag in ("td", "th") and self.line:
            self.line += " "
        if _is_quoting(element) and not self.shares_quotation(element):
            self.end_line()
            self.quoted += 1
        if {_id(element), *_classes(element)} & _SIGNATURE_CLASSES:
            self.end_line()
            self.add_line("-- ")
        if element.tag in ("ol", "ul"):
            self.numbers.append(_first_number(element) if element.tag == "ol" else None)
        if element.tag == "li" and self.numbers and (number := self.numbers[-1]) is not None:
            self.marker = f"{number}. "
            self.numbers[-1] = number + 1
        self.kept += _is_preformatted(element)
        self.write_text(element.text or "")

    def end_element(self, element: "etree._Element") -> None:
        if _is_block(element):
            self.end_line()
        if element.tag == "li":
            self.marker = ""  # the item is empty
        if element.tag in PARAGRAPH_ELEMENTS:
            self.add_line("")
        if element.tag in ("ol", "ul"):
            self.numbers.pop()
        if _is_quoting(element) and element not in self.ended:
            self.end_line()
            self.quoted -= 1
            if self.shares_quotation(element):
                self.ended.add(element.getparent())
        self.kept -= _is_preformatted(element)

    def shares_quotation(self, element: "etree._Element") -> bool:
        """Return whether this element is the quotation of its parent, which ends with it."""
        parent = element.getparent()
        return (
            element.tag == "blockquote"
            and parent is not None
            and parent.tag != "blockquote"
            and parent not in self.ended
            and bool(_classes(element) & _classes(parent) & _SHARED_CLASSES)
        )

    def write_text(self, text: str) -> None:
        if self.kept:
            *whole, last = text.split("\n")
            for line in whole:
                self.line += line
                self.end_line(even_empty=True)
            self.line += last
        else:
            self.line += _SPACES_PATTERN.sub(" ", text)

    def end_line(self, *, even_empty: bool = False) -> None:
        line = self.line.strip()
        self.line = ""
        if line:
            line, self.marker = self.marker + line, ""
        if line or even_empty:
            self.add_line(line)

    def add_line(self, line: str) -> None:
        self.lines.append(f"{'>' * self.quoted} {line}" if self.quoted else line)

    def text(self) -> str:
        self.end_line()
        return "\n".join(self.lines)


def _classes(element: "etree._Element") -> set[str]:
    return {_unprefixed(each) for each in element.get("class", "")[:500].split()}


def _id(element: "etree._Element") -> str:
    return _unprefixed(element.get("id", "")[:500])


def _first_number(element: "etree._Element") -> int:
    start = element.get("start", "")
    return int(start) if _LIST_START_PATTERN.fullmatch(start) else 1


def _unprefixed(name: str) -> str:
    """Return an id or class without the prefixes that Outlook adds when it quotes an email."""
    return re.sub("^(?:x_)+", "", name)


def _is_quoting(element: "etree._Element") -> bool:
    """Return whether the text of this element is quoted or crossed out, so it is not read."""
    return (
        element.tag in ("blockquote", *DELETING_ELEMENTS)
        or "line-through" in element.get("style", "")[:500].casefold()
        or bool(_classes(element) & QUOTING_CLASSES)
        or element.get("name", "") in QUOTING_NAMES
    )


def _is_block(element: "etree._Element") -> bool:
    style = element.get("style", "")[:500]
    return element.tag in BLOCK_ELEMENTS or bool(_BLOCK_STYLE_PATTERN.search(style))


def _is_preformatted(element: "etree._Element") -> bool:
    style = element.get("style", "")[:500]
    return element.tag == "pre" or bool(_PREFORMATTED_PATTERN.search(style))


def _is_outlook_line(element: "etree._Element") -> bool:
    style = element.get("style", "")
    return element.tag == "div" and bool(_OUTLOOK_LINE_PATTERN.search(style[:500]))
