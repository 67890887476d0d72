"""Rendering of an email's subject, text and HTML from one HTML template.

Templates extend `emails/layout.html`, and `subject_and_plain_text` derives the text from the HTML.
Content for only one of the two versions is in elements `<text-only>` and `<html-only>`. The rules
of `styles.css` are turned into style attributes, because many email programs ignore style sheets.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any, Final

from css_inline import CSSInliner
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from lxml import etree

from duels.delivery.wrapping import wrap_long_lines

# White space that email programs ignore. Removing it saves time, because Python's email package
# processes each line.
_EMPTY_LINES_PATTERN: Final = re.compile(r"\n[ \n]+")
_USELESS_LINE_END_PATTERN: Final = re.compile(r"\n(?=</?t[dh]\b|</(?:tr|p|li|h[1-3])>)")
# Lines end after these tags. With longer lines, Python's email package would encode the HTML as
# "quoted-printable", which takes more time and space.
_LINE_ENDING_TAG_PATTERN: Final = re.compile(r"</(?:tr|p|li|h[1-3]|table)>")
_PLACEHOLDER_PATTERN: Final = re.compile(r"\{(subject|preview)\}")
_SPACES_PATTERN: Final = re.compile(r"[ \t\n]+")


def render_email(
    template: str, context: dict[str, Any], to: Sequence[str], headers: dict[str, str]
) -> EmailMultiAlternatives:
    """Return the email rendered from this template."""
    source = render_to_string(template, context)
    subject, body = subject_and_plain_text(source)
    # Phones show this preview below the subject.
    words = body.partition("\n\n")[0].split()
    preview = " ".join(word for word in words if "://" not in word)
    mail = EmailMultiAlternatives(subject=subject, body=body, to=to, headers=headers)
    mail.attach_alternative(_styled_html(source, subject, preview), "text/html")
    return mail


def subject_and_plain_text(html: str) -> tuple[str, str]:
    """Return the subject and the text of an email with this HTML.

    Paragraphs are separated by an empty line, and lines are wrapped to fit a terminal.
    """
    document = etree.HTML(_without_elements(_without_elements(html, "html-only"), "head"))
    (main,) = document.iterfind(".//div[@role='main']")
    subject, *paragraphs = _text_paragraphs(main)
    return " ".join(subject.split()), wrap_long_lines("\n\n".join(paragraphs)) + "\n"


def _styled_html(html: str, subject: str, preview: str) -> str:
    """Return the HTML with styles and preview, as email programs receive it."""
    shown = _without_elements(html, "text-only")
    shown = shown.replace("<html-only>", "").replace("</html-only>", "")
    shown = _USELESS_LINE_END_PATTERN.sub("", _EMPTY_LINES_PATTERN.sub("\n", shown))
    texts = {"subject": escape(subject), "preview": escape(preview)}
    shown = _PLACEHOLDER_PATTERN.sub(lambda found: texts[found[1]], shown, count=len(texts))
    return _LINE_ENDING_TAG_PATTERN.sub(r"\g<0>\n", _css_inliner().inline(shown))


def _without_elements(html: str, tag: str) -> str:
    """Return the HTML without elements of this kind, which must not be nested."""
    first, *others = html.split(f"<{tag}>")
    return first + "".join(other.partition(f"</{tag}>")[2] for other in others)


@cache
def _css_inliner() -> CSSInliner:
    styles = render_to_string("emails/styles.css")
    # Keep the layout's own style sheet, which contains the dark colours.
    return CSSInliner(inline_style_tags=False, keep_style_tags=True, extra_css=styles)


def _text_paragraphs(parent: Any) -> Iterator[str]:
    for element in parent:
        found = ""
        match element.tag:
            case "h1" | "h2" | "p":
                found = _element_text(element)
            case "pre":
                found = "".join(element.itertext()).strip("\n")
            case "ul":
                margin = "  - " if element.get("class") == "dashes" else "  "
                found = "\n".join(_list_item_text(item, margin) for item in element.iterfind("li"))
            case "ol":
                items = enumerate(element.iterfind("li"), 1)
                found = "\n\n".join(_list_item_text(item, f"{number}. ") for number, item in items)
            case "div" if element.get("class") == "signature":
                found = "-- \n" + "\n".join(_text_paragraphs(element))
            case "blockquote" | "text-only":
                yield from _text_paragraphs(element)
        if found:
            yield found


def _list_item_text(element: Any, margin: str) -> str:
    return margin + _element_text(element).replace("\n", "\n" + " " * len(margin))


def _element_text(element: Any) -> str:
    """Return the text of an element, with a line break for each `<br>` in it."""
    text = _inline_text(element)
    return "\n".join(_SPACES_PATTERN.sub(" ", line).strip(" \n") for line in text.split("\v"))


def _inline_text(element: Any) -> str:
    text = (element.text or "") + "".join(
        _inline_text(child) + (child.tail or "") for child in element
    )
    match element.tag:
        case "br":
            return "\v"
        case "a" if element.get("class") == "rule":
            return f"[{text.strip()}]"
        case "a":
            label, url = text.strip(), element.get("href")
            return url if label == url else f"{label}: {url}"
    return text
