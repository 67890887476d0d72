"""Parsing of a page's forms: their targets, and the fields and values that they would send."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

_FORM_PATTERN = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
_TARGET_PATTERN = re.compile(r'="(/[^"#?]*)')
_SELECT_PATTERN = re.compile(r"<select\b([^>]*)>(.*?)</select>", re.DOTALL)
_FIELD_PATTERN = re.compile(r"<(input|button|textarea|option)\b([^>]*)>(?:([^<]*)</textarea>)?")
_ATTRIBUTE_PATTERN = re.compile(r'([\w-]+)(?:="([^"]*)")?')


class RenderedForm(NamedTuple):
    """A form of a page: its targets, and all values that the page offers for each field."""

    targets: frozenset[str]
    fields: tuple[tuple[str, tuple[str, ...]], ...]


def forms_in(html: str) -> Iterator[RenderedForm]:
    """Yield the forms of a page. The targets of a form include URLs that scripts use."""
    for attributes, content in _FORM_PATTERN.findall(html):
        offered: dict[str, list[str]] = {}
        for of_select, options in _SELECT_PATTERN.findall(content):
            name = _attributes(of_select).get("name", "")
            offered[name] = [option for _, option in _values(options)]
        for name, value in _values(_SELECT_PATTERN.sub("", content)):
            offered.setdefault(name, []).append(value)
        offered.pop("", None)
        targets = frozenset(map(unescape, _TARGET_PATTERN.findall(attributes + content)))
        fields = tuple((name, tuple(values) or ("",)) for name, values in offered.items())
        yield RenderedForm(targets, fields)


def _values(html: str) -> Iterator[tuple[str, str]]:
    for tag, attributes, text in _FIELD_PATTERN.findall(html):
        row = _attributes(attributes)
        value = text if tag == "textarea" else row.get("value", "")
        yield row.get("name", ""), unescape(value)


def _attributes(text: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE_PATTERN.findall(text)}
